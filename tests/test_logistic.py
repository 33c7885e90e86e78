"""The likeliest logistic function: none is likelier, and a step that overshoots is halved. Thresholds by hand."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from benchmarks.logistic import Threshold, choose, logistic
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.array_types import Floats

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


def test_thresholds_by_hand() -> None:
    """Ten sentences, the four surest of which hold the answer but for the third; another one far down does too."""
    probabilities = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1])
    held = np.array([True, True, False, True, False, False, False, True, False, False])
    found = choose(probabilities, held)
    assert found.fair == Threshold(0.6, 0.75, 0.75, 4)
    assert found.weak == Threshold(0.2, 0.5, 1.0, 8)
    assert found.strong == Threshold(0.8, 1.0, 0.5, 2)


def test_thresholds_take_all_sentences_of_one_probability() -> None:
    probabilities = np.array([0.5, 0.5, 0.5, 0.1])
    held = np.array([True, True, False, False])
    found = choose(probabilities, held)
    both = Threshold(0.5, 0.666667, 1.0, 3)
    assert (found.weak, found.fair) == (both, both)
    assert found.strong == msgspec.structs.replace(both, reached=False)
