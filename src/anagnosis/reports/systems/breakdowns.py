"""Scores by group of instances: BIOMRC's Figure 3, and other breakdowns, as plots and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.evaluation.breakdown import LEAST, Breakdown
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.scoring import Score
from anagnosis.reports.report import Block, Cell, Column, Plot, Table, Text
from anagnosis.reports.systems.measured import cell_kind, shown
from anagnosis.reports.systems.systems import LINES, Row, measures_of

ORDERED = ("candidates", "passage tokens")  # factors whose groups have an order, so that a line may join them
_JOINED = f"Neighbouring groups are joined until each has {LEAST} instances."

FACTORS = {
    "candidates": "number of candidates",
    "entity type": "type of the answer",
    "passage tokens": "length of the passage",
    "familiarity": "whether training knew the answer",
    "skills": "skill that the question requires",
}


def breakdown_blocks(rows: Sequence[Row], split: str) -> Iterator[Block]:
    """A picture for each factor by the first measure, several where there are many systems, and tables by the others.

    A factor of one group gets a line of text.
    """
    scored = [(row.name, row.scores[split]) for row in rows if split in row.scores]
    factors = scored[0][1].breakdowns if scored else ()
    first, *others = measures_of(rows)
    for place, factor in enumerate(factors):
        for start in range(0, len(scored) if len(factor.slices) > 1 else 0, LINES):
            some = scored[start : start + LINES]
            part = f", systems {start + 1} to {start + len(some)}" if len(scored) > LINES else ""
            title = _title(first, factor.factor) + part
            yield Plot(
                title,
                _described(factor.factor, split),
                "accuracy_by_candidates" if factor.factor in ORDERED else "accuracy_by_group",
                _grouped(first, place, some, f"{title}, the numbers", supports=False),
            )
    yield from (Text(_one_group(first, factor), "note") for factor in factors if len(factor.slices) == 1)
    for measure in others:
        for place, factor in enumerate(factors):
            if factor.slices and any(measure.name in own.measures for own in factor.slices):
                yield _grouped(measure, place, scored, f"{measure.heading} by {factor.factor} on {split}")


def _title(measure: Measure, factor: str) -> str:
    return f"{measure.heading} by {FACTORS.get(factor, factor)}"


def _described(factor: str, split: str) -> str:
    """What a picture of a factor shows, and how its groups came about."""
    shown = f"On {split}, with 95 % intervals by instance, and how many instances each group has."
    return f"{shown} {_JOINED}" if factor in ORDERED else shown


def _one_group(measure: Measure, factor: Breakdown) -> str:
    (group,) = factor.slices
    joined = f" {_JOINED}" if factor.factor in ORDERED else ""
    title = _title(measure, factor.factor)
    return f"{title}: no picture, since all {group.n:,} instances are in one group, {group.label}.{joined}"


def _grouped(
    measure: Measure, place: int, scored: Sequence[tuple[str, Score]], caption: str, *, supports: bool = True
) -> Table:
    """Group, instances that the measure judges, and a column for each system; all have the same groups. supports: of
    labels how often each is right, too."""
    factor = scored[0][1].breakdowns[place]
    labels = tuple(factor.slices[0].support) if supports else ()
    rows: list[tuple[Cell, ...]] = []
    for number, group in enumerate(factor.slices):
        slices = [score.breakdowns[place].slices[number] for _, score in scored]
        values = [shown(each.measures.get(measure.name)) for each in slices]
        judged = next((each.measures[measure.name].n for each in slices if measure.name in each.measures), 0)
        rows.append((group.label, judged, *(group.support[label] for label in labels), *values))
    return Table(
        caption,
        (
            Column(factor.factor),
            Column("instances", "count"),
            *(Column(label, "count") for label in labels),
            *(Column(name, cell_kind(measure)) for name, _ in scored),
        ),
        tuple(rows),
        ("With 95 % intervals by instance.",) if supports else (),
        tuple(dict.fromkeys(score.measures[measure.name].signature for _, score in scored)),
    )
