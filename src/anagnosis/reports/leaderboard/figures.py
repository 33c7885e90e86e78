"""Figures of a board as its pages write them, and the small pictures beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.leaderboard.board import Figure
from anagnosis.reports.renderers.numbers import cell_text
from anagnosis.reports.report import Estimate, Kind
from anagnosis.reports.systems.measured import cell_kind

BAR = 120  # units of the picture of a value and its interval
_EDGE = 6


@dataclass(frozen=True, slots=True)
class Shown:
    """A figure as text. value: without its interval; interval: `55.26 to 57.72`."""

    value: str
    interval: str
    n: str


@dataclass(frozen=True, slots=True)
class Bar:
    """Where a value and the ends of its interval lie in a picture of BAR units. beyond: "low" or "high" where the value
    lies off that end of the scale, else empty."""

    low: float
    value: float
    high: float
    beyond: str = ""


def heading(measure: str) -> str:
    """A measure with its unit, as the head of a column."""
    found = named(measure)
    return f"{found.heading} (%)" if found.unit == "percent" else found.heading


def shown(figure: Figure | None, measure: str) -> Shown | None:
    """The figure by that measure; None for none."""
    return None if figure is None else _written(figure, cell_kind(named(measure)))


def difference(figure: Figure, measure: str) -> Shown:
    """A difference of two figures by that measure."""
    return _written(figure, "difference" if named(measure).unit == "percent" else "gain")


def _written(figure: Figure, kind: Kind) -> Shown:
    value, low, high = (cell_text(number, kind) for number in (figure.value, figure.low, figure.high))
    return Shown(value, f"{low} to {high}", f"{figure.n:,}")


def bars(
    figures: Sequence[Figure], measure: str, beside: Sequence[Figure] = ()
) -> tuple[list[Bar], list[Bar]]:
    """All on one scale, from the lowest to the highest end of `figures`, or of `beside` where there are none.

    A figure of `beside` may lie off that scale, which would otherwise leave no room to tell the others apart.
    """
    low, high = span(figures or beside, named(measure))
    width = (BAR - 2 * _EDGE) / (high - low)

    def drawn(each: Figure) -> Bar:
        ends = (each.low, each.value, each.high)
        beyond = "low" if each.value < low else "high" if each.value > high else ""
        places = (round(_EDGE + width * (min(max(end, low), high) - low), 1) for end in ends)
        return Bar(*places, beyond=beyond)

    return [drawn(each) for each in figures], [drawn(each) for each in beside]


def span(figures: Iterable[Figure], measure: Measure) -> tuple[float, float]:
    """The lowest and the highest end of intervals, at least a tenth of the measure's range apart."""
    ends = [end for each in figures for end in (each.low, each.high)] or [measure.lowest, measure.highest]
    low, high = min(ends), max(ends)
    least = 0.1 * (measure.highest - measure.lowest)
    if not least < float("inf"):
        least = 1.0
    if high - low < least:
        middle = (low + high) / 2
        low, high = middle - least / 2, middle + least / 2
    return low, high


def estimate(figure: Figure | None) -> Estimate | None:
    """The figure as a cell of a report."""
    return None if figure is None else Estimate(figure.value, figure.low, figure.high)
