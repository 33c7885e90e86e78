"""Measured values as cells and columns of a report: values with intervals, and their spread over runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from anagnosis.evaluation.intervals import LEAST_FOR_LABELS, Interval
from anagnosis.evaluation.intervals import Estimate as Measured
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.tested_pairs import Pair
from anagnosis.reports.report import Column, ColumnOf, Estimate, Kind, Listing, Plot, listing, table


def shown(measured: Measured | None) -> Estimate | float | None:
    """A measured value and its interval as a report shows them; None of none."""
    return None if measured is None else within(measured.value, measured.interval)


def within(value: float, interval: Interval | None) -> Estimate | float:
    """A value and its interval; the value alone where it has none."""
    return value if interval is None else Estimate(value, interval.low, interval.high)


def method_of(measured: Measured) -> str:
    """How its interval was reckoned."""
    if measured.interval is not None:
        return measured.interval.method
    return f"none: fewer than {LEAST_FOR_LABELS} instances or documents, or no such label"


def cell_kind(measure: Measure) -> Kind:
    """How its values are written."""
    return "percent" if measure.unit == "percent" else "fraction"


def gain_kind(measure: Measure) -> Kind:
    """How differences between its values are written."""
    return "difference" if measure.unit == "percent" else "gain"


def measured_column(measure: Measure, before: str = "") -> Column:
    """A column of its values."""
    unit = " (%)" if measure.unit == "percent" else ""
    best = "high" if measure.higher_is_better else "low"
    return Column(f"{before}{measure.called}{unit}", cell_kind(measure), best)


def spread(measured: Callable[[Any], Measured], records: Iterable[Any]) -> list[ColumnOf]:
    """The columns of runs and of the deviation of their values; none where every record has one run."""
    if all(measured(record).deviation is None for record in records):
        return []
    return [
        ("runs", "count", lambda record: len(measured(record).runs)),
        ("deviation (points)", "percent", lambda record: measured(record).deviation),
    ]


def sentences(said: Iterable[tuple[str, str]]) -> Listing:
    """said: (label, sentence without its full stop)."""
    return listing((label, f"{words}.") for label, words in said)


def difference(pair: Pair) -> Estimate | float:
    """How much the first is above the second, with its interval."""
    return within(pair.difference, pair.interval)


def differences(
    title: str, pairs: Sequence[Pair], measure: Measure, unit: str, *, repeated: bool = False
) -> Plot:
    """unit: what is drawn again for the intervals. repeated: as of `Plot`."""
    points = " in percentage points" if measure.unit == "percent" else ""
    return Plot(
        title,
        f"Difference of {measure.called}{points}, 95 % intervals by paired bootstrap of {unit}s; an interval over the "
        "line at zero leaves it open.",
        "difference_with_intervals",
        table(
            f"{title}, the numbers",
            [("pair", lambda pair: pair.between), ("difference", gain_kind(measure), difference)],
            pairs,
        ),
        repeated=repeated,
    )
