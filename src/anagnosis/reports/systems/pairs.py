"""Pairs of systems, or of groups of people, as blocks of a report: sentences, a picture of differences, their cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.tested_pairs import Pair
from anagnosis.reports.report import Column, Estimate, Listing, Plot, Table, item
from anagnosis.reports.systems.measured import gain_kind


def sentences(said: Iterable[tuple[str, str]]) -> Listing:
    """said: (label, sentence without its full stop)."""
    return Listing(tuple(item(label, f"{words}.") for label, words in said))


def difference(pair: Pair) -> Estimate:
    """How much the first is above the second, with its interval."""
    return Estimate(pair.difference, pair.interval.low, pair.interval.high)


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
        Table(
            f"{title}, the numbers",
            (Column("pair"), Column("difference", gain_kind(measure))),
            tuple((pair.between, difference(pair)) for pair in pairs),
        ),
        repeated=repeated,
    )
