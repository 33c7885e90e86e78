"""The drawing `flows`: how the labels of two or three columns go together, after Sankey (PubMedQA, Figure 4).

Its table has a row for each band: column and label on the left, column and label on the right, instances, share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from anagnosis.reports.renderers.plots import HUES, INK, amount, figure_of, in_two_lines, shortened
from anagnosis.reports.report import Cell, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

GAP = 0.05  # between two labels of a column, of the height
BAR = 0.035  # the width of a label's bar, of the distance between two columns
TALL, TALL_EACH = 3.4, 0.5  # inches: at least, and for each label of the longest column
TWO_LINES = 0.1  # a bar of that height has room for a name of two lines
ROOM = 0.62  # for the names beside the first and the last column


class Scale(NamedTuple):
    """A column: its labels from top to bottom, each (upper end, height) on the axis; the height of one instance."""

    boxes: dict[str, tuple[float, float]]
    each: float


def flows(table: Table) -> Figure:
    """Bars for the labels of each column, bands between neighbours as wide as their instances."""
    names = list(dict.fromkeys(str(row[place]) for row in table.rows for place in (0, 2)))
    columns = [_column(table, name) for name in names]
    most = max((len(column.boxes) for column in columns), default=0)
    figure = figure_of(max(TALL, TALL_EACH * most))
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set_ylim(-0.02, 1.12)
    axes.set_xlim(-ROOM, max(1, len(names) - 1) + ROOM)
    for place, (name, column) in enumerate(zip(names, columns, strict=True)):
        hues = [HUES[number % len(HUES)] if place == 0 else INK for number in range(len(column.boxes))]
        own = [row for row in table.rows if row[0] == name]
        if own:
            _bands(axes, own, place, column, columns[place + 1], dict(zip(column.boxes, hues, strict=True)))
        axes.text(place, 1.06, in_two_lines(name), ha="center", va="center", weight="bold")
        total = sum(height for _, height in column.boxes.values())
        for hue, (label, (top, height)) in zip(hues, column.boxes.items(), strict=True):
            axes.add_patch(_bar(place, top - height, height, hue))
            _name(axes, place, top - height / 2, label, height, height / total)
    return figure


def _column(table: Table, name: str) -> Scale:
    """A label is as high as its bands on its fuller side."""
    found: dict[str, list[float]] = {}
    for row in table.rows:
        for side, place in enumerate((0, 2)):
            if row[place] == name:
                found.setdefault(str(row[place + 1]), [0.0, 0.0])[side] += amount(row[4])
    heights = {label: max(sides) for label, sides in found.items()}
    gap = min(GAP, 0.5 / len(heights))
    each = (1 - gap * (len(heights) - 1)) / sum(heights.values())
    boxes: dict[str, tuple[float, float]] = {}
    top = 1.0
    for label, height in heights.items():
        boxes[label] = top, height * each
        top -= height * each + gap
    return Scale(boxes, each)


def _bands(
    axes: Axes, rows: Sequence[Sequence[Cell]], step: int, left: Scale, right: Scale, hues: dict[str, str]
) -> None:
    """The bands of each label one below the other, from its top."""
    free = [{label: top for label, (top, _) in side.boxes.items()} for side in (left, right)]
    for row in rows:
        one, other = str(row[1]), str(row[3])
        heights = amount(row[4]) * left.each, amount(row[4]) * right.each
        tops = free[0][one], free[1][other]
        alpha = 0.16 if hues[one] == INK else 0.45
        axes.add_patch(_band(step, tops, heights, hues[one], alpha))
        free[0][one] -= heights[0]
        free[1][other] -= heights[1]


def _band(
    step: int, tops: tuple[float, float], heights: tuple[float, float], color: str, alpha: float
) -> Patch:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    x0, x1 = step + BAR / 2, step + 1 - BAR / 2
    middle = (x0 + x1) / 2
    (top, other), (low, other_low) = tops, (tops[0] - heights[0], tops[1] - heights[1])
    there = [(x0, top), (middle, top), (middle, other), (x1, other)]
    back = [(x1, other_low), (middle, other_low), (middle, low), (x0, low), (x0, top)]
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    return PathPatch(Path([*there, *back], codes), facecolor=color, alpha=alpha, lw=0)


def _bar(place: int, low: float, height: float, color: str) -> Patch:
    from matplotlib.patches import Rectangle

    return Rectangle((place - BAR / 2, low), BAR, height, facecolor=color, lw=0)


def _name(axes: Axes, place: int, y: float, label: str, height: float, share: float) -> None:
    """At the left of the first column's bar, at the right of the others'."""
    side = -1 if place == 0 else 1
    percent = f"{100 * share:.0f} %"
    text = f"{in_two_lines(label)}\n{percent}" if height >= TWO_LINES else f"{shortened(label)} {percent}"
    axes.text(
        place + side * BAR,
        y,
        text,
        ha="right" if side < 0 else "left",
        va="center",
        fontsize=9,
        linespacing=1.0,
    )
