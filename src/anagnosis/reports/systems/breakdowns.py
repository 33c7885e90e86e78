"""Scores by group of instances: BIOMRC's Figure 3, and other breakdowns, as plots and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import starmap

from anagnosis.evaluation.breakdown import CUT_OFF, LEAST
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.scoring import Score
from anagnosis.reports.report import Block, ColumnOf, Plot, Table, Text, table
from anagnosis.reports.systems.measured import cell_kind, shown, signed
from anagnosis.reports.systems.systems import Row, in_parts, measures_of, on_split

ORDERED = "candidates"  # the factor whose groups have an order, so that a line may join them
_JOINED = f"Neighbouring groups are joined until each has {LEAST} instances."
FACTORS = {
    "candidates": "number of candidates",
    "entity type": "type of the answer",
    "familiarity": "whether training knew the answer",
    "skills": "skill that the question requires",
}


def breakdown_blocks(rows: Sequence[Row], split: str) -> Iterator[Block]:
    """A picture for each factor of several groups by the first measure, in parts where systems are many; tables by
    the others."""
    scored = on_split(rows, split)
    factors = scored[0][1].breakdowns if scored else ()
    first, *others = measures_of(rows)
    for place, factor in enumerate(factors):
        title = f"{first.heading} by {FACTORS.get(factor.factor, factor.factor)}"
        joined = f" {_JOINED}" if factor.factor == ORDERED else ""
        what = f"On {split}, with 95 % intervals by instance, and how many instances each group has.{joined}"
        for some, part in in_parts(scored) if len(factor.slices) > 1 else ():
            drawing = "accuracy_by_candidates" if factor.factor == ORDERED else "accuracy_by_group"
            data = _grouped(first, place, some, f"{title}{part}, the numbers", supports=False)
            yield Plot(f"{title}{part}", what, drawing, data)
        if factor.factor.startswith(CUT_OFF) and len(factor.slices) == 1:
            yield Text(
                f"By {factor.factor} all of {split} is of one group: {factor.slices[0].label}.", "note"
            )
    for measure in others:
        for place, factor in enumerate(factors):
            if factor.slices and any(measure.name in own.measures for own in factor.slices):
                yield _grouped(measure, place, scored, f"{measure.heading} by {factor.factor} on {split}")


def _grouped(
    measure: Measure, place: int, scored: Sequence[tuple[str, Score]], caption: str, *, supports: bool = True
) -> Table:
    """Group, instances that the measure judges, a column for each system. supports: how often each label is right."""
    factor = scored[0][1].breakdowns[place]

    def judged(number: int) -> int:
        slices = (score.breakdowns[place].slices[number] for _, score in scored)
        return next((one.measures[measure.name].n for one in slices if measure.name in one.measures), 0)

    def of_label(label: str) -> ColumnOf:
        return label, "count", lambda number: factor.slices[number].support[label]

    def of_system(name: str, score: Score) -> ColumnOf:
        slices = score.breakdowns[place].slices
        return name, cell_kind(measure), lambda number: shown(slices[number].measures.get(measure.name))

    return table(
        caption,
        [
            (factor.factor, lambda number: factor.slices[number].label),
            ("instances", "count", judged),
            *map(of_label, factor.slices[0].support if supports else ()),
            *starmap(of_system, scored),
        ],
        range(len(factor.slices)),
        notes=["With 95 % intervals by instance."] if supports else [],
        signatures=signed((name, score.measures[measure.name].signature) for name, score in scored),
    )
