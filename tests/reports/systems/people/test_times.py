"""Seconds: whose stand in which row."""

from __future__ import annotations

from tests.reports.systems.people.blocks import check_every_format, columns, headings, table

from anagnosis.evaluation.intervals import Interval
from anagnosis.evaluation.people.times import Spent, Times, Timing
from anagnosis.reports.report import Block, Estimate
from anagnosis.reports.systems.people.times import mean_time, time_blocks

SECONDS = "Seconds for a question"


def spent(median: float, *, interval: bool = True) -> Spent:
    ends = Interval(median - 1, median + 5, 0.95, "by hand") if interval else None
    return Spent(12, median, median + 2, ends, 60 * median)


GROUP = Timing("x (mean of 2)", "x", 2, spent(30), spent(20), spent(40), spent(50))
ANN = Timing("ann", "x", 1, spent(25, interval=False), spent(15), None, None)
BOB = Timing("bob", "x", 1, spent(35), None, spent(45), None)


def blocks(timings: tuple[Timing, ...] = (GROUP, ANN, BOB)) -> list[Block]:
    return [*time_blocks(Times(timings), "signed|n:30")]


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


def test_every_format_shows_it() -> None:
    found = blocks()
    assert headings(found) == [("Time", 2)]
    check_every_format(found, "Seconds for a question", "mean of 2")
