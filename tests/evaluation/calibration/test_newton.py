"""The lowest point of convex losses: of quadratic ones, and where a whole step overshoots."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.array_types import Floats
from anagnosis.evaluation.calibration.newton import lowest

PLACES = st.lists(st.floats(-50, 50), min_size=2, max_size=2)


@given(PLACES, PLACES)
def test_a_quadratic_loss_has_its_lowest_point_found(place: list[float], start: list[float]) -> None:
    wanted, bend = np.array(place), np.array([[2.0, 0.5], [0.5, 1.0]])

    def at(weights: Floats) -> tuple[float, Floats, Floats]:
        off = weights - wanted
        return float(off @ bend @ off) / 2, bend @ off, bend

    assert lowest(at, np.array(start)) == pytest.approx(wanted, abs=1e-8)


@pytest.mark.parametrize("start", [-1.5, 0.0, 3.0])
def test_a_whole_step_that_overshoots_is_halved(start: float) -> None:
    """ln cosh: beyond 1.09 Newton's own steps run away."""

    def at(weights: Floats) -> tuple[float, Floats, Floats]:
        (x,) = weights.tolist()
        return math.log(math.cosh(x)), np.array([math.tanh(x)]), np.array([[1 / math.cosh(x) ** 2]])

    assert lowest(at, np.array([start])) == pytest.approx([0.0], abs=1e-9)


def test_where_it_begins_lowest_it_stays() -> None:
    assert lowest(lambda weights: (1.0, np.zeros(1), np.eye(1)), np.array([4.0])).tolist() == [4.0]
