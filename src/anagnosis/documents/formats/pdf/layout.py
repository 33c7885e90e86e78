"""The blocks of a page in the order in which people read them: columns from left to right, each from above to below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from anagnosis.documents.formats.pdf.characters import words_in
from anagnosis.documents.formats.pdf.page_lines import Line, PageLines

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
        last = blocks[-1].lines[-1] if blocks else None
        if last is not None and _belongs(last, line, pitch):
            blocks[-1].lines.append(line)
        else:
            blocks.append(Block([line]))
    return blocks


def _belongs(last: Line, line: Line, pitch: float) -> bool:
    size = max(last.size, line.size)
    below = last.base - line.base
    if not (0 <= below < 1.25 * pitch * size) or abs(last.size - line.size) > 0.6:
        return below == 0 and abs(last.size - line.size) <= 0.6 and 0 <= line.left - last.right < 3 * size
    if line.left > last.right or line.right < last.left:
        return False
    return last.font == line.font


def _gutter(blocks: Sequence[Block], left: float, right: float) -> float | None:
    """The middle of the space between two columns, between two edges; None without one."""
    lines = [line for block in blocks for line in block.lines if len(line.text) > 15]
    if len(lines) < 6:
        return None
    lefts, rights = np.array([line.left for line in lines]), np.array([line.right for line in lines])
    best: tuple[int, float] | None = None
    for step in range(30, 71):
        x = left + (right - left) * step / 100
        crossing = int(((lefts < x - _GUTTER) & (rights > x + _GUTTER)).sum())
        before = int((rights <= x + _GUTTER).sum())
        behind = len(lines) - crossing - before
        if min(before, behind) >= max(4, 0.15 * len(lines)) and (best is None or crossing < best[0]):
            best = crossing, x
    if best is None or best[0] > 0.45 * len(lines):
        return None
    return best[1]


def _by_columns(blocks: Sequence[Block], begin: float, end: float) -> list[Block]:
    """Bands between blocks that reach over the gutter; in each the left column, then the right one.

    begin, end: edges between which they stand. A column may have columns.
    """
    gutter = _gutter(blocks, begin, end)
    if gutter is None:
        return list(blocks)
    result: list[Block] = []
    left: list[Block] = []
    right: list[Block] = []

    def flush() -> None:
        result.extend(_by_columns(sorted(left, key=_top), begin, gutter))
        result.extend(_by_columns(sorted(right, key=_top), gutter, end))
        left.clear()
        right.clear()

    for block in sorted(blocks, key=_top):
        if block.left < gutter - _GUTTER and block.right > gutter + _GUTTER:
            flush()
            result.append(block)
        elif block.left < gutter - _GUTTER:
            left.append(block)
        else:
            right.append(block)
    flush()
    return result


def _top(block: Block) -> float:
    return -block.top
