"""Slope and intercept of log-odds: an independent fit, labels that are parted cleanly, scores that say nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.evaluation.calibration.scaling import Platt, fitted, log_odds, loss


def drawn(slope: float, intercept: float, n: int = 20_000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    odds = random.normal(0, 2, n)
    return odds, random.random(n) < 1 / (1 + np.exp(-(slope * odds + intercept)))


@pytest.mark.parametrize(("slope", "intercept"), [(1.0, 0.0), (0.4, -1.5), (2.0, 1.0)])
def test_what_labels_were_drawn_by_is_found_again(slope: float, intercept: float) -> None:
    found = fitted(*drawn(slope, intercept))
    assert (found.slope, found.intercept) == pytest.approx((slope, intercept), abs=0.08)


def test_no_step_in_any_direction_has_a_lower_loss() -> None:
    odds, right = drawn(0.5, -1.0, 200)
    n = int(right.sum())
    target = np.where(right, (n + 1) / (n + 2), 1 / (len(right) - n + 2))

    def of(slope: float, intercept: float) -> float:
        p = 1 / (1 + np.exp(-(slope * odds + intercept)))
        return float(-(target * np.log(p) + (1 - target) * np.log(1 - p)).sum())

    best = fitted(odds, right)
    for angle in np.linspace(0, 2 * math.pi, 16):
        other = of(best.slope + 0.01 * math.cos(angle), best.intercept + 0.01 * math.sin(angle))
        assert other > of(best.slope, best.intercept)


def test_labels_that_a_score_parts_cleanly_give_no_infinite_slope() -> None:
    found = fitted(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([False, False, True, True]))
    assert 0 < found.slope < 10
    # Platt's targets: two of either kind are 3/4 and 1/4.
    assert loss(found(np.array([9.0])), np.array([True])) > 0


def test_scores_that_are_all_equal_become_the_share_of_what_is_right() -> None:
    right = np.array([True] + [False] * 9)
    found = fitted(np.zeros(10), right)
    assert found(np.zeros(1))[0] == pytest.approx((2 / 3 + 9 * 1 / 11) / 10)


@given(st.floats(-1000, 0))
def test_log_odds_are_finite_and_rise_with_the_probability(log_probability: float) -> None:
    (odds,) = log_odds(np.array([log_probability]))
    assert math.isfinite(odds)
    assert Platt()(np.array([odds]))[0] == pytest.approx(math.exp(log_probability), abs=1e-11)
