"""The blocks of a page in the order in which people read them, without what pages repeat around a paper's text.

Columns go from left to right, each from above to below. Running heads, footers, page numbers, stamps and the numbers of
lines are left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from anagnosis.documents.formats.pdf.page_lines import Line, PageLines
from anagnosis.documents.formats.pdf.words import words_in

_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?:page)?\d{1,5}(?:of\d+)?", re.IGNORECASE)
_LINE_NUMBER = re.compile(r"\s*(\d{1,4})(?: +|$)")
_EDGE = 0.1  # of a page's height, above and below, where a repeated line needs few pages
_LEAST = 3  # pages
_SHARE = 0.4  # of the pages, anywhere on them
_LONG = 12  # characters of a text that says enough
_NUMBERED = 0.6  # of a page's lines


def without_furniture(pages: Sequence[PageLines]) -> None:
    """Leave out of pages what they repeat. Counted: running_line, turned_text, line_number."""
    edges: defaultdict[str, set[int]] = defaultdict(set)  # text with other numbers, at an edge → pages
    for page in pages:
        for line in page.lines:
            text = "".join(line.text.split())
            if is_at_edge(line, page):
                edges[_NUMBER.sub("0", text)].add(line.page)
    many = max(_LEAST, _SHARE * len(pages))

    def is_furniture(line: Line, page: PageLines) -> bool:
        text = "".join(line.text.split())
        heads = len(edges.get(_NUMBER.sub("0", text), ()))
        if is_at_edge(line, page):
            # Two kinds of heads take turns on left and right pages.
            return bool(_PAGE_NUMBER.fullmatch(text)) or heads >= (2 if len(text) > _LONG else _LEAST)
        return heads >= many and len(text) > _LONG  # the first page has it lower

    for page in pages:
        kept = [line for line in page.lines if not is_furniture(line, page)]
        page.counts["running_line"] += len(page.lines) - len(kept)
        page.counts["turned_text"] += len(page.turned)
        page.lines = kept
        _without_line_numbers(page)


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
    chains = zip(there, there[1:], there[2:], strict=False)
    last = next(
        (one - 1 for one, two, three in chains if 0 < two - one <= _LEAST and 0 < three - two <= _LEAST), 0
    )
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


_GUTTER = 4.0  # points


@dataclass(slots=True, eq=False)
class Block:
    """Lines of one font, one under the other."""

    lines: list[Line]

    @property
    def page(self) -> int:
        return self.lines[0].page

    @property
    def left(self) -> float:
        return min(line.left for line in self.lines)

    @property
    def right(self) -> float:
        return max(line.right for line in self.lines)

    @property
    def top(self) -> float:
        return self.lines[0].top

    @property
    def bottom(self) -> float:
        return self.lines[-1].bottom

    @property
    def size(self) -> float:
        return Counter(line.size for line in self.lines).most_common(1)[0][0]

    @property
    def font(self) -> str:
        counts = Counter[str]()
        for line in self.lines:
            counts[line.font] += len(line.text)
        return counts.most_common(1)[0][0]

    @property
    def words(self) -> int:
        return sum(words_in(line.text) for line in self.lines)


def ordered_blocks(page: PageLines) -> list[Block]:
    """The blocks of a page."""
    return _by_columns(_blocks(page.lines, _pitch(page.lines)), 0, page.width)


def _pitch(lines: Sequence[Line]) -> float:
    """The usual distance of two lines, in sizes of their font."""
    apart = [
        round((one.base - other.base) / one.size, 1)
        for one, other in pairwise(lines)
        if one.size and one.size == other.size and 0.9 < (one.base - other.base) / one.size < 3
    ]
    return Counter(apart).most_common(1)[0][0] if apart else 1.2


def _blocks(lines: Sequence[Line], pitch: float) -> list[Block]:
    blocks: list[Block] = []
    for line in lines:
        if blocks and _belongs(blocks[-1].lines[-1], line, pitch):
            blocks[-1].lines.append(line)
        else:
            blocks.append(Block([line]))
    return blocks


def _belongs(last: Line, line: Line, pitch: float) -> bool:
    size = max(last.size, line.size)
    below = last.base - line.base
    if not (0 <= below < 1.25 * pitch * size) or abs(last.size - line.size) > 0.6:
        return below == 0 and abs(last.size - line.size) <= 0.6 and 0 <= line.left - last.right < 3 * size
    return line.left <= last.right and line.right >= last.left and last.font == line.font


def _gutter(blocks: Sequence[Block], left: float, right: float) -> float | None:
    """The middle of the space between two columns, between two edges; None without one."""
    lines = [line for block in blocks for line in block.lines if len(line.text) > 15]
    best = len(lines) + 1, 0.0
    for step in range(30, 71):
        x = left + (right - left) * step / 100
        before = sum(line.right <= x + _GUTTER for line in lines)
        crossing = sum(line.left < x - _GUTTER and line.right > x + _GUTTER for line in lines)
        behind = len(lines) - crossing - before
        if min(before, behind) >= max(4, 0.15 * len(lines)) and crossing < best[0]:
            best = crossing, x
    return None if best[0] > 0.45 * len(lines) else best[1]


def _by_columns(blocks: Sequence[Block], begin: float, end: float) -> list[Block]:
    """Bands between blocks that reach over the gutter; in each the left column, then the right one.

    begin, end: edges between which they stand. A column may have columns.
    """
    gutter = _gutter(blocks, begin, end)
    if gutter is None:
        return list(blocks)
    result: list[Block] = []

    def kind(block: Block) -> str:
        if block.left >= gutter - _GUTTER:
            return "right"
        return "both" if block.right > gutter + _GUTTER else "left"

    for over, band in groupby(sorted(blocks, key=_top), key=lambda block: kind(block) == "both"):
        if over:
            result += band
        else:
            columns: dict[str, list[Block]] = {"left": [], "right": []}
            for block in band:
                columns[kind(block)].append(block)
            result += _by_columns(columns["left"], begin, gutter)
            result += _by_columns(columns["right"], gutter, end)
    return result


def _top(block: Block) -> float:
    return -block.top
