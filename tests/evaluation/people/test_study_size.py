"""The plan of a study promises what studies of made-up people then show."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from tests.golds import plain
from tests.people import Reader, people
from tests.rows import each_row

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.differences.power import detectable
from anagnosis.evaluation.intervals import wilson
from anagnosis.evaluation.kappa import kappas_of_pairs
from anagnosis.evaluation.people.comparisons import compare_groups
from anagnosis.evaluation.people.groups import groups_of
from anagnosis.evaluation.people.study_model import Expected, StudyModel
from anagnosis.evaluation.people.study_size import (
    DIFFERENCES,
    FEWEST_QUESTIONS,
    MOST_QUESTIONS,
    PEOPLE,
    QUESTIONS,
    QuestionsNeeded,
    StudyPlan,
    StudySize,
    plan_study,
)
from anagnosis.evaluation.systems import System


@cache
def plan(**expected: float) -> StudyPlan:
    return plan_study(four_answers(), Expected(**expected), dataset="mine")


def four_answers() -> Gold:
    """40 questions; each of four keys is right in ten."""
    gold = plain(40, candidates=4)
    return replace(gold, answer=(np.arange(40) % 4).astype(gold.answer.dtype))


def size(found: StudyPlan, questions: int, people: int) -> StudySize:
    (own,) = (each for each in found.sizes if (each.questions, each.people) == (questions, people))
    return own


def least(found: StudyPlan, questions: int, people: int, *, system: bool) -> float:
    """The difference that both tests find."""
    own = size(found, questions, people)
    both = (own.system_these, own.system_others) if system else (own.groups_these, own.groups_others)
    assert both[0] is not None
    assert both[1] is not None
    return max(both[0], both[1])


SHARED = 0.5  # how far a made-up answer depends on the question
DISAGREEMENT = 0.281  # what two made-up people of accuracy .7 then disagree on; test_pilot.py measures it


@pytest.mark.parametrize(
    ("group", "difference", "system"),
    [(3, 0.3, False), (5, 0.2, False), (20, 0.1, False), (3, 0.3, True), (10, 0.2, True)],
)
def test_so_many_questions_show_the_difference_at_least_four_times_in_five(
    group: int, difference: float, system: bool
) -> None:
    found = plan(accuracy=0.7, disagreement=DISAGREEMENT, scatter=0.05)
    (needed,) = (own for own in found.needed if (own.people, own.difference) == (group, difference))
    questions = needed.system if system else needed.groups
    assert questions is not None
    gold = plain(questions, candidates=4)
    dice = np.random.default_rng(1)
    studies, better = 80, 0
    for seed in range(studies):
        gap = difference if system else difference / 2
        sides = [("x", 0.7 if system else 0.7 + gap)] + ([] if system else [("y", 0.7 - gap)])
        readers = [
            Reader(f"{name}{n}", name, accuracy=float(np.clip(mean + 0.05 * dice.standard_normal(), 0, 1)))
            for name, mean in sides
            for n in range(group)
        ]
        own = people(gold, readers, seed=seed, shared=SHARED)
        others = [System.alone(people(gold, [Reader("s", accuracy=0.7 - gap)], seed=10_000 + seed)[0])]
        (by_accuracy,) = compare_groups(
            gold,
            groups_of(own),
            others if system else [],
            measures=("accuracy",),
            protocol="expected",
            seed=1,
            draws=300,
        )
        (pair,) = by_accuracy.pairs
        better += pair.tested.verdict == "better" and pair.tested.first.startswith("x")
    assert better / studies >= 0.8


def test_single_people_are_two_systems_that_disagree_so_often() -> None:
    own = size(plan(accuracy=0.6, disagreement=0.3, system=0.5), 100, 1)
    assert own.groups_these == detectable(100, 0.3).difference
    assert own.system_these == detectable(100, 0.6 * 0.5 + 0.4 * 0.5).difference
    assert (own.groups_others, own.system_others, own.kappa) == (None, None, None)


def test_an_interval_counts_what_people_share_once() -> None:
    independent = size(plan(accuracy=0.6, disagreement=0.48), 100, 5)
    ends = wilson(0.6, 500)
    assert independent.accuracy == pytest.approx((ends.high - ends.low) / 2)
    alike = size(plan(accuracy=0.6, disagreement=1e-9), 100, 5)
    assert alike.accuracy == pytest.approx(size(plan(accuracy=0.6), 100, 1).accuracy)


def test_the_width_of_kappa_is_that_of_people_who_answer_so() -> None:
    found = plan(kappa=0.6)
    dice = np.random.default_rng(5)
    labels = dice.integers(0, 4, (1000, 200))
    observed = 0.25 + 0.6 * 0.75
    again = np.where(
        dice.random(labels.shape) < observed, labels, (labels + dice.integers(1, 4, labels.shape)) % 4
    )
    kappas = [
        pair.value
        for first, second in zip(labels, again, strict=True)
        if (pair := kappas_of_pairs([(first, second)], "own label", seed=0, draws=1).mean) is not None
    ]
    z = NormalDist().inv_cdf(0.975)
    assert found.chance == pytest.approx(0.25)
    assert size(found, 200, 2).kappa == pytest.approx(z * np.std(kappas), rel=0.1)


def test_where_all_right_answers_are_the_same_kappa_has_no_width() -> None:
    found = plan_study(plain(40), Expected(), dataset="mine")
    assert found.chance == 1
    assert {own.kappa for own in found.sizes} == {None}


def test_more_questions_and_more_people_show_less_and_scatter_hides_more() -> None:
    found, scattered = plan(), plan(scatter=0.1)
    for system in (False, True):
        for people_ in (5, 10, 20):
            each = [least(found, n, people_, system=system) for n in QUESTIONS]
            assert each == sorted(each, reverse=True)
            assert least(scattered, 100, people_, system=system) > least(found, 100, people_, system=system)
        each = [least(found, 100, people_, system=system) for people_ in PEOPLE if people_ > 2]
        assert each == sorted(each, reverse=True)


def test_the_questions_needed_are_the_fewest_of_which_each_test_finds_it_nine_times_in_ten() -> None:
    expected = Expected(scatter=0.02)
    found = plan(scatter=0.02)
    model = StudyModel.of(expected, found.chance)
    assert len(found.needed) == len(DIFFERENCES) * (len(PEOPLE) - 1)
    for needed in found.needed:
        for count, tests in (
            (needed.groups, (model.groups_these, model.groups_others)),
            (needed.system, (model.system_these, model.system_others)),
        ):

            def shows(n: int, tests: Any = tests, needed: QuestionsNeeded = needed) -> bool:
                both = [test(needed.people, n, 0.9) for test in tests]
                return None not in both and max(both) <= needed.difference + 5e-5

            assert shows(MOST_QUESTIONS) if count else not shows(MOST_QUESTIONS)
            if count:
                assert shows(count)
                assert count == FEWEST_QUESTIONS or not shows(count - 1)
    assert any(own.groups and own.groups > FEWEST_QUESTIONS for own in found.needed)


def test_no_number_of_questions_makes_up_for_people_who_scatter() -> None:
    (needed,) = (each for each in plan(scatter=0.2).needed if (each.difference, each.people) == (0.2, 3))
    assert (needed.groups, needed.system) == (None, None)


@pytest.mark.parametrize(
    ("expected", "fault"),
    [
        (
            {"accuracy": 0.9, "disagreement": 0.25},
            r"disagree on 0\.18 of them .* independently, not on 0\.25",
        ),
        ({"kappa": 0.97}, r"and disagree on 0\.25 have a kappa from 0\.5 to 0\.667, not 0\.97"),
        ({"kappa": 0.4}, r"have a kappa from 0\.5 to 0\.667, not 0\.4"),
    ],
)
def test_expectations_that_contradict_each_other_are_refused(expected: dict[str, float], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        plan(**expected)


@each_row("accuracy", [0.02, 0.5, 0.75, 0.904, 0.99])
def test_an_accuracy_alone_is_enough(accuracy: float) -> None:
    found = plan(accuracy=accuracy)
    assert found.correlation == pytest.approx(1 / 3)
    assert found.expected["disagreement"] == pytest.approx(4 / 3 * accuracy * (1 - accuracy))
    assert found.expected["system"] == accuracy
    both_right = accuracy - found.expected["disagreement"] / 2
    both_wrong = 1 - accuracy - found.expected["disagreement"] / 2
    assert found.expected["kappa"] == pytest.approx((both_right + both_wrong / 2 - 0.25) / 0.75)


def test_bounds_that_were_printed_may_be_expected() -> None:
    assert plan(accuracy=0.9, disagreement=0.18).correlation == pytest.approx(0, abs=1e-9)
    plan(kappa=2 / 3)


def test_no_difference_is_larger_than_can_be() -> None:
    found = plan(accuracy=0.9, scatter=0.1)
    for own in found.sizes:
        assert all(each is None or each <= 0.2 for each in (own.groups_these, own.groups_others))
        assert all(each is None or each <= 0.9 for each in (own.system_these, own.system_others))
    assert size(found, 20, 2).groups_others is None


def test_a_split_without_gold_answers_cannot_be_planned_on() -> None:
    gold = plain(5)
    with pytest.raises(InputError, match="no gold answers to score against"):
        plan_study(replace(gold, answer=np.full_like(gold.answer, -1)), Expected(), dataset="mine")
