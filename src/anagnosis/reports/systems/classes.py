"""Predictions of a few fixed labels as tables: macro-F1 beside accuracy, each class, and the confusion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.evaluation.classes import Classes, ClassScore, MacroDifference, Majority
from anagnosis.evaluation.comparison import Comparison
from anagnosis.reports.report import Block, Cell, Column, Estimate, Heading, Table, Text
from anagnosis.reports.systems.systems import System, shown

OTHER = "no label"


def class_blocks(rows: Sequence[System], split: str, *, unit: str) -> Iterator[Block]:
    """Accuracy and macro-F1, then each class and the confusion of each system that has answers for the split."""
    here = [(row, row.scores[split]) for row in rows if split in row.scores]
    scored = [(row, score, own) for row, score in here if (own := score.classes)]
    if not scored:
        return
    yield Heading("Class by class")
    counts = "count" if all(len(own.of_runs) == 1 for _, _, own in scored) else "number"
    signatures = tuple(dict.fromkeys(score.signature for _, score, _ in scored))
    level = _majority(scored[0][2])
    yield Table(
        f"Accuracy and macro-F1 on {split}",
        (
            Column("system"),
            Column("accuracy (%)", "percent", "high"),
            Column("macro-F1 (%)", "percent", "high"),
        ),
        (
            *(
                (row.name, shown(score.by_document if unit == "document" else score.estimate), _macro(own))
                for row, score, own in scored
            ),
            (named(level), level.accuracy, level.macro_f1),
        ),
        (
            "Macro-F1: the mean of the labels' F1, with a 95 % interval by questions drawn anew.",
            majority_note(level, [(row.name, score.estimate.value) for row, score, _ in scored]),
        ),
        signatures,
    )
    yield Table(
        f"Each class on {split}",
        (
            Column("system"),
            Column("label"),
            Column("questions", "count"),
            Column("answered", counts),
            Column("precision", "percent"),
            Column("recall", "percent"),
            Column("F1", "percent"),
        ),
        tuple(
            (row.name, each.label, each.support, each.answered, each.precision, each.recall, _f1(each))
            for row, _, own in scored
            for each in own.scores
        ),
    )
    labels = [each.label for each in scored[0][2].scores]
    yield Table(
        f"What was answered on {split}, by the right label",
        (Column("system"), Column("right label"), *(Column(name, counts) for name in (*labels, OTHER))),
        tuple((row.name, label, *answers) for row, _, own in scored for label, answers in own.confusion),
        (f"{OTHER}: unanswered, or another word.",),
    )
    for row, _, own in scored:
        if own.strays:
            told = ", ".join(f"{text!r} {count:,}" for text, count in list(own.strays.items())[:5])
            what = (
                f"{row.name} answers what is no label: {told}. Each such word counts as a class of its own."
            )
            yield Text(what, "warning")


def named(level: Majority) -> str:
    return f"majority ({level.label})"


def majority_note(level: Majority, accuracies: Sequence[tuple[str, float]]) -> str:
    """accuracies: (name, accuracy) of each system beside it."""
    low = ", ".join(name for name, accuracy in accuracies if accuracy <= level.accuracy)
    return (
        f"{named(level)}: the commonest label here for every question. "
        f"Not above it in accuracy: {low or 'no system'}."
    )


def _majority(own: Classes) -> Majority:
    return Majority.of({each.label: each.support for each in own.scores if each.label not in own.strays})


def macro_table(comparison: Comparison) -> Iterator[Table]:
    """Macro-F1 of the pairs that were tested, where there is one."""
    if not comparison.macro:
        return
    over_runs = any(pair.over_runs for pair in comparison.macro)
    columns = (
        Column("pair"),
        Column("difference of macro-F1", "difference"),
        Column("p, two-tailed", "p"),
        *((Column("p, over runs", "p"),) if over_runs else ()),
        Column("Holm", "p"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            f"{pair.first} – {pair.second}",
            _difference(pair),
            pair.p_two_tailed,
            *((pair.over_runs.p if pair.over_runs else None,) if over_runs else ()),
            pair.holm,
        )
        for pair in comparison.macro
    ]
    which = "the larger p-value, " if over_runs else ""
    note = (
        f"By paired bootstrap of questions; the ranking is by accuracy. Holm: {which}corrected for all "
        f"{comparison.family} pairs of the ranking."
    )
    yield Table("Macro-F1 of the same pairs", columns, tuple(rows), (note,), (comparison.signature,))


def macro_breakdowns(rows: Sequence[System], split: str) -> Iterator[Table]:
    """Macro-F1 of the groups of questions that were named, a column for each system."""
    scored = [(row.name, row.scores[split]) for row in rows if split in row.scores]
    for place, factor in enumerate(scored[0][1].breakdowns if scored else ()):
        known = [score for _, score in scored if all(own.support for own in score.breakdowns[place].slices)]
        if not known or not factor.slices:
            continue
        labels = [each.label for each in known[0].classes.scores] if known[0].classes else []
        cells: list[tuple[Cell, ...]] = []
        for number, group in enumerate(factor.slices):
            own = (score.breakdowns[place].slices[number].macro_f1 for _, score in scored)
            cells.append(
                (
                    group.label,
                    group.estimate.n,
                    *known[0].breakdowns[place].slices[number].support,
                    *(shown(value) if value is not None else None for value in own),
                )
            )
        yield Table(
            f"Macro-F1 by {factor.factor} on {split}",
            (
                Column(factor.factor),
                Column("questions", "count"),
                *(Column(label, "count") for label in labels),
                *(Column(f"{name} (%)", "percent") for name, _ in scored),
            ),
            tuple(cells),
            (
                "With 95 % intervals by questions drawn anew. Under fixed labels it is the mean over all three: one "
                "that a group has no question of has an F1 of 0.",
            ),
            tuple(dict.fromkeys(score.signature for _, score in scored)),
        )


def _f1(own: ClassScore) -> Estimate:
    return Estimate(own.f1, own.interval.low, own.interval.high)


def _macro(own: Classes) -> Estimate:
    return Estimate(own.macro_f1, own.interval.low, own.interval.high)


def _difference(pair: MacroDifference) -> Estimate:
    return Estimate(pair.difference, pair.interval.low, pair.interval.high)
