"""Measured values as cells and columns of a report: values with intervals, and their spread over runs."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.evaluation.intervals import Estimate as Measured
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.run_measurements import Measured as MeasuredRuns
from anagnosis.reports.report import Cell, Column, Estimate, Kind

SPREAD_COLUMNS = (Column("runs", "count"), Column("deviation (points)", "percent"))


def shown(measured: Measured) -> Estimate:
    """A measured value and its interval as a report shows them."""
    return Estimate(measured.value, measured.interval.low, measured.interval.high)


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


def spread_cells(values: Sequence[MeasuredRuns]) -> list[tuple[Cell, Cell]]:
    """For SPREAD_COLUMNS: (runs, deviation of their values) of each system; empty where all have one run."""
    if all(value.deviation is None for value in values):
        return [(None, None)] * len(values)
    return [(len(value.runs), value.deviation) for value in values]
