"""What pages repeat around a paper's text: running heads, footers, page numbers, stamps and the numbers of lines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from anagnosis.documents.formats.pdf.page_lines import Line, PageLines

_NUMBER = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_PAGE_NUMBER = re.compile(r"(?:page)?\d{1,5}(?:of\d+)?", re.IGNORECASE)
_LINE_NUMBER = re.compile(r"\s*(\d{1,4})(?: +|$)")
_EDGE = 0.1  # of a page's height, above and below, where a repeated line needs few pages
_LEAST = 3  # pages
_SHARE = 0.4  # of the pages, anywhere on them
_LONG, _LETTERS = 12, 6  # characters, and letters, of a text that says enough
_NEAR = 4.0  # points
_NUMBERED = 0.6  # of a page's lines


def without_furniture(pages: Sequence[PageLines]) -> None:
    """Leave out of pages what they repeat. Counted: running_line, turned_text, line_number."""
    repeated = _Repeated(pages)
    for page in pages:
        kept = [line for line in page.lines if not repeated.is_furniture(line, page)]
        page.counts["running_line"] += len(page.lines) - len(kept)
        page.counts["turned_text"] += len(page.turned)
        page.lines = kept
        _without_line_numbers(page)


class _Repeated:
    """On how many pages a line stands."""

    def __init__(self, pages: Sequence[PageLines]) -> None:
        self.pages = len(pages)
        self._at: defaultdict[tuple[str, int], set[int]] = defaultdict(set)  # text and height → pages
        self._edges: defaultdict[str, set[int]] = defaultdict(
            set
        )  # text with other numbers, at an edge → pages
        for page in pages:
            for line in page.lines:
                text = "".join(line.text.split())
                self._at[text, round(line.base / _NEAR)].add(line.page)
                if is_at_edge(line, page):
                    self._edges[_NUMBER.sub("0", text)].add(line.page)

    def is_furniture(self, line: Line, page: PageLines) -> bool:
        """Whether a line is none of the paper's text."""
        text = "".join(line.text.split())
        head = len(self._edges.get(_NUMBER.sub("0", text), ()))
        if is_at_edge(line, page):
            # Two kinds of heads take turns on left and right pages.
            least = 2 if len(text) > _LONG else _LEAST
            return _PAGE_NUMBER.fullmatch(text) is not None or head >= least
        if head >= max(_LEAST, _SHARE * self.pages) and len(text) > _LONG:
            return True  # the first page has it lower
        if len(_LETTER.findall(text)) < _LETTERS:
            return False  # numbers of tables
        at = round(line.base / _NEAR)
        same = set[int]().union(*(self._at.get((text, height), ()) for height in (at - 1, at, at + 1)))
        return len(same) >= max(_LEAST, _SHARE * self.pages)


def is_at_edge(line: Line, page: PageLines) -> bool:
    """Whether a line stands above or below the text of a page."""
    return line.bottom < _EDGE * page.height or line.top > (1 - _EDGE) * page.height


def _without_line_numbers(page: PageLines) -> None:
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
            page.counts["line_number"] += 1
            line.cut(match.end())
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
