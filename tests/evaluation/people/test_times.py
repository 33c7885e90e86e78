"""Seconds: by hand, and intervals that hold the mean."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from tests.golds import plain
from tests.people import matched

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.people.groups import asked_of, groups_of
from anagnosis.evaluation.people.times import Timing, times
from anagnosis.predictions import Matched
from anagnosis.predictions.prediction import Prediction


def found_of(gold: Gold, own: Sequence[Matched]) -> tuple[Timing, ...]:
    return times(gold, groups_of(own), asked_of(own))


def timing(found: tuple[Timing, ...], who: str) -> Timing:
    (own,) = (each for each in found if each.who == who)
    return own


def timed(
    gold: Gold, who: str, answers: Sequence[tuple[str | None, float | None]], group: str = ""
) -> list[Prediction]:
    ids = gold.ids.between(0, len(answers))
    return [
        Prediction(id, answer, annotator=who, group=group or None, seconds=seconds)
        for id, (answer, seconds) in zip(ids, answers, strict=True)
    ]


def test_median_mean_and_total_by_hand() -> None:
    gold = plain(5)
    ann = [("k0", 10.0), ("k0", 20.0), ("k1", 60.0), (None, 90.0), ("k0", None)]
    bob = [("k0", 1.0), ("k1", 3.0)]
    found = found_of(gold, matched(gold, [*timed(gold, "ann", ann), *timed(gold, "bob", bob)]))
    own = timing(found, "ann")
    assert (own.all.answers, own.all.median, own.all.mean, own.all.total) == (4, 40, 45, 180)
    assert (own.right.mean, own.wrong.mean, own.unanswered.mean) == (15, 60, 90)
    group = timing(found, "people (mean of 2)")
    assert group.all.mean == (45 + 2) / 2
    assert group.all.median == np.median([10, 20, 60, 90, 1, 3])
    assert group.all.total == 184
    assert timing(found, "bob").unanswered is None


def test_times_of_questions_without_a_gold_answer_are_neither_right_nor_wrong() -> None:
    from dataclasses import replace

    gold = plain(3)
    gold = replace(gold, answer=np.array([0, -1, -1], np.int32))
    own = timing(
        found_of(gold, matched(gold, timed(gold, "a", [("k0", 1.0), ("k0", 2.0), (None, 3.0)]))), "a"
    )
    assert own.all.answers == 3
    assert own.right.answers == 1
    assert own.wrong is own.unanswered is None


def test_nobody_s_time_gives_nothing_and_too_few_documents_no_interval() -> None:
    gold = plain(4, per_document=2)
    assert found_of(gold, matched(gold, timed(gold, "a", [("k0", None)]))) == ()
    two = timing(found_of(gold, matched(gold, timed(gold, "a", [("k0", 1.0)] * 4))), "a")
    assert two.all.interval is None


def test_the_interval_of_one_person_is_t_on_the_scale_of_logarithms() -> None:
    from scipy.stats import t

    gold = plain(6)
    seconds = np.array([5.0, 8, 13, 21, 34, 55])
    own = timing(
        found_of(gold, matched(gold, timed(gold, "a", [("k0", float(s)) for s in seconds]))), "a"
    ).all
    by = math.exp(t.ppf(0.975, 5) * seconds.std(ddof=1) / 6**0.5 / seconds.mean())
    assert (own.interval.low, own.interval.high) == pytest.approx((seconds.mean() / by, seconds.mean() * by))


def test_questions_of_one_document_count_once() -> None:
    seconds = [10.0, 10.0, 30.0, 30.0, 50.0, 50.0, 20.0, 20.0]
    apart, together = (
        timing(
            found_of(gold, matched(gold, timed(gold, "a", [("k0", s) for s in seconds]))), "a"
        ).all.interval
        for gold in (plain(8), plain(8, per_document=2))
    )
    assert together.high - together.low > 1.2 * (apart.high - apart.low)
