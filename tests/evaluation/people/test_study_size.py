"""The plan of a study promises what studies of made-up people then show."""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from tests.golds import plain
from tests.people import Reader, people

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.differences.power import detectable
from anagnosis.evaluation.intervals import wilson
from anagnosis.evaluation.kappa import kappas_of_pairs
from anagnosis.evaluation.people.comparisons import compare_groups
from anagnosis.evaluation.people.groups import groups_of
from anagnosis.evaluation.people.study_model import Expected
from anagnosis.evaluation.people.study_size import (
    DIFFERENCES,
    PEOPLE,
    QUESTIONS,
    StudyPlan,
    StudySize,
    plan_study,
)
from anagnosis.evaluation.systems import System


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
    """The difference that these people and others show."""
    own = size(found, questions, people)
    both = (own.system_these, own.system_others) if system else (own.groups_these, own.groups_others)
    assert both[0] is not None
    assert both[1] is not None
    return max(both[0], both[1])


SHARED = 0.5  # how far a made-up answer depends on the question
DISAGREEMENT = 0.281  # what two made-up people of accuracy .7 then disagree on; test_pilot.py measures it


@pytest.mark.parametrize(("group", "questions", "system"), [(5, 50, False), (10, 50, False), (5, 100, True)])
def test_a_study_of_that_size_shows_the_difference_about_four_times_in_five(
    group: int, questions: int, system: bool
) -> None:
    found = plan(accuracy=0.7, disagreement=DISAGREEMENT, scatter=0.05)
    difference = least(found, questions, group, system=system)
    gold = plain(questions, candidates=4)
    dice = np.random.default_rng(1)
    studies, better = 100, 0
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
            draws=500,
        )
        (pair,) = by_accuracy.pairs
        better += pair.tested.verdict == "better" and pair.tested.first.startswith("x")
    assert 0.66 < better / studies < 0.92


def test_single_people_are_two_systems_that_disagree_so_often() -> None:
    own = size(plan(accuracy=0.6, disagreement=0.3), 100, 1)
    assert own.groups_these == detectable(100, 0.3).difference
    assert (own.groups_others, own.system_others) == (None, None)


def test_an_interval_counts_what_people_share_once() -> None:
    independent = size(plan(accuracy=0.6, disagreement=0.48), 100, 5)
    ends = wilson(0.6, 500)
    assert independent.accuracy == pytest.approx((ends.high - ends.low) / 2)
    alike = size(plan(accuracy=0.6, disagreement=1e-9), 100, 5)
    assert alike.accuracy == pytest.approx(size(plan(accuracy=0.6), 100, 1).accuracy)


def test_the_width_of_kappa_is_that_of_people_who_answer_so() -> None:
    found = plan(accuracy=0.7, disagreement=DISAGREEMENT, kappa=0.6)
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
    assert size(found, 200, 1).kappa == pytest.approx(z * np.std(kappas), rel=0.1)


def test_where_all_right_answers_are_the_same_kappa_has_no_width() -> None:
    found = plan_study(plain(40), Expected(), dataset="mine")
    assert found.chance == 1
    assert {own.kappa for own in found.sizes} == {None}


def test_more_questions_and_more_people_show_less_and_scatter_hides_more() -> None:
    found, scattered = plan(), plan(scatter=0.1)
    for system in (False, True):
        for people_ in (3, 5, 20):
            each = [least(found, n, people_, system=system) for n in QUESTIONS]
            assert each == sorted(each, reverse=True)
            assert least(scattered, 100, people_, system=system) > least(found, 100, people_, system=system)
        each = [least(found, 100, people_, system=system) for people_ in PEOPLE if people_ > 1]
        assert each == sorted(each, reverse=True)


def test_the_questions_needed_are_the_fewest() -> None:
    found = plan(scatter=0.02)
    assert len(found.needed) == len(DIFFERENCES) * (len(PEOPLE) - 1)
    for needed in found.needed:
        for count, system in ((needed.groups, False), (needed.system, True)):
            if count is None:
                continue
            sized = [n for n in QUESTIONS if n < count]
            if sized:
                own = size(found, sized[-1], needed.people)
                pair = (
                    (own.system_these, own.system_others) if system else (own.groups_these, own.groups_others)
                )
                assert None in pair or max(filter(None, pair)) > needed.difference
            sized = [n for n in QUESTIONS if n >= count]
            if sized:
                assert least(found, sized[0], needed.people, system=system) <= needed.difference


def test_no_number_of_questions_makes_up_for_people_who_scatter() -> None:
    (needed,) = (each for each in plan(scatter=0.2).needed if (each.difference, each.people) == (0.2, 3))
    assert (needed.groups, needed.system) == (None, None)


def test_expectations_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"right on 0\.9 of the questions disagree on 0\.18 of them .* not on 0\.25"
    ):
        plan(accuracy=0.9)
    assert plan(accuracy=0.9, disagreement=0.18).correlation == pytest.approx(0, abs=1e-9)


def test_a_split_without_gold_answers_cannot_be_planned_on() -> None:
    gold = plain(5)
    with pytest.raises(InputError, match="no question with a gold answer"):
        plan_study(replace(gold, answer=np.full_like(gold.answer, -1)), Expected(), dataset="mine")
