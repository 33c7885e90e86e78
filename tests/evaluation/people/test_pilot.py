"""A few made-up people tell how made-up people answer."""

from __future__ import annotations

import numpy as np
import pytest
from tests.evaluation.people.test_study_size import DISAGREEMENT, SHARED
from tests.golds import plain
from tests.people import Reader, matched, people

from anagnosis.errors import InputError
from anagnosis.evaluation.people.pilot import expected_of
from anagnosis.evaluation.people.study_model import Expected
from anagnosis.predictions.lines import Prediction


def test_a_pilot_says_what_to_expect() -> None:
    gold = plain(6000, candidates=4)
    skills = (0.62, 0.66, 0.7, 0.74, 0.78)
    pilot = people(
        gold, [Reader(f"p{n}", accuracy=skill) for n, skill in enumerate(skills)], seed=3, shared=SHARED
    )
    found = expected_of(gold, pilot, seed=0)
    assert found["accuracy"] == pytest.approx(0.7, abs=0.015)
    assert found["disagreement"] == pytest.approx(DISAGREEMENT, abs=0.02)
    assert found["scatter"] == pytest.approx(np.std(skills, ddof=1), abs=0.01)
    Expected(**found)


def test_scatter_that_few_questions_explain_is_none() -> None:
    gold = plain(40, candidates=4)
    scatters = [
        expected_of(gold, people(gold, [Reader("a"), Reader("b"), Reader("c")], seed=seed), seed=0)["scatter"]
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
    given = [
        Prediction(
            gold.ids.between(row, row + 1)[0], "k0" if sign == "+" else "k1", annotator=who, group=group
        )
        for (who, group), own in signs.items()
        for row, sign in enumerate(own)
    ]
    found = expected_of(gold, matched(gold, given), seed=0)
    assert found["accuracy"] == pytest.approx((0.75 + 0.25) / 2)
    assert found["disagreement"] == pytest.approx(0.5)
    assert found["scatter"] == pytest.approx(0, abs=1e-9)  # 1/8 and 0, less 1/16 each
    alone = [line for line in given if line.group == "z"]
    with pytest.raises(InputError, match="a pilot needs a group of two people or more"):
        expected_of(gold, matched(gold, alone), seed=0)
