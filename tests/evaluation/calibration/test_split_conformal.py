"""Split-conformal thresholds keep their limit on new questions, whatever the distribution of the scores."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.rows import each_row

from anagnosis.evaluation.calibration.thresholds import split_conformal_threshold, threshold_of_precision


def test_the_threshold_is_the_score_of_its_rank() -> None:
    scores = [0.5, 0.1, 0.4, 0.2, 0.3, 0.6, 0.9, 0.8, 0.7]
    assert split_conformal_threshold(scores, 0.1) == 0.1, "floor(.1 * 10) = 1"
    assert split_conformal_threshold(scores, 0.19) == 0.1
    assert split_conformal_threshold(scores, 0.3) == 0.3
    assert split_conformal_threshold(scores, 0.09) == -math.inf, "too few questions for such a limit"
    assert split_conformal_threshold([], 0.5) == -math.inf
    with pytest.raises(ValueError, match="limit"):
        split_conformal_threshold(scores, 1.0)


@each_row(("n", "limit"), [(19, 0.05), (50, 0.05), (100, 0.2)])
@each_row("kind", ["normal", "cauchy", "few values"])
def test_new_questions_lie_below_as_rarely_as_promised(n: int, limit: float, kind: str) -> None:
    """Over 4,000 draws of calibration questions and of a new one; ties count as not below."""
    draw = np.random.default_rng(7)
    made = {
        "normal": draw.normal,
        "cauchy": lambda size: draw.standard_cauchy(size),
        "few values": lambda size: draw.integers(0, 5, size).astype(float),
    }[kind](size=(4_000, n + 1))
    below = [row[-1] < split_conformal_threshold(row[:-1], limit) for row in made]
    expected = math.floor(limit * (n + 1)) / (n + 1)
    spread = 4 * math.sqrt(expected * (1 - expected) / len(made))
    assert np.mean(below) <= expected + spread
    if kind != "few values":
        assert np.mean(below) >= expected - spread, "the correction wastes nothing"


def test_the_threshold_of_precision_is_the_lowest_that_reaches_it() -> None:
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
    right = np.array([True, True, True, False, True, False])
    # Right of so many, and one more wrong: 1/2, 2/3, 3/4, 3/5, 4/6, 4/7.
    assert threshold_of_precision(scores, right, 0.75) == 0.7
    assert threshold_of_precision(scores, right, 0.66) == 0.5
    assert threshold_of_precision(scores, right, 0.8) is None
    tied = np.array([0.9, 0.5, 0.5, 0.5])
    assert threshold_of_precision(tied, np.array([True, True, True, False]), 0.6) == 0.5, "3 of 5"
    assert threshold_of_precision(tied, np.array([True, True, True, False]), 0.7) is None
