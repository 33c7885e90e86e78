"""What pages repeat around a paper's text: running heads, footers, page numbers, stamps and the numbers of lines."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from anagnosis.documents.formats.pdf.page_lines import Line, PageLines

_NUMBER = re.compile(r"\d+")
_LINE_NUMBER = re.compile(r"\s*(\d{1,4})(?: +|$)")
_EDGE = 0.1  # of a page's height, above and below, where a repeated line needs few pages
_LEAST = 3  # pages
_SHARE = 0.4  # of the pages, anywhere on them
_NEAR = 4.0  # points
_NUMBERED = 0.6  # of a page's lines


def without_furniture(pages: Sequence[PageLines], counts: Counter[str]) -> None:
    """Leave out of pages what they repeat. counts: running_line, turned_text, line_number."""
    repeated = _repeated(pages)
    for page in pages:
        kept = [line for line in page.lines if not _is_furniture(line, page, repeated, len(pages))]
        counts["running_line"] += len(page.lines) - len(kept)
        counts["turned_text"] += len(page.turned)
        page.lines = kept
        _without_line_numbers(page, counts)


def _key(line: Line) -> str:
    return _NUMBER.sub("0", "".join(line.text.split()))


def _repeated(pages: Sequence[PageLines]) -> dict[str, list[tuple[float, int]]]:
    """text → (height, page) where it stands."""
    places: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
    for page in pages:
        for line in page.lines:
            places[_key(line)].append((line.base, line.page))
    return places


def _is_furniture(
    line: Line, page: PageLines, repeated: dict[str, list[tuple[float, int]]], pages: int
) -> bool:
    edge = _is_at_edge(line, page)
    text = line.text.strip()
    if edge and re.fullmatch(r"(?:page )?\d{1,5}(?: of \d+)?", text, re.IGNORECASE):
        return True
    same = {number for base, number in repeated[_key(line)] if abs(base - line.base) < _NEAR}
    everywhere = {number for _, number in repeated[_key(line)]}
    if len(text) > 12 and len(everywhere) >= max(_LEAST, _SHARE * pages):
        return True
    # Two kinds of heads take turns on left and right pages.
    return len(same) >= (_LEAST if edge else max(_LEAST, _SHARE * pages)) or (
        edge and len(same) == 2 and len(text) > 12
    )


def _is_at_edge(line: Line, page: PageLines) -> bool:
    return line.bottom < _EDGE * page.height or line.top > (1 - _EDGE) * page.height


def _without_line_numbers(page: PageLines, counts: Counter[str]) -> None:
    """Cut the numbers of lines off, where most lines of a page begin with the next number."""
    numbers = [_LINE_NUMBER.match(line.text) for line in page.lines]
    there = [int(one[1]) for one in numbers if one]
    rising = sum(b - a == 1 for a, b in pairwise(there))
    if len(page.lines) < 5 or rising < _NUMBERED * len(page.lines):
        return
    last = _first_of_chain(there)
    kept: list[Line] = []
    for line, match in zip(page.lines, numbers, strict=True):
        if match and last < int(match[1]) <= last + _LEAST:
            last = int(match[1])
            counts["line_number"] += 1
            line.text = line.text[match.end() :]
            if not line.text.strip():
                continue
            line.left += 0.5 * line.size * (match.end() + 1)
        kept.append(line)
    page.lines = kept


def _first_of_chain(numbers: Sequence[int]) -> int:
    """What stands before the first of several numbers that rise."""
    for one, two, three in zip(numbers, numbers[1:], numbers[2:], strict=False):
        if one < two <= one + _LEAST and two < three <= two + _LEAST:
            return one - 1
    return 0
