from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.evaluation.intervals import mean_credits, whole_numbers

FRACTIONS = st.lists(
    st.integers(1, 20).flatmap(lambda k: st.integers(0, k).map(lambda j: Fraction(j, k))), min_size=1
)


@given(FRACTIONS, FRACTIONS)
def test_fractions_become_whole_numbers_on_one_scale(one: list[Fraction], other: list[Fraction]) -> None:
    wholes, scale = whole_numbers(np.array([float(f) for f in one]), np.array([float(f) for f in other]))
    assert [Fraction(n, scale) for n in wholes[0].tolist()] == one
    assert [Fraction(n, scale) for n in wholes[1].tolist()] == other


def test_right_and_wrong_stay_1_and_0() -> None:
    (ours, theirs), scale = whole_numbers(np.array([1.0, 0.0]), np.array([0.0, 0.0]))
    assert (ours.tolist(), theirs.tolist(), scale) == ([1, 0], [0, 0], 1)


def test_credits_that_are_no_small_fractions_are_rounded_finely_and_equal_ones_stay_equal() -> None:
    random = np.random.default_rng(0)
    credits = random.random(3000)
    (ours, theirs), scale = whole_numbers(credits, credits[::-1])
    assert scale == 2**30
    assert np.abs(ours / scale - credits).max() <= 2**-31
    assert ours[0] == theirs[-1]
    _, scale = whole_numbers(np.array([0.123456789, 1.0]))
    assert scale == 2**30


def test_many_denominators_do_not_overflow() -> None:
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53]
    (ours,), scale = whole_numbers(np.array([1 / prime for prime in primes] * 1000))
    assert scale == 2**30
    assert ours.sum() < 2**53


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.integers(1, 20), min_size=n, max_size=n), min_size=1, max_size=4)
    )
)
def test_averages_over_runs_are_exact_whatever_is_tied(ties: list[list[int]]) -> None:
    means = [sum(Fraction(1, k) for k in column) / len(ties) for column in zip(*ties)]
    credits = mean_credits(np.array([[1 / k for k in run] for run in ties]))
    (wholes,), scale = whole_numbers(credits)
    assert [Fraction(n, scale) for n in wholes.tolist()] == means
    assert (
        mean_credits(np.array([[1 / k for k in run] for run in reversed(ties)])).tolist() == credits.tolist()
    )


def test_averages_with_large_denominators_stay_exact_among_many_values() -> None:
    # 19 · 17 · 13 · 3 = 12,597, and more different values than there are ties
    random = np.random.default_rng(1)
    ties = random.integers(1, 21, (3, 6250))
    ties[:, 0] = 19, 17, 13
    (wholes,), scale = whole_numbers(mean_credits(1 / ties))
    exact = [sum(Fraction(1, k) for k in column) / 3 for column in ties.T.tolist()]
    assert [Fraction(n, scale) for n in wholes.tolist()] == exact
