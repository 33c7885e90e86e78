"""Kappa inside groups of people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.golds import Row, gold_of
from tests.people import Reader, people

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.agreement import Agreement, agreement
from anagnosis.predictions import OUTSIDE, Matched


def found_of(gold: Gold, own: list[Matched], draws: int = 200) -> Agreement:
    return agreement(gold, own, protocol="expected", seed=1, draws=draws)


def varied(n: int) -> Gold:
    """Questions with other candidates, and with the right one at other places."""
    return gold_of(
        [Row(f"d{row}:0", [f"k{(7 * row + place) % 40}" for place in range(6)], row % 6) for row in range(n)]
    )


@pytest.fixture(scope="module")
def gold() -> Gold:
    return varied(40)


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
