"""A study of people before it starts: what it will be able to show, and how many questions and people it needs."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.people.study_size import (
    FEWEST_QUESTIONS,
    MOST_QUESTIONS,
    StudyPlan,
    StudySize,
)
from anagnosis.reports.report import Block, Cell, Column, Heading, Report, Table, Text

_EXPECTED = {
    "accuracy": "accuracy of people",
    "disagreement": "questions on which one of two people of a group is right and the other wrong",
    "scatter": "scatter: the standard deviation of people's accuracies",
    "kappa": "kappa of two people",
    "system": "accuracy of a system",
}
_SOURCES = {"default": "default", "pilot": "pilot", "given": "--expect"}
_NEEDED = (
    "The fewest questions with which agreement calls such a difference of accuracies better at least four times in "
    "five, if it tests this pair alone: these people would show it with other questions, and other people would, too. "
    f"The table begins at {FEWEST_QUESTIONS} questions. Empty: not even {MOST_QUESTIONS:,} questions show it, because "
    "so few people scatter too much, or because it cannot be so large."
)
_SIZE = (Column("questions", "count"), Column("people of each group", "count"))
_FOUND = (Column("difference, these people", "percent"), Column("difference, other people", "percent"))
_WIDTHS = (
    "±: half of a 95 % interval over other questions, of the accuracy of a group in points, and of the kappa of two "
    "people."
)
_DIFFERENCES = (
    "difference: the smallest one, in points, that is found four times in five at {alpha}, if this pair alone is "
    "tested: by the test of these people with other questions, and by the test of other people. Both tests must find a "
    "difference before agreement says better. One person tells nothing of other people. Empty: not even the largest "
    "possible difference is found."
)


def report(plan: StudyPlan) -> Report:
    """The expectations, then both tables."""
    return Report(f"A study of people on {plan.dataset}", tuple(_blocks(plan)))


def _blocks(plan: StudyPlan) -> Iterator[Block]:
    yield Text(
        "Nobody was measured for this page: it says what a study would show if people were as expected.",
        "note",
    )
    yield Heading("What is expected")
    yield _expectations(plan)
    yield Heading("How many questions and people a study needs")
    yield _needed(plan)
    yield Heading("What a study shows")
    yield _groups(plan)
    yield _system(plan)


def _expectations(plan: StudyPlan) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (what, plan.expected[name], _SOURCES[plan.sources[name]]) for name, what in _EXPECTED.items()
    )
    notes = [
        f"The answers of two people correlate by {plan.correlation:.2f}. Two people agree by chance on "
        f"{100 * plan.chance:.2f} % of the questions, if they give each answer as often as it is right in "
        f"{plan.split}. {plan.split} has {plan.questions:,} questions with a right answer."
    ]
    if plan.pilot:
        notes.append(f"The pilot: {plan.pilot} people, those of groups of two or more.")
    columns = (Column("what"), Column("expected (%)", "percent"), Column("from"))
    return Table("Expectations", columns, rows, tuple(notes))


def _needed(plan: StudyPlan) -> Table:
    columns = (
        Column("people of each group", "count"),
        Column("difference (points)", "percent"),
        Column("questions, two groups", "count"),
        Column("questions, group and system", "count"),
    )
    rows = tuple((own.people, own.difference, own.groups, own.system) for own in plan.needed)
    notes = [_NEEDED]
    if any(n > plan.questions for own in plan.needed for n in (own.groups, own.system) if n is not None):
        notes.append(f"{plan.split} has {plan.questions:,} questions, fewer than some rows need.")
    return Table("Questions that a difference needs", columns, rows, tuple(notes))


def _groups(plan: StudyPlan) -> Table:
    columns = (
        *_SIZE,
        Column("accuracy, ±", "percent"),
        Column("kappa, ±", "number"),
        *_FOUND,
    )
    rows = tuple(
        (*_size(own), own.accuracy, own.kappa, own.groups_these, own.groups_others) for own in plan.sizes
    )
    return Table("What two groups show", columns, rows, (_WIDTHS, _DIFFERENCES.format(alpha=plan.alpha)))


def _system(plan: StudyPlan) -> Table:
    rows = tuple((*_size(own), own.system_these, own.system_others) for own in plan.sizes)
    notes = (_DIFFERENCES.format(alpha=plan.alpha),)
    return Table("What a group shows beside a system", (*_SIZE, *_FOUND), rows, notes)


def _size(own: StudySize) -> tuple[Cell, ...]:
    return own.questions, own.people
