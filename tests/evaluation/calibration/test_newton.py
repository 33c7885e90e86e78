"""The likeliest logistic function: none is likelier, and a whole step that overshoots is halved."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.array_types import Floats
from anagnosis.evaluation.calibration.newton import logistic

RIDGE = 0.1
PLACES = st.lists(st.floats(-10, 10), min_size=2, max_size=2)
LABELLED = st.lists(st.tuples(PLACES, st.floats(0, 1)), min_size=1, max_size=20)


def loss(weights: Floats, rows: Floats, right: Floats) -> float:
    values = rows @ weights
    return float((np.logaddexp(0, values) - right * values).sum() + RIDGE * (weights @ weights) / 2)


@given(LABELLED, PLACES, PLACES)
def test_no_other_weights_are_likelier(
    labelled: list[tuple[list[float], float]], start: list[float], other: list[float]
) -> None:
    rows, right = np.array([row for row, _ in labelled]), np.array([share for _, share in labelled])
    found = logistic(rows, right, RIDGE, np.array(start))
    assert found == pytest.approx(logistic(rows, right, RIDGE), abs=1e-6)
    assert loss(found, rows, right) <= loss(np.array(other), rows, right) + 1e-9


@pytest.mark.parametrize("start", [-3.0, 0.0, 6.0])
def test_a_whole_step_that_overshoots_is_halved(start: float) -> None:
    """ln cosh of half of the weight: beyond 2.18 Newton's own steps run away."""
    found = logistic(np.array([[1.0]]), np.array([0.5]), 0, np.array([start]))
    assert found == pytest.approx([0.0], abs=1e-9)


def test_where_it_begins_lowest_it_stays() -> None:
    assert logistic(np.zeros((1, 1)), np.zeros(1), 1.0, np.zeros(1)).tolist() == [0.0]
