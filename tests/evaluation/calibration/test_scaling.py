"""Temperature scaling: by hand, as properties, and where there is hardly anything."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.evaluation.calibration.scaling import (
    COLDEST,
    HOTTEST,
    likelihood_loss,
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
