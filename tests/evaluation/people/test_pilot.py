"""A few made-up people tell how made-up people answer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.people.test_study_size import DISAGREEMENT, SHARED
from tests.golds import plain
from tests.people import Reader, matched, people

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.people.pilot import pilot_of
from anagnosis.evaluation.people.study_model import Expected, StudyModel
from anagnosis.evaluation.people.study_size import plan_study
from anagnosis.predictions.lines import Prediction


def answers(gold: Gold, signs: dict[tuple[str, str], str]) -> list[Prediction]:
    """A sign a question, of each person and group: + is right, - wrong, a blank was not asked."""
    return [
        Prediction(
            gold.ids.between(row, row + 1)[0], "k0" if sign == "+" else "k1", annotator=who, group=group
        )
        for (who, group), own in signs.items()
        for row, sign in enumerate(own)
        if sign != " "
    ]


def test_a_pilot_says_what_to_expect() -> None:
    gold = plain(6000, candidates=4)
    skills = (0.62, 0.66, 0.7, 0.74, 0.78)
    pilot = people(
        gold, [Reader(f"p{n}", accuracy=skill) for n, skill in enumerate(skills)], seed=3, shared=SHARED
    )
    found = pilot_of(gold, pilot).expected
    assert found["accuracy"] == pytest.approx(0.7, abs=0.015)
    assert found["disagreement"] == pytest.approx(DISAGREEMENT, abs=0.02)
    assert found["scatter"] == pytest.approx(np.std(skills, ddof=1), abs=0.01)
    Expected(**found)


def test_scatter_that_few_questions_explain_is_none() -> None:
    gold = plain(40, candidates=4)
    scatters = [
        pilot_of(gold, people(gold, [Reader("a"), Reader("b"), Reader("c")], seed=seed)).expected["scatter"]
        for seed in range(60)
    ]
    assert scatters.count(0) > 20  # without the correction none would be
    assert np.mean(np.square(scatters)) < 0.002  # of accuracies by 40 questions: .004 (1 - r)


def test_groups_of_a_pilot_count_alike_and_a_single_person_tells_nothing() -> None:
    gold = plain(4)
    signs = {
        ("a", "x"): "++++",
        ("b", "x"): "++--",
        ("c", "y"): "+---",
        ("d", "y"): "-+--",
        ("e", "z"): "----",
    }
    lines = answers(gold, signs)
    pilot = pilot_of(gold, matched(gold, lines))
    assert pilot.people == 4
    found = pilot.expected
    assert found["accuracy"] == pytest.approx((0.75 + 0.25) / 2)
    assert found["disagreement"] == pytest.approx(0.5)
    assert found["scatter"] == pytest.approx(0, abs=1e-9)  # 1/8 and 0, less 1/16 each
    alone = [line for line in lines if line.group == "z"]
    with pytest.raises(InputError, match="a pilot needs a group of two people or more"):
        pilot_of(gold, matched(gold, alone))


def test_a_group_counts_on_the_questions_that_it_was_asked() -> None:
    gold = plain(8)
    one = answers(gold, {("a", "x"): "+++-    ", ("b", "x"): "++-+    "})
    both = [*one, *answers(gold, {("c", "y"): "    ++++", ("d", "y"): "    ++--"})]
    assert pilot_of(gold, matched(gold, one)).expected["accuracy"] == pytest.approx(0.75)
    found = pilot_of(gold, matched(gold, both)).expected
    assert found["accuracy"] == pytest.approx(0.75)
    assert found["disagreement"] == pytest.approx(0.375)  # capped: (0.5 + 0.5) / 2 is more than independent


@pytest.mark.parametrize(("sign", "accuracy"), [("+", 1 - 1 / 16), ("-", 1 / 16)])
def test_people_who_are_all_right_or_all_wrong_are_taken_to_differ_by_half_an_answer(
    sign: str, accuracy: float
) -> None:
    gold = plain(4)
    found = pilot_of(
        gold, matched(gold, answers(gold, {("a", "x"): sign * 4, ("b", "x"): sign * 4}))
    ).expected
    assert found["accuracy"] == pytest.approx(accuracy)
    assert found["disagreement"] == pytest.approx(1 / 16)
    plan_study(gold, Expected(**found), dataset="mine")


@given(st.lists(st.text("+-", min_size=5, max_size=5), min_size=2, max_size=4))
def test_any_pilot_can_be_planned_with(signs: list[str]) -> None:
    gold = plain(5)
    pilot = pilot_of(gold, matched(gold, answers(gold, {(f"p{n}", "x"): own for n, own in enumerate(signs)})))
    assert StudyModel.of(Expected(**pilot.expected), chance=0.3).correlation >= 0
