"""Groups beside groups and systems: the sentences, and what stands in which column and unit."""

from __future__ import annotations

import pytest
from tests.reports.systems.people.blocks import (
    check_every_format,
    column,
    columns,
    headings,
    plot,
    sentences,
    table,
    texts,
)
from tests.tested_pairs import compared, group_pair, over

from anagnosis.evaluation.differences.power import Detectable
from anagnosis.evaluation.people.comparisons import GroupComparison, words
from anagnosis.reports.report import Block, Estimate
from anagnosis.reports.systems.people.comparisons import comparison_blocks

PICTURE = "Differences between groups and systems"
BETTER = group_pair("better", (2, 3))
LEFT_OPEN = group_pair("tied", (1, 0), first="lay", second="net", detectable=None)
SAME = group_pair(
    "identical", (1, 1), first="lay", second="net (2)", detectable=Detectable(None, 9, 0, 0.05, 0.8)
)


def blocks(*comparisons: GroupComparison) -> list[Block]:
    return [*comparison_blocks(comparisons)]


@pytest.fixture(scope="module")
def found() -> list[Block]:
    return blocks(compared(BETTER, LEFT_OPEN, SAME, alpha=0.03))


def test_nothing_is_said_where_nothing_is_compared() -> None:
    assert blocks() == []


def test_each_pair_has_a_number_and_its_sentence(found: list[Block]) -> None:
    comparison = compared(BETTER, LEFT_OPEN, SAME, alpha=0.03)
    said = [f"{words(pair, comparison)}." for pair in comparison.pairs]
    assert sentences(found) == [*zip(("1", "2", "3"), said, strict=True)]
    assert (
        said[0]
        == "experts over lay: better, for other people and other questions too (2 people and 3 people)."
    )


def test_the_tests_stand_in_their_columns_and_two_that_are_the_same_are_not_different(
    found: list[Block],
) -> None:
    own = table(found, "Pairs by accuracy")
    assert columns(own) == [
        ("pair", "text"),
        ("first (%)", "percent"),
        ("second (%)", "percent"),
        ("difference", "difference"),
        ("p, these people", "p"),
        ("p, other people", "p"),
        ("Holm, decides", "p"),
        ("verdict", "text"),
    ]
    shown = (0.85, 0.7, Estimate(0.15, 0.04, 0.26))
    assert own.rows == (
        ("experts over lay", *shown, 0.021, 0.034, 0.045, "better"),
        ("lay over net", *shown, 0.021, None, 0.068, "not different"),
        ("lay over net (2)", *shown, 0.021, None, 0.068, "not different"),
    )
    assert own.signatures == ("signed|measure:accuracy",)


def test_the_note_says_how_many_pairs_are_corrected_for_and_at_which_level(found: list[Block]) -> None:
    (note,) = table(found, "Pairs by accuracy").notes
    assert note.endswith(
        "Holm, decides: the larger of both, corrected for all 3 pairs of this table, at 0.03."
    )
    (two,) = table(blocks(compared(BETTER, SAME)), "Pairs by accuracy").notes
    assert "all 2 pairs" in two
    (alone,) = table(blocks(compared(BETTER)), "Pairs by accuracy").notes
    assert alone.endswith("corrected for the one pair of this table, at 0.05.")


def test_the_smallest_difference_is_that_of_these_and_of_other_people(found: list[Block]) -> None:
    own = table(found, "The smallest detectable difference of accuracy")
    assert columns(own)[1:] == [
        ("questions", "count"),
        ("documents", "count"),
        ("people of each", "text"),
        ("these people (points)", "percent"),
        ("other people (points)", "percent"),
    ]
    assert own.rows == (
        ("experts over lay", 30, 20, "2 and 3", 0.217, 0.1234),
        ("lay over net", 30, 20, "1 and a system", None, None),
        ("lay over net (2)", 30, 20, "1 and 1", None, None),
    )


def test_the_picture_is_of_the_first_measure_alone_and_has_its_unit() -> None:
    found = blocks(
        compared(BETTER, measure="bleu-2"), compared(BETTER, SAME), compared(LEFT_OPEN, measure="f1")
    )
    assert headings(found) == [
        ("Groups and systems compared", 2),
        ("By BLEU-2", 3),
        ("By accuracy", 3),
        ("By F1", 3),
    ]
    picture = plot(found, PICTURE)
    assert picture.description.startswith(
        "Difference of BLEU-2, 95 % intervals by paired bootstrap of documents;"
    )
    assert columns(picture.data) == [("pair", "text"), ("difference", "gain")]
    assert picture.data.rows == (("experts over lay", Estimate(0.15, 0.04, 0.26)),)
    assert headings(blocks(compared(BETTER))) == [("Groups and systems compared", 2)]
    accuracy = plot(blocks(compared(BETTER)), PICTURE)
    assert accuracy.description.startswith("Difference of accuracy in percentage points, 95 %")
    assert columns(accuracy.data)[1] == ("difference", "difference")
    assert accuracy.repeated


def test_a_measure_that_is_no_percentage_has_fractions_and_no_points() -> None:
    found = blocks(compared(BETTER, measure="bleu-2"))
    assert columns(table(found, "Pairs by BLEU-2"))[1:4] == [
        ("first", "fraction"),
        ("second", "fraction"),
        ("difference", "gain"),
    ]
    assert columns(table(found, "The smallest detectable difference of BLEU-2"))[4:] == [
        ("these people", "fraction"),
        ("other people", "fraction"),
    ]


def test_pairs_without_a_question_in_common_are_named_and_have_no_table() -> None:
    apart = (("a", "b"), ("a", "c"))
    found = blocks(compared(not_compared=apart), compared(BETTER, measure="f1", not_compared=apart[:1]))
    said = "Without a question in common that {} can judge: {}."
    assert texts(found) == [
        (said.format("accuracy", "a and b; a and c"), "note"),
        (said.format("F1", "a and b"), "note"),
    ]
    assert table(found, "Pairs by F1")
    with pytest.raises(ValueError, match="not enough values"):
        table(found, "Pairs by accuracy")


def test_one_person_beside_runs_of_a_system_is_told_apart_from_people_beside_it() -> None:
    notes = {
        people: table(
            blocks(compared(BETTER, group_pair("tied", people, over_runs=over((1, 3))))), "Pairs by accuracy"
        ).notes
        for people in ((1, 0), (0, 1), (2, 0), (1, 2))
    }
    assert [len(own) for own in notes.values()] == [2, 2, 1, 1]
    assert notes[1, 0][1].endswith("over other runs of the system, and nothing is known of other people.")


def test_every_format_shows_it(found: list[Block]) -> None:
    check_every_format(found, "experts over lay: better, for other people and other questions too")
    rows = column(table(found, "Pairs by accuracy"), "verdict")
    assert rows == ["better", "not different", "not different"]
