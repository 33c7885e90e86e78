"""Over the order: thirds by hand, a planted trend is found, and no trend is called one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golds import plain
from tests.people import Reader, lines, matched, people

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.people.groups import asked_of, groups_of
from anagnosis.evaluation.people.order import SECONDS, Order, Trend, order
from anagnosis.evaluation.people.pooling import measured_people
from anagnosis.predictions import Matched
from anagnosis.predictions.lines import Prediction


def found_of(gold: Gold, own: Sequence[Matched], measures: Sequence[str] = ("accuracy",)) -> Order | None:
    asked = asked_of(own)
    return order(gold, groups_of(own), measured_people(gold, own, measures, "expected", asked), asked)


def trend(found: Order | None, of: str, who: str = "") -> Trend:
    assert found is not None
    (own,) = (each for each in found.trends if each.of == of and (not who or each.who == who))
    return own


def test_thirds_by_hand() -> None:
    gold = plain(7)
    answers = ["k0", "k0", "k1", "k0", None, "k0", "k1"]
    given = [
        Prediction(id, answer, annotator="a", seconds=10.0 * place, place=place)
        for place, (id, answer) in enumerate(zip(gold.ids.between(0, 7), answers, strict=True), 1)
    ]
    found = found_of(gold, matched(gold, given))
    assert found is not None
    assert [(each.first, each.last, each.answers) for each in found.thirds] == [
        (1, 2, 2),
        (3, 5, 3),
        (6, 7, 2),
    ]
    assert [each.measures["accuracy"].value for each in found.thirds] == [1, pytest.approx(1 / 3), 0.5]
    assert [each.spent.median for each in found.thirds if each.spent] == [15, 40, 65]
    assert (found.same_order, found.without_place) == (False, 0)


@given(st.integers(0, 2**32 - 1), st.integers(2, 30))
def test_the_thirds_hold_every_answer_once(seed: int, questions: int) -> None:
    gold = plain(questions)
    found = found_of(gold, people(gold, [Reader("a"), Reader("b", "x")], seed=seed))
    assert found is not None
    for who in ("people", "x"):
        own = [each for each in found.thirds if each.who == who]
        assert sum(each.answers for each in own) == questions
        assert own[0].first == 1
        assert own[-1].last == questions
        assert all(before.last + 1 == after.first for before, after in pairwise(own) if after.first > 1)


def test_people_who_learn_and_get_faster_are_found() -> None:
    gold = plain(60, candidates=4)
    readers = [Reader(f"p{n}", accuracy=0.6, learning=0.008, faster=0.01, spread=0.4) for n in range(8)]
    found = found_of(gold, people(gold, readers, seed=1))
    better, faster = trend(found, "accuracy"), trend(found, SECONDS)
    assert better.holm <= 0.05
    assert faster.holm <= 0.05
    assert better.interval.low < 0.08 < better.interval.high
    assert faster.interval.low < math.exp(-0.1) < faster.interval.high
    assert (better.people, better.answers) == (8, 480)


def test_people_who_do_not_change_show_no_trend() -> None:
    gold = plain(60, candidates=4)
    found = found_of(gold, people(gold, [Reader(f"p{n}", "xy"[n % 2]) for n in range(6)], seed=2))
    assert found is not None
    assert not any(each.holm <= found.alpha for each in found.trends)
    assert len(found.trends) == 2 * 2
    assert all(each.holm >= max(each.p_these, each.p_others or 0) for each in found.trends)


def test_holm_covers_the_groups_of_a_measure() -> None:
    gold = plain(60, candidates=4)
    readers = [Reader(f"p{n}", "xy"[n % 2], learning=0.004, accuracy=0.6) for n in range(10)]
    found = found_of(gold, people(gold, readers, seed=3))
    one, other = (trend(found, "accuracy", group) for group in "xy")
    first, second = sorted((one, other), key=lambda each: each.p_these)
    assert first.holm_these == pytest.approx(min(1, 2 * first.p_these))
    assert second.holm_these == pytest.approx(max(first.holm_these, second.p_these))


def test_one_order_of_everybody_is_said() -> None:
    gold = plain(20)
    alike = lines(gold, [Reader("a"), Reader("b")], seed=1, same_order=True)
    found, apart = (
        found_of(gold, own)
        for own in (matched(gold, alike), people(gold, [Reader("a"), Reader("b")], seed=1))
    )
    assert found is not None
    assert apart is not None
    assert (found.same_order, apart.same_order) == (True, False)
    alone = found_of(gold, people(gold, [Reader("a")], seed=1))
    assert alone is not None
    assert not alone.same_order


def test_hard_questions_that_come_last_for_everybody_are_no_trend_of_many_people() -> None:
    """With one order what looks like tiring is the questions: twenty people who fail alike say no more than one."""
    gold = plain(12)
    failing = {3, 7, 9, 10, 11}
    given = [
        Prediction(id, "k1" if row in failing else "k0", annotator=f"p{n}", place=row + 1)
        for n in range(20)
        for row, id in enumerate(gold.ids.between(0, 12))
    ]
    many, one = (
        trend(found_of(gold, matched(gold, given)), "accuracy"),
        trend(found_of(gold, matched(gold, given[:12])), "accuracy"),
    )
    assert many.change == pytest.approx(one.change)
    assert many.p_these == pytest.approx(one.p_these)
    assert many.p_others == pytest.approx(0)  # everybody is alike: only the questions can tell
    assert many.holm == pytest.approx(one.holm)


def test_without_places_there_is_no_order_and_answers_without_one_are_counted() -> None:
    gold = plain(5)
    ids = gold.ids.between(0, 5)
    assert found_of(gold, matched(gold, [Prediction(id, "k0", annotator="a") for id in ids])) is None
    some = [Prediction(id, "k0", annotator="a", place=place or None) for place, id in enumerate(ids)]
    found = found_of(gold, matched(gold, some))
    assert found is not None
    assert found.without_place == 1
    assert sum(each.answers for each in found.thirds) == 4


def test_a_measure_without_a_value_for_each_question_has_thirds_and_no_trend() -> None:
    from dataclasses import replace

    import numpy as np

    gold = replace(plain(30, candidates=3), labels=("k0", "k1", "k2"), kind="decision")
    gold = replace(gold, answer=(np.arange(30) % 3).astype(np.int32))
    found = found_of(gold, people(gold, [Reader("a"), Reader("b")], seed=1), ("accuracy", "macro_f1"))
    assert found is not None
    assert {each.of for each in found.trends} == {"accuracy", SECONDS}
    assert all("macro_f1" in each.measures for each in found.thirds)
