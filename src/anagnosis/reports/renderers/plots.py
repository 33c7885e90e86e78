"""Plots: a table becomes a matplotlib figure (`picture.DRAWINGS` lists them).

Systems differ in hue, mark and dash. `picture.py` makes a figure a picture of the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from anagnosis.reports.report import Cell, Estimate, Kind, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, RULE = "#010203", "#040506"  # stand-ins that `picture.py` replaces by the page's variables
# The first five after Okabe and Ito (2008), distinguishable to colour-blind readers; the same stand in report.css.
HUES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#3b9fd6", "#7a52c7", "#6b7a1f")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
WIDTH = 5.0  # inches; letters of 10 points stay readable when a phone shrinks the picture to its width
LONGEST_NAME = 34
LETTERS_BESIDE = 52  # that fit under an axis of this width without touching
LETTERS_IN_A_LINE = 26  # of a name at the left of a picture


def accuracy_by_candidates(table: Table) -> Figure:
    """A line for each system over ordered groups, its interval as a band; the instances beneath (BIOMRC, Figure 3).

    Rows: group, instances or answers, an estimate of each system.
    """
    figure, above = _over_instances(table)
    shade = min(0.15, 0.3 / max(1, len(_systems(table))))
    for number, name, cells in _systems(table):
        style = _style(number)
        above.plot([], [], label=shortened(name), **style)
        for run in _unbroken(cells):
            values, lows, highs = _scaled([cells[row] for row in run], table.columns[2].kind)
            above.plot(run, values, **style)
            above.fill_between(run, lows, highs, color=style["color"], alpha=shade, lw=0)
            if len(run) == 1:
                above.vlines(run, lows, highs, color=style["color"], lw=1)
    _legend(figure, above)
    return figure


def accuracy_by_group(table: Table) -> Figure:
    """Points with intervals beside each other over groups without an order; rows as for groups with one."""
    figure, above = _over_instances(table)
    systems = _systems(table)
    for number, name, cells in systems:
        shift = min(0.14, 0.62 / max(1, len(systems) - 1)) * (number - (len(systems) - 1) / 2)
        rows = [row for row, cell in enumerate(cells) if cell is not None]
        x = [row + shift for row in rows]
        values, lows, highs = _scaled([cells[row] for row in rows], table.columns[2].kind)
        style: dict[str, Any] = _style(number) | {"ls": "none"}
        above.plot(x, values, label=shortened(name), **style)
        above.vlines(x, lows, highs, color=style["color"], lw=1.2)
    _legend(figure, above)
    return figure


def score_by_training_size(table: Table) -> Figure:
    """A line through the means of each system over training instances, which double from step to step; all runs.

    Rows: name (of several rows each), training instances, share, runs, mean, deviation, each run.
    """
    from matplotlib.ticker import NullLocator

    readers = _by_name(table)
    figure = figure_of(3.4 + 0.2 * len(readers))
    axes = figure.subplots()
    kind = table.columns[4].kind
    for number, (name, own) in enumerate(readers.items()):
        style = _style(number)
        for row in own:
            runs, _, _ = _scaled([cell for cell in row[6:] if cell is not None], kind)
            axes.plot([amount(row[1])] * len(runs), runs, "o", ms=4.5, color=style["color"], alpha=0.5, mew=0)
        means, _, _ = _scaled([row[4] for row in own], kind)
        axes.plot([amount(row[1]) for row in own], means, label=shortened(name), **style)
    axes.set_xscale("log", base=2)
    axes.set_xticks(_with_room(sorted({amount(row[1]) for row in table.rows})))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.xaxis.set_minor_locator(NullLocator())
    unit = " (%)" if kind == "percent" else ""
    axes.set(xlabel="training instances", ylabel=f"{table.columns[4].name}{unit}")
    axes.margins(x=0.08, y=0.12)
    axes.grid()
    _legend(figure, axes)
    return figure


def accuracy_with_intervals(table: Table) -> Figure:
    """A point and its interval for each row, the first row at the top: name, …, the first column of percent."""
    return _forest(table, {"percent": " (%)", "fraction": ""})


def difference_with_intervals(table: Table) -> Figure:
    """A point and its interval for each row; a line at zero. Rows: name, …, the first column of differences."""
    figure = _forest(table, {"difference": " (percentage points)", "gain": ""})
    figure.axes[0].axvline(0, color=INK, lw=1, zorder=1)
    return figure


def left_after_each_rule(table: Table) -> Figure:
    """A bar for each row, the first at the top: what the column `left` says."""
    place = next(number for number, column in enumerate(table.columns) if column.name == "left")
    figure, axes = _rows(table)
    axes.barh(
        range(len(table.rows)), [amount(row[place]) for row in table.rows], height=0.7, color=HUES[0], lw=0
    )
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel(table.columns[place].name)
    return figure


def figure_of(height: float) -> Figure:
    """An empty figure of that height in inches, as wide as all are."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    FigureCanvasSVG(figure)
    return figure


def _over_instances(table: Table) -> tuple[Figure, Axes]:
    """A picture with the bars of instances beneath, and the still empty axes above them."""
    legend_lines = (len(table.columns) - 1) // 2
    figure = figure_of(4.1 + 0.2 * legend_lines)
    above, beneath = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    places = range(len(table.rows))
    beneath.bar(places, [amount(row[1]) for row in table.rows], width=0.7, color=INK, alpha=0.3, lw=0)
    beneath.set_ylabel(table.columns[1].name)
    beneath.yaxis.set_major_formatter("{x:,.0f}")
    beneath.locator_params(axis="y", nbins=3, integer=True)
    name = table.caption.partition(" by ")[0]
    if table.columns[2].kind == "percent":
        above.set(ylabel=f"{name[:1].lower()}{name[1:]} (%)", ylim=(-3, 103), yticks=range(0, 101, 20))
    else:
        above.set_ylabel(name)
    for axes in (above, beneath):
        axes.grid(axis="y")
    labels = [shortened(_label(row[0])) for row in table.rows]
    beneath.set_xticks(places, labels)
    if max(map(len, labels), default=0) + 1 > LETTERS_BESIDE / max(1, len(labels)):
        beneath.tick_params(axis="x", labelrotation=30)
        for tick in beneath.get_xticklabels():
            tick.set_ha("right")
    beneath.set_xlabel(shortened(table.columns[0].name))
    return figure, above


def _forest(table: Table, units: Mapping[Kind, str]) -> Figure:
    """units: the kinds of columns that it can show, and what stands behind their names."""
    place = next(number for number, column in enumerate(table.columns) if column.kind in units)
    column = table.columns[place]
    figure, axes = _rows(table)
    for number, row in enumerate(table.rows):
        if row[place] is not None:
            values, lows, highs = _scaled([row[place]], column.kind)
            axes.hlines([number], lows, highs, color=HUES[0], lw=1.6)
            axes.plot(values, [number], "o", ms=6, color=HUES[0])
    axes.set_xlabel(shortened(column.name) + units[column.kind])
    return figure


def _rows(table: Table) -> tuple[Figure, Axes]:
    """Empty axes with the names of the table's rows, the first at the top."""
    names = [in_two_lines(_label(row[0])) for row in table.rows]
    height = 0.45 if any("\n" in name for name in names) else 0.34
    figure = figure_of(0.75 + height * max(1, len(names)))
    axes = figure.subplots()
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(1, len(table.rows)) - 0.5, -0.5)
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return figure, axes


def _with_room(sizes: list[float]) -> list[float]:
    """The sizes whose labels have room beside the one before, on an axis that doubles from step to step."""
    shown: list[float] = []
    for size in sizes:
        if not shown or size >= 1.25 * shown[-1]:
            shown.append(size)
    return shown


def _legend(figure: Figure, axes: Axes) -> None:
    """The systems' names above the picture, in as many columns as fit."""
    handles, names = axes.get_legend_handles_labels()
    for columns in range(min(5, len(names)), 0, -1):
        legend = figure.legend(handles, names, loc="outside upper left", ncols=columns, handlelength=2.6)
        if columns == 1 or legend.get_window_extent().width <= figure.bbox.width:
            break
        legend.remove()


def _by_name(table: Table) -> dict[str, list[tuple[Cell, ...]]]:
    """The rows of each name, in order."""
    found: dict[str, list[tuple[Cell, ...]]] = {}
    for row in table.rows:
        found.setdefault(_label(row[0]), []).append(row)
    return found


def _systems(table: Table) -> list[tuple[int, str, list[Cell]]]:
    """Number, name and cells of each system: the columns after group and instances."""
    columns = enumerate(table.columns[2:])
    return [(number, column.name, [row[number + 2] for row in table.rows]) for number, column in columns]


def _unbroken(cells: list[Cell]) -> list[list[int]]:
    """Rows with a value, in unbroken stretches: a line does not cross a group without instances."""
    stretches: list[list[int]] = []
    for row, cell in enumerate(cells):
        if cell is None:
            continue
        if stretches and stretches[-1][-1] == row - 1:
            stretches[-1].append(row)
        else:
            stretches.append([row])
    return stretches


def _scaled(cells: list[Cell], kind: Kind = "percent") -> tuple[list[float], list[float], list[float]]:
    """Values, lower and upper ends; those of shares in percent."""
    estimates = [cell if isinstance(cell, Estimate) else [amount(cell)] * 3 for cell in cells]
    by = 100 if kind in ("percent", "difference") else 1
    values, lows, highs = ([by * estimate[place] for estimate in estimates] for place in range(3))
    return values, lows, highs


def amount(cell: Cell) -> float:
    """A number as it is, anything else as nothing."""
    return float(cell) if isinstance(cell, int | float) else 0.0


def _label(cell: Cell) -> str:
    return "" if cell is None else str(cell)


def in_two_lines(name: str) -> str:
    """A long name of several words (a pair of systems) broken once, near its middle."""
    words = name.split()
    if len(name) <= LETTERS_IN_A_LINE or len(words) == 1:
        return shortened(name)
    lines = ((" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words)))
    first, second = min(lines, key=lambda pair: max(map(len, pair)))
    return f"{shortened(first)}\n{shortened(second)}"


def shortened(name: str) -> str:
    """A long name without its middle: systems of one family differ at the ends."""
    name = " ".join(name.split())
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME // 2]}…{name[-(LONGEST_NAME // 2 - 1) :]}"


def _style(number: int) -> dict[str, Any]:
    return {
        "color": HUES[number % len(HUES)],
        "marker": MARKS[number % len(MARKS)],
        "ls": DASHES[(number + number // len(HUES)) % len(DASHES)],
        "lw": 1.6,
        "ms": 5,
    }
