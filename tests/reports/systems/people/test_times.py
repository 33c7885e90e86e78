"""Seconds: whose stand in which row, and the sentences on right beside wrong answers."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.systems.people.blocks import check_every_format, columns, headings, sentences, table
from tests.rows import each_row

from anagnosis.evaluation.intervals import Interval
from anagnosis.evaluation.people.times import RightAndWrong, Spent, Times, Timing
from anagnosis.reports.report import Block, Estimate, Table
from anagnosis.reports.systems.people.times import mean_time, time_blocks

SECONDS = "Seconds for a question"
RATIOS = "Time of right and of wrong answers"


def spent(median: float, *, interval: bool = True) -> Spent:
    ends = Interval(median - 1, median + 5, 0.95, "by hand") if interval else None
    return Spent(12, median, median + 2, ends, 60 * median)


GROUP = Timing("x (mean of 2)", "x", 2, spent(30), spent(20), spent(40), spent(50))
ANN = Timing("ann", "x", 1, spent(25, interval=False), spent(15), None, None)
BOB = Timing("bob", "x", 1, spent(35), None, spent(45), None)
# Of several people, shown for others too.
SLOWER = RightAndWrong("x", 3, 40, 0, 1.6, Interval(1.2, 2.1, 0.95, "by hand"), 0.001, 0.002, 0.003, 0.004)


def faster(of: RightAndWrong, ratio: float = 0.625) -> RightAndWrong:
    return replace(of, ratio=ratio)


def blocks(
    *ratios: RightAndWrong, timings: tuple[Timing, ...] = (GROUP, ANN, BOB), alpha: float = 0.05
) -> list[Block]:
    return [*time_blocks(Times(timings, ratios, alpha), "signed|n:30")]


def test_where_no_time_is_noted_there_is_nothing() -> None:
    assert [*time_blocks(None, "signed")] == []


def test_groups_stand_above_people_each_with_the_seconds_of_its_answers() -> None:
    own = table(blocks(), SECONDS)
    assert columns(own) == [
        ("who", "text"),
        ("answers", "count"),
        ("median", "seconds"),
        ("mean", "seconds"),
        ("in all", "seconds"),
        ("median, right", "seconds"),
        ("median, wrong", "seconds"),
        ("median, unanswered", "seconds"),
    ]
    assert own.rows == (
        ("x (mean of 2)", 12, 30, Estimate(32, 29, 35), 1800, 20, 40, 50),
        ("ann", 12, 25, 27, 1500, 15, None, None),
        ("bob", 12, 35, Estimate(37, 34, 40), 2100, None, 45, None),
    )
    assert own.signatures == ("signed|n:30",)
    assert own.zones == (1,)


def test_a_line_is_drawn_only_between_groups_and_people() -> None:
    assert table(blocks(timings=(ANN, BOB)), SECONDS).zones == ()
    assert table(blocks(timings=(GROUP,)), SECONDS).zones == ()


def test_a_mean_without_an_interval_stands_alone() -> None:
    assert mean_time(None) is None
    assert mean_time(spent(3, interval=False)) == 5
    assert mean_time(spent(3)) == Estimate(5, 2, 8)


def test_without_right_and_wrong_answers_there_are_no_ratios() -> None:
    found = blocks()
    assert headings(found) == [("Time", 2)]
    assert [block.caption for block in found if isinstance(block, Table)] == [SECONDS]
    assert sentences(found) == []


ALONE = replace(SLOWER, people=1, p_others=None)
THESE = replace(SLOWER, holm=0.0501)
NEITHER = replace(SLOWER, holm_these=0.0501, holm=0.0501)


@each_row(
    ("own", "said", "verdict"),
    [
        (SLOWER, "right answers take longer, 1.60 times as long", "right answers take longer"),
        (faster(SLOWER), "wrong answers take longer, 1.60 times as long", "wrong answers take longer"),
        (
            ALONE,
            "right answers take longer, 1.60 times as long; this holds for this person",
            "right answers take longer",
        ),
        (
            faster(ALONE, 0.5),
            "wrong answers take longer, 2.00 times as long; this holds for this person",
            "wrong answers take longer",
        ),
        (THESE, "right answers of these people take longer; those of others may not", "not different"),
        (
            faster(THESE),
            "wrong answers of these people take longer; those of others may not",
            "not different",
        ),
        (
            replace(THESE, people=1),
            "right answers of this person take longer; those of others may not",
            "not different",
        ),
        (NEITHER, "the time of right and wrong answers is not different", "not different"),
        (
            replace(SLOWER, holm=0.05),
            "right answers take longer, 1.60 times as long",
            "right answers take longer",
        ),
        (
            replace(THESE, holm_these=0.05),
            "right answers of these people take longer; those of others may not",
            "not different",
        ),
    ],
)
def test_each_group_has_its_sentence_and_the_table_the_same_verdict(
    own: RightAndWrong, said: str, verdict: str
) -> None:
    found = blocks(own)
    assert sentences(found) == [("x", f"{said}.")]
    assert table(found, RATIOS).rows[0][-1] == verdict


def test_the_tests_stand_in_their_columns_and_answers_of_no_seconds_are_counted() -> None:
    found = blocks(replace(SLOWER, left_out=2), replace(ALONE, who="y", left_out=3))
    own = table(found, RATIOS)
    assert columns(own) == [
        ("who", "text"),
        ("answers", "count"),
        ("right over wrong", "number"),
        ("p, these people", "p"),
        ("p, other people", "p"),
        ("Holm, decides", "p"),
        ("verdict", "text"),
    ]
    ratio = Estimate(1.6, 1.2, 2.1)
    assert [row[:-1] for row in own.rows] == [
        ("x", 40, ratio, 0.001, 0.002, 0.004),
        ("y", 40, ratio, 0.001, None, 0.004),
    ]
    assert own.notes[1:] == ("Answers of 0 seconds are left out: 5.",)
    assert len(table(blocks(SLOWER), RATIOS).notes) == 1


def test_the_level_is_that_of_the_record() -> None:
    assert "is not different" in sentences(blocks(SLOWER, alpha=0.001))[0][1]


def test_every_format_shows_it() -> None:
    check_every_format(blocks(SLOWER), "right answers take longer, 1.60 times as long", "mean of 2")
