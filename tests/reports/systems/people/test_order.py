"""Over the order: the sentences on trends, their units, and the thirds of each group."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reports.systems.people.blocks import (
    check_every_format,
    columns,
    headings,
    plot,
    sentences,
    table,
    texts,
)
from tests.rows import each_row

from anagnosis.evaluation.intervals import Estimate as Measured
from anagnosis.evaluation.intervals import Interval
from anagnosis.evaluation.people.order import SECONDS, Order, Third, Trend
from anagnosis.evaluation.people.times import Spent
from anagnosis.reports.report import Block, Estimate, Plot
from anagnosis.reports.systems.people.order import order_blocks

ENDS = Interval(0.2, 0.7, 0.95, "by hand")
SAME = "Everybody had the questions in one order, so that what changes over it may be the questions."


def third(
    who: str, first: int, last: int, value: float, *, seconds: float | None = None, measure: str = "accuracy"
) -> Third:
    spent = (
        None
        if seconds is None
        else Spent(4, seconds, seconds + 1, Interval(seconds - 2, seconds + 3, 0.95, ""), 99)
    )
    return Third(who, first, last, last - first + 1, {measure: Measured(value, 4, 4.0, ENDS)}, spent)


THIRDS = (
    third("x (mean of 2)", 1, 3, 0.4, seconds=30),
    third("x (mean of 2)", 4, 7, 0.5, seconds=20),
    third("y", 1, 3, 0.6),
    third("y", 8, 10, 0.7, seconds=9),
)
RISES = Trend("x", "accuracy", 3, 40, 0.0763, Interval(0.02, 0.13, 0.95, ""), 0.001, 0.002, 0.003, 0.004)
SLOWER = replace(RISES, of=SECONDS, change=1.125, interval=Interval(1.05, 1.2, 0.95, ""))


def blocks(
    *trends: Trend,
    thirds: tuple[Third, ...] = THIRDS,
    same: bool = False,
    without: int = 0,
    alpha: float = 0.05,
) -> list[Block]:
    return [*order_blocks(Order(thirds, trends, same, without, alpha), "signed|n:30")]


def test_where_no_line_says_its_place_there_is_nothing() -> None:
    assert [*order_blocks(None, "signed")] == []


def test_one_order_of_everybody_is_a_warning() -> None:
    assert headings(blocks()) == [("Over the order", 2)]
    assert texts(blocks()) == []
    assert texts(blocks(same=True)) == [(SAME, "warning")]


ONE = {"people": 1, "p_others": None}
THESE = replace(RISES, holm=0.0501)
HERE = "these people alone, no trend shown for others"


@each_row(
    ("own", "said", "verdict"),
    [
        (RISES, "accuracy rises by 7.6 points over 10 places", "a trend"),
        (replace(RISES, change=-0.0763), "accuracy falls by 7.6 points over 10 places", "a trend"),
        (replace(RISES, holm=0.05), "accuracy rises by 7.6 points over 10 places", "a trend"),
        (
            replace(RISES, **ONE),
            "accuracy rises by 7.6 points over 10 places; this holds for this person",
            "a trend",
        ),
        (THESE, f"accuracy rises by 7.6 points over 10 places; {HERE}", "no trend shown"),
        (
            replace(THESE, holm_these=0.05),
            f"accuracy rises by 7.6 points over 10 places; {HERE}",
            "no trend shown",
        ),
        (
            replace(THESE, **ONE),
            "accuracy rises by 7.6 points over 10 places; this person alone, no trend shown for others",
            "no trend shown",
        ),
        (replace(THESE, holm_these=0.0501), "no trend shown in accuracy", "no trend shown"),
        (replace(RISES, of="bleu-2"), "BLEU-2 rises by 0.076 over 10 places", "a trend"),
        (replace(RISES, of="bleu-2", change=-0.5), "BLEU-2 falls by 0.500 over 10 places", "a trend"),
        (SLOWER, "slower by 12.5 % over 10 places", "a trend"),
        (replace(SLOWER, change=0.75), "faster by 25.0 % over 10 places", "a trend"),
        (
            replace(SLOWER, change=0.75, holm=0.0501),
            f"faster by 25.0 % over 10 places; {HERE}",
            "no trend shown",
        ),
        (replace(SLOWER, holm_these=0.5, holm=0.5), "no trend shown in time", "no trend shown"),
    ],
)
def test_each_trend_has_its_sentence_and_the_table_the_same_verdict(
    own: Trend, said: str, verdict: str
) -> None:
    found = blocks(own)
    assert sentences(found) == [("x", f"{said}.")]
    of = {"accuracy": "accuracy", "bleu-2": "BLEU-2", SECONDS: "time"}[own.of]
    assert table(found, f"Trend of {of}").rows[0][-1] == verdict


def test_the_tests_of_a_trend_stand_in_their_columns_those_of_seconds_as_percent_more_or_less() -> None:
    found = blocks(RISES, SLOWER, replace(RISES, who="y", **ONE), replace(RISES, of="bleu-2"))
    tests = [("p, these people", "p"), ("p, other people", "p"), ("Holm, decides", "p"), ("verdict", "text")]
    own = table(found, "Trend of accuracy")
    assert columns(own) == [
        ("who", "text"),
        ("answers", "count"),
        ("accuracy, percentage points over 10 places", "difference"),
        *tests,
    ]
    change = Estimate(0.0763, 0.02, 0.13)
    assert own.rows == (
        ("x", 40, change, 0.001, 0.002, 0.004, "a trend"),
        ("y", 40, change, 0.001, None, 0.004, "a trend"),
    )
    assert own.signatures == ("signed|n:30",)
    time = table(found, "Trend of time")
    assert columns(time)[2] == ("time, % over 10 places", "difference")
    assert [time.rows[0][0], time.rows[0][1]] == ["x", 40]
    of = time.rows[0][2]
    assert isinstance(of, Estimate)
    assert (of.value, of.low, of.high) == (0.125, pytest.approx(0.05), pytest.approx(0.2))
    assert columns(table(found, "Trend of BLEU-2"))[2] == ("BLEU-2 over 10 places", "gain")


def test_the_level_is_that_of_the_record() -> None:
    found = blocks(RISES, alpha=0.002)
    assert sentences(found) == [("x", "no trend shown in accuracy.")]
    assert table(found, "Trend of accuracy").rows[0][-1] == "no trend shown"


def test_thirds_stand_by_group_and_answers_without_a_place_are_counted() -> None:
    own = table(blocks(without=1234), "By place in the order")
    assert columns(own) == [
        ("who", "text"),
        ("places", "text"),
        ("answers", "count"),
        ("accuracy (%)", "percent"),
        ("median time", "seconds"),
        ("mean time", "seconds"),
    ]
    assert own.rows == (
        ("x (mean of 2)", "1–3", 3, Estimate(0.4, 0.2, 0.7), 30, Estimate(31, 28, 33)),
        ("x (mean of 2)", "4–7", 4, Estimate(0.5, 0.2, 0.7), 20, Estimate(21, 18, 23)),
        ("y", "1–3", 3, Estimate(0.6, 0.2, 0.7), None, None),
        ("y", "8–10", 3, Estimate(0.7, 0.2, 0.7), 9, Estimate(10, 7, 12)),
    )
    assert own.zones == (2,)
    assert own.signatures == ("signed|n:30",)
    assert own.notes[1:] == ("Answers whose lines do not say their place: 1,234.",)
    assert len(table(blocks(), "By place in the order").notes) == 1
    assert {column.best for column in own.columns} == {""}


def test_a_picture_has_a_row_for_the_places_and_a_line_for_the_group_also_where_one_is_empty() -> None:
    found = blocks()
    accuracy = plot(found, "Accuracy by place in the order")
    assert columns(accuracy.data) == [
        ("place in the order", "text"),
        ("answers", "count"),
        ("x (mean of 2)", "percent"),
        ("y", "percent"),
    ]
    assert accuracy.data.rows == (
        ("1–3", 6, Estimate(0.4, 0.2, 0.7), Estimate(0.6, 0.2, 0.7)),
        ("4–7", 4, Estimate(0.5, 0.2, 0.7), None),
        ("8–10", 3, None, Estimate(0.7, 0.2, 0.7)),
    )
    time = plot(found, "Mean seconds by place in the order")
    assert columns(time.data)[2:] == [("x (mean of 2)", "seconds"), ("y", "seconds")]
    assert [row[2:] for row in time.data.rows] == [
        (Estimate(31, 28, 33), None),
        (Estimate(21, 18, 23), None),
        (None, Estimate(10, 7, 12)),
    ]
    assert accuracy.repeated
    assert time.repeated


def test_without_seconds_or_a_measure_the_picture_of_it_is_left_out() -> None:
    timeless = tuple(replace(own, spent=None) for own in THIRDS)
    unmeasured = tuple(replace(own, measures={}) for own in THIRDS)
    titles = [
        [block.title for block in blocks(thirds=thirds) if isinstance(block, Plot)]
        for thirds in (timeless, unmeasured)
    ]
    assert titles == [["Accuracy by place in the order"], ["Mean seconds by place in the order"]]
    fractions = blocks(thirds=(third("a", 1, 2, 0.5, measure="bleu-2"),))
    assert columns(plot(fractions, "BLEU-2 by place in the order").data)[2] == ("a", "fraction")
    assert columns(table(fractions, "By place in the order"))[3] == ("BLEU-2", "fraction")


def test_every_format_shows_it() -> None:
    check_every_format(blocks(RISES, SLOWER, same=True), "accuracy rises by 7.6 points over 10 places", SAME)
