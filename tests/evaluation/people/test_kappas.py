"""Kappa inside groups and between them, and whether one group agrees more than another."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tests.golds import Row, gold_of
from tests.people import Reader, people

from anagnosis.array_types import Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.agreement import Agreement, agreement
from anagnosis.evaluation.kappa import NO_ANSWER, kappa_difference, kappas_of_pairs, mean_kappa
from anagnosis.predictions import OUTSIDE, Matched


def found_of(gold: Gold, own: list[Matched], draws: int = 200) -> Agreement:
    return agreement(gold, own, protocol="expected", seed=1, draws=draws)


def labels(gold: Gold, person: Matched) -> Longs:
    """The keys that were answered, as numbers; NO_ANSWER where nothing was."""
    key = gold.key[gold.starts[:-1] + np.maximum(person.choice, 0)]
    return np.where(person.choice < 0, NO_ANSWER, key).astype(np.int64)


def varied(n: int) -> Gold:
    """Questions with other candidates, and with the right one at other places."""
    return gold_of(
        [Row(f"d{row}:0", [f"k{(7 * row + place) % 40}" for place in range(6)], row % 6) for row in range(n)]
    )


@pytest.fixture(scope="module")
def gold() -> Gold:
    return varied(40)


def test_between_groups_it_is_the_mean_over_pairs_of_one_of_each(gold: Gold) -> None:
    readers = [
        Reader("a", "x", unanswered=0.2),
        Reader("b", "x"),
        Reader("c", "y", accuracy=0.5),
        Reader("d", "y"),
    ]
    own = people(gold, readers, seed=1)
    (between,) = found_of(gold, own).between
    assert (between.first, between.second, between.instances) == ("x", "y", 40)
    pairs = [
        mean_kappa([labels(gold, one), labels(gold, other)], "own label", seed=1, draws=20)
        for one, other in product(own[:2], own[2:])
    ]
    kappa = between.kappa["own label"]
    assert kappa.value == pytest.approx(np.mean([each.value for each in pairs if each]))
    assert kappa.pairs == 4


def test_the_difference_of_two_groups_is_that_of_their_kappas(gold: Gold) -> None:
    readers = [Reader(f"x{n}", "x", accuracy=0.95) for n in range(2)] + [
        Reader(f"y{n}", "y", accuracy=0.4) for n in range(3)
    ]
    found = found_of(gold, people(gold, readers, seed=2), draws=1000)
    (between,) = found.between
    first, second = (group.kappa["own label"] for group in found.groups)
    difference = between.difference["own label"]
    assert difference.value == pytest.approx(first.value - second.value)
    assert 0 < difference.interval.low < difference.value < difference.interval.high
    assert difference.p < 0.05


def test_a_single_person_agrees_with_nobody_in_its_group_but_with_others(gold: Gold) -> None:
    (between,) = found_of(
        gold, people(gold, [Reader("a", "x"), Reader("b", "y"), Reader("c", "y")], seed=3)
    ).between
    assert between.kappa["wrong"] is not None
    assert between.difference["wrong"] is None


def test_groups_that_were_asked_other_questions_do_not_agree_or_disagree(gold: Gold) -> None:
    own = [
        *people(gold, [Reader("a", "x"), Reader("b", "x")], seed=4, asked=range(20)),
        *people(gold, [Reader("c", "y"), Reader("d", "y")], seed=4, asked=range(20, 40)),
    ]
    (between,) = found_of(gold, own).between
    assert between.instances == 0
    assert set(between.kappa.values()) == set(between.difference.values()) == {None}


def test_groups_are_compared_on_what_both_were_asked(gold: Gold) -> None:
    own = [
        *people(gold, [Reader("a", "x"), Reader("b", "x")], seed=5, asked=range(30)),
        *people(gold, [Reader("c", "y"), Reader("d", "y")], seed=5, asked=range(10, 40)),
    ]
    (between,) = found_of(gold, own).between
    in_common = slice(10, 30)
    first, second = (
        kappas_of_pairs(
            [(labels(gold, one)[in_common], labels(gold, other)[in_common])], "own label", seed=1, draws=200
        )
        for one, other in (own[:2], own[2:])
    )
    assert between.instances == 20
    assert between.difference["own label"] == kappa_difference(first, second, 20)


def test_where_everybody_answered_the_three_treatments_are_one(gold: Gold) -> None:
    (group,) = found_of(gold, people(gold, [Reader("a"), Reader("b"), Reader("c")], seed=6)).groups
    assert group.kappa["own label"] == group.kappa["left out"] == group.kappa["wrong"]


def test_texts_that_are_no_candidate_agree_where_they_are_equal() -> None:

    gold = gold_of([Row(f"{row}:0", ["x", "y"]) for row in range(4)])
    choice = np.array([OUTSIDE, OUTSIDE, OUTSIDE, 0], np.int32)
    own = people(gold, [Reader("a"), Reader("b")], seed=1)
    told = [(("chest CT",), ("fever",), ("rash",), ("x",)), (("Chest  ct",), ("cough",), ("rash",), ("x",))]
    with_texts = [
        replace(person, choice=choice, texts=texts) for person, texts in zip(own, told, strict=True)
    ]
    (group,) = found_of(gold, with_texts).groups
    (apart,) = found_of(gold, [replace(person, choice=choice, texts=None) for person in own]).groups
    observed = [found.kappa["own label"] for found in (group, apart)]
    assert [each.observed for each in observed if each] == [0.75, 1.0]


def test_groups_whose_draws_do_not_scatter_show_nothing() -> None:
    alike, apart = np.array([0, 1, 2]), np.array([1, 2, 0])
    first = kappas_of_pairs([(alike, alike)], "own label", seed=1, draws=50)
    same = kappa_difference(first, first, 3)
    assert (same.value, same.p, same.interval.low, same.interval.high) == (0, 1, -2, 2)
    silent = np.full(3, NO_ANSWER)
    second = kappas_of_pairs([(silent, apart)], "left out", seed=1, draws=50)
    assert second.mean is None
    assert kappa_difference(first, second, 3) is None
