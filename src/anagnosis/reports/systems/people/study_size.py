"""A study of people before it starts: what it will be able to show, and how many questions and people it needs."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.people.study_size import MOST_QUESTIONS, StudyPlan, StudySize
from anagnosis.reports.report import Block, Cell, Column, Heading, Report, Table, Text

_SHOWN = (
    "people: of each group. ±: half of a 95 % interval over other questions, of a group's accuracy in points and of "
    "the kappa of two people. The other columns: the smallest true difference, in points, that is shown four times in "
    "five at {alpha}, of two groups and of a group and a system; empty where none is. These: other questions would "
    "show it, too. Others: other people would, too, of whom one person tells nothing. agreement says better only where "
    "both are shown, and asks for more where it tests several pairs."
)
_NEEDED = (
    "people: of each group. The fewest questions with which the difference is shown four times in five, for these "
    f"people and other people. Empty: not even {MOST_QUESTIONS:,} questions show it, as so few people scatter too "
    "much; then ask more people."
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
    yield _sizes(plan)


def _expectations(plan: StudyPlan) -> Table:
    expected = plan.expected
    source = f"the pilot's {plan.pilot} people or --expect" if plan.pilot else "a default or --expect"
    system = expected.accuracy if expected.system is None else expected.system
    rows: tuple[tuple[Cell, ...], ...] = (
        ("accuracy of people", expected.accuracy),
        (
            "questions on which one of two people of a group is right and the other wrong",
            expected.disagreement,
        ),
        ("scatter of people: the standard deviation of their accuracies", expected.scatter),
        ("accuracy of a system", system),
    )
    notes = (
        f"Each is {source}. Two people's answers then correlate by {plan.correlation:.2f}. kappa of two people: "
        f"{expected.kappa:.2f}, with an agreement by chance of {plan.chance:.2f}, as often as each answer is right in "
        f"{plan.split}. {plan.split} has {plan.questions:,} questions with a gold answer.",
    )
    return Table("Expectations", (Column("what"), Column("share (%)", "percent")), rows, notes)


def _needed(plan: StudyPlan) -> Table:
    columns = (
        Column("difference (points)", "percent"),
        Column("people", "count"),
        Column("two groups", "count"),
        Column("a group and a system", "count"),
    )
    rows = tuple((own.difference, own.people, own.groups, own.system) for own in plan.needed)
    most = max((n for own in plan.needed for n in (own.groups, own.system) if n is not None), default=0)
    notes = [_NEEDED]
    if most > plan.questions:
        notes.append(
            f"{plan.split} of {plan.dataset} has {plan.questions:,} questions, fewer than some rows need."
        )
    return Table("Questions that a difference needs", columns, rows, tuple(notes))


def _sizes(plan: StudyPlan) -> Table:
    columns = (
        Column("questions", "count"),
        Column("people", "count"),
        Column("accuracy, ±", "percent"),
        Column("kappa, ±", "number"),
        Column("groups: these", "percent"),
        Column("groups: others", "percent"),
        Column("system: these", "percent"),
        Column("system: others", "percent"),
    )
    notes = (_SHOWN.format(alpha=plan.alpha),)
    return Table("What so many questions and people show", columns, tuple(map(_row, plan.sizes)), notes)


def _row(own: StudySize) -> tuple[Cell, ...]:
    return (
        own.questions,
        own.people,
        own.accuracy,
        own.kappa,
        own.groups_these,
        own.groups_others,
        own.system_these,
        own.system_others,
    )
