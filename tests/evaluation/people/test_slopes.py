"""Slopes inside people: by hand, against a regression with people as dummies, and how often they are wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.array_types import Floats
from anagnosis.evaluation.people.slopes import Points, slope


def points(*each: tuple[list[float], list[float]]) -> Points:
    """x and y of each person, whose n-th answer is to the n-th document."""
    return Points.of_people([(np.array(x), np.array(y), np.arange(len(x))) for x, y in each])


def test_one_person_has_the_slope_of_a_line() -> None:
    found = slope(points(([1, 2, 3, 4], [1.0, 3.0, 5.0, 7.0])))
    assert found is not None
    assert (found.value, found.interval.low, found.interval.high) == pytest.approx((2, 2, 2))
    assert found.p_these == pytest.approx(0, abs=1e-12)
    assert (found.p_others, found.people, found.answers) == (None, 1, 4)


def test_a_person_s_level_changes_nothing() -> None:
    low, high = [0.0, 1.0, 0.5], [10.0, 11.0, 10.5]
    found = slope(points(([1, 2, 3], low), ([2, 3, 4], high)))
    alone = slope(points(([1, 2, 3], low)))
    assert found is not None
    assert alone is not None
    assert found.value == pytest.approx(alone.value)


def test_a_person_whose_x_does_not_vary_counts_in_nothing() -> None:
    with_it = slope(points(([1, 2, 3, 4], [1.0, 3.0, 2.0, 4.0]), ([5, 5, 5], [9.0, 1.0, 2.0])))
    alone = slope(points(([1, 2, 3, 4], [1.0, 3.0, 2.0, 4.0])))
    assert with_it == alone


@each_row(
    "each",
    [
        [],
        [([], [])],
        [([1.0], [2.0])],
        [([2.0, 2.0], [1.0, 3.0])],
        [([1.0, 2.0], [1.0, 3.0])],  # leaving out one of two documents leaves no slope
        [([1.0, 2.0], [1.0, 3.0]), ([3.0, 3.0], [1.0, 1.0])],
    ],
)
def test_what_has_no_slope_has_none(each: list[tuple[list[float], list[float]]]) -> None:
    if each:
        assert slope(points(*each)) is None


def test_a_flat_line_has_no_trend_and_p_1() -> None:
    found = slope(points(([1, 2, 3], [1.0, 1.0, 1.0]), ([1, 2, 3], [0.0, 0.0, 0.0])))
    assert found is not None
    assert (found.value, found.p) == (0, 1)


@given(st.integers(1, 4), st.integers(4, 12), st.integers(0, 2**32 - 1))
def test_value_and_errors_are_those_of_regressions_that_leave_one_out(
    people: int, questions: int, seed: int
) -> None:
    dice = np.random.default_rng(seed)
    each = [(dice.permutation(questions) + 1.0, dice.normal(size=questions)) for _ in range(people)]
    given = points(*[(x.tolist(), y.tolist()) for x, y in each])
    found = slope(given)
    assert found is not None
    assert found.value == pytest.approx(regressed(given), abs=1e-9)
    from scipy.stats import t

    error = jackknife(given, given.documents)
    half = error * t.ppf(0.975, questions - 1)
    assert found.interval.high - found.value == pytest.approx(half, rel=1e-6, abs=1e-9)
    assert found.p_these == pytest.approx(2 * t.sf(abs(found.value) / error, questions - 1), abs=1e-9)
    if people == 1:
        assert found.p_others is None
    else:
        others = 2 * t.sf(abs(found.value) / jackknife(given, given.people), people - 1)
        assert found.p_others == pytest.approx(others, abs=1e-9)
        assert found.p == max(found.p_these, found.p_others)


def regressed(given: Points) -> float:
    """By least squares with a dummy for each person."""
    dummies = (given.people[:, None] == np.unique(given.people)).astype(float)
    design = np.column_stack([given.x, dummies])
    return float(np.linalg.lstsq(design, given.y, rcond=None)[0][0])


def jackknife(given: Points, units: Floats) -> float:
    left = [regressed(given.of(units != unit)) for unit in np.unique(units)]
    return float(np.sqrt((len(left) - 1) * np.var(left)))


@pytest.mark.slow
@pytest.mark.parametrize("people", [1, 3, 10])
def test_no_trend_is_seldom_called_one(people: int) -> None:
    """With hard and easy questions, good and poor people, and an order for each: at most one study in twenty."""
    dice = np.random.default_rng(people)
    shown = 0
    for _ in range(1000):
        hard = dice.normal(0, 1.2, 40)
        each = []
        for skill in dice.normal(0.8, 0.5, people):
            place = dice.permutation(40) + 1.0
            right = dice.random(40) < 1 / (1 + np.exp(-(skill + hard)))
            each.append((place, right.astype(float), np.arange(40)))
        found = slope(Points.of_people(each))
        shown += found is not None and found.p <= 0.05
    assert shown <= 1000 * 0.05 + 2 * (1000 * 0.05 * 0.95) ** 0.5
