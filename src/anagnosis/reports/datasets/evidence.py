"""What scores of sentences are worth, and how systems differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anagnosis.evaluation.highlighting import Difference, Figure, Highlighting
from anagnosis.evaluation.highlighting_breakdown import HighlightingBreakdown
from anagnosis.predictions import Problem
from anagnosis.reports.report import (
    Block,
    Cell,
    Column,
    Estimate,
    Heading,
    Listing,
    Report,
    Table,
)
from anagnosis.reports.systems.systems import UNFIT, problems, unfit

SAYS = {
    "AUC pooled": "the chance that a sentence that holds an answer scores above one that does not, over all sentences",
    "AUC mean": "the same inside each instance, averaged over those that have both kinds",
    "best sentence (%)": "instances whose best sentence holds the answer",
}


def score_report(
    title: str,
    facts: Listing,
    splits: Mapping[str, Sequence[tuple[Highlighting, Mapping[str, Problem], str]]],
    taken_apart: Mapping[str, Mapping[str, Sequence[HighlightingBreakdown]]] | None = None,
) -> Report:
    """splits: split → of each system what it is worth, what did not fit, and the signature.

    taken_apart: split → system → its figures by factor.
    """
    files = [(one.name, split, faults) for split, own in splits.items() for one, faults, _ in own]
    blocks: list[Block] = [Heading("Dataset"), facts, *problems(files)]
    for split, own in splits.items():
        blocks += [Heading(f"On {split}"), _scores(split, own)]
        blocks += _breakdowns(split, (taken_apart or {}).get(split, {}))
    return Report(title, tuple(blocks))


def compare_report(
    title: str,
    facts: Listing,
    scores: Sequence[tuple[Highlighting, Mapping[str, Problem], str]],
    differences: Sequence[Difference],
    split: str,
) -> Report:
    """scores: best first; differences: of each pair, the better first."""
    rows: list[tuple[Cell, ...]] = []
    for one in differences:
        row: list[Cell] = [f"{one.first} − {one.second}"]
        for name, figure in (("pooled", one.pooled), ("mean", one.mean), ("best", one.best)):
            row += [_cell(figure), one.p.get(name), one.holm.get(name)]
        rows.append(tuple(row))
    columns = (
        Column("difference"),
        Column("AUC pooled", "gain"),
        *_P,
        Column("AUC mean", "gain"),
        *_P,
        Column("best sentence (points)", "difference"),
        *_P,
    )
    blocks: list[Block] = [
        Heading("Dataset"),
        facts,
        *problems([(one.name, split, faults) for one, faults, _ in scores]),
        Heading(f"On {split}"),
        _scores(split, scores),
        Heading("Differences"),
        Table(
            "Systems against each other",
            columns,
            tuple(rows),
            (_TESTED.format(len(scores) * (len(scores) - 1) // 2),),
        ),
    ]
    return Report(title, tuple(blocks))


_P = (Column("p", "p"), Column("Holm", "p"))
_TESTED = (
    "Intervals and p (two-tailed) are of the same draws of whole questions; of systems of several runs p is the larger "
    "one of that and of a t-test over runs and questions. Holm: corrected for all {} pairs of the ranking."
)
_APART = "Intervals are of draws of a group's questions alone. Groups without a sentence that is held are left out."


def _scores(split: str, scores: Sequence[tuple[Highlighting, Mapping[str, Problem], str]]) -> Table:
    kinds = ("fraction", "fraction", "percent")
    columns = (
        Column("system"),
        *(Column(name, kind, "high") for name, kind in zip(SAYS, kinds, strict=True)),
        Column("unanswered", "count"),
        UNFIT,
    )
    rows = [
        (
            one.name,
            _cell(one.pooled),
            _cell(one.mean),
            _cell(one.best),
            one.unanswered or None,
            unfit(faults),
        )
        for one, faults, _ in scores
    ]
    first = scores[0][0]
    counted = (
        f"{first.pooled.n:,} sentences, {first.best.n:,} instances with one that is held, of them {first.mean.n:,} "
        f"with both kinds, {first.questions:,} questions; 95 % intervals by bootstrap over questions."
    )
    notes = (counted, *(f"{name}: {says}." for name, says in SAYS.items()))
    return Table(
        f"Sentences that hold the answer, {split}",
        columns,
        tuple(rows),
        notes,
        tuple(dict.fromkeys(line for *_, line in scores)),
    )


def _breakdowns(split: str, found: Mapping[str, Sequence[HighlightingBreakdown]]) -> Iterator[Table]:
    """A table for each factor: its groups, in each the systems."""
    names = list(dict.fromkeys(each.factor for own in found.values() for each in own))
    kinds = ("fraction", "fraction", "percent")
    for factor in names:
        columns = (
            Column(factor),
            Column("instances", "count"),
            Column("system"),
            *(Column(name, kind) for name, kind in zip(SAYS, kinds, strict=True)),
        )
        of = {
            system: {one.label: one for each in own if each.factor == factor for one in each.slices}
            for system, own in found.items()
        }
        labels = dict.fromkeys(label for own in of.values() for label in own)
        rows = tuple(
            (
                label,
                one.instances,
                system,
                *(_cell(figure) for figure in (one.worth.pooled, one.worth.mean, one.worth.best)),
            )
            for label in labels
            for system, own in of.items()
            if (one := own.get(label)) is not None
        )
        yield Table(f"By {factor}, {split}", columns, rows, (_APART,))


def _cell(figure: Figure) -> Cell:
    if figure.value is None:
        return None
    if figure.interval is None:
        return figure.value
    return Estimate(figure.value, figure.interval.low, figure.interval.high)
