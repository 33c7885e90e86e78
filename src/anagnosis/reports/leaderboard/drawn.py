"""The pictures of a board's pages: each value and its interval as a bar, and the best systems over time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anagnosis.evaluation.measures.measure import named
from anagnosis.leaderboard.board import Board, Figure, Standing
from anagnosis.reports.renderers.picture import draw
from anagnosis.reports.report import Column, Estimate, Plot, Table
from anagnosis.reports.systems.measured import measured_column

BAR = 120  # units of the picture of a value and its interval
_EDGE = 6
_LEAST_DATES = 2  # a plot of one has nothing to show
_STYLE = re.compile(r'style="([^"]*)"')
_FONT = re.compile(r"\bfont: [^;]*;?")  # the page has its own


@dataclass(frozen=True, slots=True)
class Bar:
    """Where a value and the ends of its interval lie in a picture of BAR units. beyond: "low" or "high" where the value
    lies off that end of the scale, else empty."""

    low: float
    value: float
    high: float
    beyond: str = ""


def scale(figures: Sequence[Figure], measure: str) -> Callable[[Figure], Bar]:
    """The bar of a figure, on the scale from the lowest to the highest end of some figures.

    The scale is at least a tenth of the measure's range. A value may lie off it: baselines and people would otherwise
    leave no room to tell systems apart.
    """
    of = named(measure)
    ends = [end for each in figures for end in (each.low, each.high)] or [of.lowest, of.highest]
    least = 0.1 * (of.highest - of.lowest)
    least = least if least < float("inf") else 1.0
    low, high = min(ends), max(ends)
    if high - low < least:
        middle = (low + high) / 2
        low, high = middle - least / 2, middle + least / 2
    width = (BAR - 2 * _EDGE) / (high - low)

    def drawn(figure: Figure) -> Bar:
        beyond = "low" if figure.value < low else "high" if figure.value > high else ""
        inside = (min(max(end, low), high) for end in (figure.low, figure.value, figure.high))
        return Bar(*(round(_EDGE + width * (end - low), 1) for end in inside), beyond=beyond)

    return drawn


def over_time(board: Board, standing: Standing, name: str) -> str:
    """The <svg> element of a standing's systems by date; "" where all have one date. name: of its identifiers.

    The line goes through the systems that were shown to be the best of their time. The page's policy forbids styles of
    a picture, so that they become attributes.
    """
    steps = [(board.system(step.submission).name, step) for step in standing.progress]
    if len({step.date for _, step in steps}) < _LEAST_DATES:
        return ""
    of = named(standing.measure)
    columns = (Column("system"), Column("date"), measured_column(of), Column("best"))
    rows = tuple(
        (called, step.date.isoformat(), estimate(step.figure), "best" if step.best else "")
        for called, step in steps
    )
    title = (
        f"{of.heading} of {len(steps)} systems by date. The line goes through the best system of a date where it was "
        "shown to be better than the best one of the dates before."
    )
    listed = "; ".join(f"{called}, {step.date}" for called, step in steps)
    svg = draw(Plot(title, listed, "best_over_time", Table(f"{of.heading} over time", columns, rows)), name)
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)
    return _STYLE.sub(lambda style: _attributes(style[1]), svg)


def estimate(figure: Figure | None) -> Estimate | None:
    """The figure as a cell of a report."""
    return None if figure is None else Estimate(figure.value, figure.low, figure.high)


def _attributes(style: str) -> str:
    """A style as presentation attributes of an element."""
    pairs = (part.partition(":") for part in _FONT.sub("", style).split(";") if ":" in part)
    return " ".join(f'{key.strip()}="{value.strip()}"' for key, _, value in pairs)
