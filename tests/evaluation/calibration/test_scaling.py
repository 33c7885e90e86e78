"""Temperature scaling: by hand, as properties, and where there is hardly anything.

Slope and intercept of log-odds: an independent fit, labels that are parted cleanly, scores that say nothing.

Cross-fitting: no row is judged by a fit that saw its question.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.array_types import Floats, Longs
from anagnosis.evaluation.calibration.scaling import (
    COLDEST,
    FOLDS,
    HOTTEST,
    Model,
    Platt,
    cross_fitted,
    fitted_platt,
    folds_by_question,
    likelihood_loss,
    log_odds,
    mean_log_loss,
    temperature,
    tempered,
)

QUESTIONS = st.lists(
    st.tuples(st.lists(st.floats(-30, 0), min_size=3, max_size=3), st.integers(0, 2)),
    min_size=1,
    max_size=40,
)


@given(QUESTIONS, st.floats(0.2, 10))
def test_no_other_temperature_is_better(questions: list[tuple[list[float], int]], other: float) -> None:
    scores, labels = np.array([s for s, _ in questions]), np.array([label for _, label in questions])
    best = likelihood_loss(tempered(scores, temperature(scores, labels)), labels)
    assert best <= likelihood_loss(tempered(scores, other), labels) + 1e-9


def test_a_temperature_by_hand() -> None:
    """Three of four right at odds of 81 to 1: calibrated they are 3 to 1, so that ln 81 / T = ln 3."""
    scores = np.log(np.array([[81 / 82, 1 / 82]] * 4))
    assert temperature(scores, np.array([0, 0, 0, 1])) == pytest.approx(4)


@each_row(
    ("scores", "labels", "expected"),
    [
        ([[0.0, -5.0]] * 3, [0, 0, 0], COLDEST),  # one label alone, always right
        ([[0.0, -5.0]] * 3, [1, 1, 1], HOTTEST),  # always wrong
        ([[-0.7, -0.7]] * 3, [0, 1, 0], 1.0),  # equal: no temperature changes anything
        ([[0.0, -math.inf]], [0], 1.0),  # certain and right
        ([[0.0, -math.inf]], [1], HOTTEST),  # certain and wrong
        ([[0.0, -1.0]], [0], COLDEST),  # a single question
    ],
)
def test_degenerate_labels_have_a_bounded_temperature(
    scores: list[list[float]], labels: list[int], expected: float
) -> None:
    assert temperature(np.array(scores), np.array(labels)) == pytest.approx(expected)


def test_tempered_probabilities_add_up_to_1_and_keep_their_order() -> None:
    scores = np.log(np.array([[0.7, 0.2, 0.1], [1e-9, 0.5, 0.5 - 1e-9]]))
    found = tempered(scores, 3)
    assert np.exp(found).sum(1) == pytest.approx([1, 1])
    assert (np.argsort(found, kind="stable") == np.argsort(scores, kind="stable")).all()


def drawn(slope: float, intercept: float, n: int = 20_000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    odds = random.normal(0, 2, n)
    return odds, random.random(n) < 1 / (1 + np.exp(-(slope * odds + intercept)))


def test_no_step_in_any_direction_has_a_lower_loss() -> None:
    odds, right = drawn(0.5, -1.0, 200)
    n = int(right.sum())
    target = np.where(right, (n + 1) / (n + 2), 1 / (len(right) - n + 2))

    def of(slope: float, intercept: float) -> float:
        p = 1 / (1 + np.exp(-(slope * odds + intercept)))
        return float(-(target * np.log(p) + (1 - target) * np.log(1 - p)).sum())

    best = fitted_platt(odds, right)
    for angle in np.linspace(0, 2 * math.pi, 16):
        other = of(best.slope + 0.01 * math.cos(angle), best.intercept + 0.01 * math.sin(angle))
        assert other > of(best.slope, best.intercept)


def test_labels_that_a_score_parts_cleanly_give_no_infinite_slope() -> None:
    found = fitted_platt(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([False, False, True, True]))
    assert 0 < found.slope < 10
    # Platt's targets: two of either kind are 3/4 and 1/4.
    assert mean_log_loss(found(np.array([9.0])), np.array([True])) > 0


def test_scores_that_are_all_equal_become_the_share_of_what_is_right() -> None:
    right = np.array([True] + [False] * 9)
    found = fitted_platt(np.zeros(10), right)
    assert found(np.zeros(1))[0] == pytest.approx((2 / 3 + 9 * 1 / 11) / 10)


@given(st.floats(-1000, 0))
def test_log_odds_are_finite_and_rise_with_the_probability(log_probability: float) -> None:
    (odds,) = log_odds(np.array([log_probability]))
    assert math.isfinite(odds)
    assert Platt()(np.array([odds]))[0] == pytest.approx(math.exp(log_probability), abs=1e-11)


def test_every_row_is_judged_by_a_fit_on_all_other_folds_and_on_them_alone() -> None:
    question = np.repeat(np.arange(12), 3)
    folds = folds_by_question(question)
    seen: list[set[int]] = []

    def fit(rows: Longs) -> Model:
        learned = set(rows.tolist())
        seen.append(learned)

        def judge(others: Longs) -> Floats:
            assert learned.isdisjoint(others.tolist())
            assert learned | set(others.tolist()) == set(range(len(folds)))
            assert not set(question[rows].tolist()) & set(question[others].tolist())
            return others.astype(np.float64)

        return judge

    assert cross_fitted(folds, fit).tolist() == list(range(len(folds)))
    assert len(seen) == FOLDS


def test_folds_are_of_like_size_and_always_the_same() -> None:
    folds = folds_by_question(np.arange(12))
    assert sorted(np.bincount(folds).tolist()) == [2, 2, 2, 3, 3]
    assert (folds == folds_by_question(np.arange(12))).all()
