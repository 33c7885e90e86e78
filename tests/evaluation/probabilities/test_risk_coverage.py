"""Risk by coverage: by hand, with ties by expectation, and at its ends."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.evaluation.probabilities.risk_coverage import RiskCoverage, risk_coverage, risks


def curve(confidence: list[float], credits: list[float]) -> RiskCoverage:
    return risk_coverage(np.array([confidence]), np.array([credits]))


def test_a_curve_by_hand() -> None:
    found = curve([0.9, 0.8, 0.7, 0.6], [1, 0, 1, 0])
    assert [(each.answered, each.coverage, each.risk) for each in found.points] == [
        (1, 0.25, 0),
        (2, 0.5, 0.5),
        (3, 0.75, pytest.approx(1 / 3)),
        (4, 1, 0.5),
    ]
    assert found.area == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 2) / 4)
    assert found.best == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4)
    assert found.points[1].interval.low < 0.5 < found.points[1].interval.high


def test_ties_are_taken_by_expectation_over_all_orders() -> None:
    errors = np.array([0.0, 1, 1, 0])
    drawn = [np.cumsum([errors[0], *own]) / np.arange(1, 5) for own in permutations(errors[1:])]
    assert risks(np.array([0.9, 0.5, 0.5, 0.5]), errors) == pytest.approx(np.mean(drawn, axis=0))


@given(st.lists(st.tuples(st.sampled_from([0.2, 0.5, 0.9]), st.booleans()), min_size=1, max_size=60))
def test_the_area_lies_between_the_best_and_the_worst(pairs: list[tuple[float, bool]]) -> None:
    confidence, credits = [c for c, _ in pairs], [float(right) for _, right in pairs]
    found = curve(confidence, credits)
    worst = curve([-right for right in credits], credits)
    assert found.best - 1e-12 <= found.area <= worst.area + 1e-12
    assert found.points[-1].risk == pytest.approx(1 - np.mean(credits))
    assert found.points[-1].coverage == 1


def test_a_confidence_that_says_nothing_has_the_plain_risk_everywhere() -> None:
    found = curve([0.5] * 20, [1, 0, 0, 0] * 5)
    assert {round(each.risk, 12) for each in found.points} == {0.75}
    assert found.area == pytest.approx(0.75)


@pytest.mark.parametrize(("credit", "risk"), [(1.0, 0.0), (0.0, 1.0), (0.25, 0.75)])
def test_one_question(credit: float, risk: float) -> None:
    found = curve([0.4], [credit])
    assert [each.risk for each in found.points] == [risk]
    assert (found.area, found.best) == (risk, risk)


def test_each_run_answers_in_its_own_order() -> None:
    confidence, credits = np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([[1.0, 0], [0, 1]])
    found = risk_coverage(confidence, credits)
    assert [each.risk for each in found.points] == [0, 0.5]
