"""Measured values as cells and columns of a report: values with intervals, and their spread over runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from anagnosis.evaluation.intervals import LEAST_FOR_LABELS, Interval
from anagnosis.evaluation.intervals import Estimate as Measured
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.reports.report import Column, ColumnOf, Estimate, Kind


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
    return Column(f"{before}{measure.called}{unit}", cell_kind(measure), "high")


def signed(numbers: Iterable[tuple[str, str]]) -> list[str]:
    """Each signature once, behind the names of its systems unless all have it. numbers: (system, signature) of each."""
    systems: dict[str, dict[str, None]] = {}
    for name, signature in numbers:
        systems.setdefault(signature, {})[name] = None
    every = {name for own in systems.values() for name in own}
    return [
        signature if len(own) == len(every) else f"{', '.join(own)}: {signature}"
        for signature, own in systems.items()
    ]


def spread(measured: Callable[[Any], Measured], records: Iterable[Any]) -> list[ColumnOf]:
    """The columns of runs and of the deviation of their values; none where no record has several."""
    if all(measured(record).deviation is None for record in records):
        return []
    return [
        ("runs", "count", lambda record: len(measured(record).runs) or None),
        ("deviation (points)", "percent", lambda record: measured(record).deviation),
    ]
