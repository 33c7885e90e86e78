"""A study before it starts: what is expected, how many questions it needs, what it shows."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.systems.people.blocks import check_every_format, columns, headings, table, texts

from anagnosis.evaluation.people.study_size import QuestionsNeeded, StudyPlan, StudySize
from anagnosis.reports.systems.people.study_size import report

PLAN = StudyPlan(
    dataset="tiny",
    split="dev",
    questions=300,
    expected={"accuracy": 0.8, "disagreement": 0.21, "scatter": 0.04, "kappa": 0.66, "system": 0.62},
    sources={
        "accuracy": "pilot",
        "disagreement": "pilot",
        "scatter": "given",
        "kappa": "default",
        "system": "default",
    },
    pilot=0,
    correlation=0.341,
    chance=0.128,
    alpha=0.03,
    power=0.8,
    sizes=(
        StudySize(10, 1, 0.24, 0.33, 0.5, None, 0.4, None),
        StudySize(100, 3, 0.05, None, 0.12, 0.19, 0.11, 0.17),
    ),
    needed=(QuestionsNeeded(0.1, 3, None, 301), QuestionsNeeded(0.2, 5, 120, 90)),
)


def test_nobody_was_measured_is_said_first() -> None:
    found = report(PLAN)
    assert found.title == "A study of people on tiny"
    ((text, tone),) = texts(found.blocks)
    assert (
        text
        == "Nobody was measured for this page: it says what a study would show if people were as expected."
    )
    assert tone == "note"
    assert headings(found.blocks) == [
        ("What is expected", 2),
        ("How many questions and people a study needs", 2),
        ("What a study shows", 2),
    ]


def test_expectations_say_where_they_are_from() -> None:
    own = table(report(PLAN).blocks, "Expectations")
    assert columns(own) == [("what", "text"), ("expected (%)", "percent"), ("from", "text")]
    assert [(str(row[0]).partition(":")[0], *row[1:]) for row in own.rows] == [
        ("accuracy of people", 0.8, "pilot"),
        ("questions on which one of two people of a group is right and the other wrong", 0.21, "pilot"),
        ("scatter", 0.04, "--expect"),
        ("kappa of two people", 0.66, "default"),
        ("accuracy of a system", 0.62, "default"),
    ]
    (note,) = own.notes
    assert note == (
        "The answers of two people correlate by 0.34. Two people agree by chance on 12.80 % of the questions, if they "
        "give each answer as often as it is right in dev. dev has 300 questions with a right answer."
    )
    _, note = table(report(replace(PLAN, pilot=4)).blocks, "Expectations").notes
    assert note == "The pilot: 4 people, those of groups of two or more."


def test_the_questions_needed_are_counts_and_a_split_with_too_few_is_named() -> None:
    own = table(report(PLAN).blocks, "Questions that a difference needs")
    assert columns(own) == [
        ("people of each group", "count"),
        ("difference (points)", "percent"),
        ("questions, two groups", "count"),
        ("questions, group and system", "count"),
    ]
    assert own.rows == ((3, 0.1, None, 301), (5, 0.2, 120, 90))
    note, few = own.notes
    assert "Empty: not even 10,000 questions show it" in note
    assert few == "dev has 300 questions, fewer than some rows need."
    for plan in (
        replace(PLAN, questions=301),
        replace(PLAN, needed=(QuestionsNeeded(0.1, 3, None, None),)),
        replace(PLAN, needed=()),
    ):
        assert len(table(report(plan).blocks, "Questions that a difference needs").notes) == 1
    groups = replace(PLAN, needed=(QuestionsNeeded(0.1, 3, 301, 2),))
    assert len(table(report(groups).blocks, "Questions that a difference needs").notes) == 2


def test_what_groups_show_is_in_points_for_these_and_for_other_people() -> None:
    own = table(report(PLAN).blocks, "What two groups show")
    assert columns(own) == [
        ("questions", "count"),
        ("people of each group", "count"),
        ("accuracy, ±", "percent"),
        ("kappa, ±", "number"),
        ("difference, these people", "percent"),
        ("difference, other people", "percent"),
    ]
    assert own.rows == ((10, 1, 0.24, 0.33, 0.5, None), (100, 3, 0.05, None, 0.12, 0.19))
    widths, differences = own.notes
    assert widths.startswith("±: half of a 95 % interval over other questions")
    assert "found four times in five at 0.03," in differences


def test_so_is_what_a_group_shows_beside_a_system() -> None:
    own = table(report(PLAN).blocks, "What a group shows beside a system")
    assert [name for name, _ in columns(own)] == [
        "questions",
        "people of each group",
        "difference, these people",
        "difference, other people",
    ]
    assert own.rows == ((10, 1, 0.4, None), (100, 3, 0.11, 0.17))
    (note,) = own.notes
    assert "found four times in five at 0.03," in note


def test_every_format_shows_it() -> None:
    check_every_format(report(PLAN).blocks, "Nobody was measured for this page", "301")
