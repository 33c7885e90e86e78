"""Intervals of an accuracy beside scipy and formulas, and sums of credits that are exact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from anagnosis.evaluation.intervals import estimate, from_influence, mean_credits, percentiles, whole_numbers

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
CREDITS = st.lists(st.sampled_from([0.0, 1.0, 1 / 2, 1 / 3, 1 / 7]), min_size=1, max_size=30).map(np.array)


def right(k: int, n: int) -> np.ndarray:
    return np.repeat([1.0, 0.0], [k, n - k])


@given(COUNTS)
def test_right_and_wrong_answers_have_the_interval_that_scipy_gives(counts: tuple[int, int]) -> None:
    k, n = counts
    found = estimate(right(k, n))
    oracle = binomtest(k, n).proportion_ci(method="wilson")
    assert found.value == pytest.approx(k / n)
    assert (found.n, found.effective, found.interval.method, found.interval.level) == (n, n, "Wilson", 0.95)
    assert (found.interval.low, found.interval.high) == pytest.approx((oracle.low, oracle.high), abs=1e-12)


@given(CREDITS, st.lists(st.integers(0, 4), min_size=30, max_size=30))
def test_an_interval_holds_its_mean_and_stays_in_0_to_1(credits: np.ndarray, documents: list[int]) -> None:
    alone = estimate(credits)
    clustered = estimate(credits, np.array(documents[: len(credits)]))
    for found in (alone, clustered):
        assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1
    assert clustered.value == alone.value
    assert 1 <= clustered.effective <= alone.effective * (1 + 1e-12)
    assert clustered.interval.low <= alone.interval.low + 1e-12
    assert clustered.interval.high >= alone.interval.high - 1e-12


@given(CREDITS)
def test_documents_of_one_instance_change_nothing(credits: np.ndarray) -> None:
    alone, clustered = estimate(credits), estimate(credits, np.arange(len(credits))[::-1])
    assert clustered.effective == pytest.approx(alone.effective)
    assert (clustered.interval.low, clustered.interval.high) == pytest.approx(
        (alone.interval.low, alone.interval.high)
    )


@given(CREDITS, st.randoms())
def test_the_order_of_instances_and_the_names_of_documents_do_not_matter(credits: np.ndarray, random) -> None:
    documents = np.array([random.randrange(3) for _ in credits])
    order = random.sample(range(len(credits)), len(credits))
    one = estimate(credits, documents)
    other = estimate(credits[order], 7 - documents[order])
    assert other.value == one.value
    assert other.interval.low == pytest.approx(one.interval.low)


def test_a_document_whose_instances_are_all_alike_counts_as_one_answer() -> None:
    documents = np.repeat(np.arange(200), 5)
    credits = np.repeat(right(120, 200), 5)
    found, one_each = estimate(credits, documents), estimate(right(120, 200))
    assert found.effective == pytest.approx(one_each.effective, rel=0.02)
    assert found.effective < 200  # fewer degrees of freedom
    assert estimate(np.ones(1000), documents).effective == 200
    assert estimate(np.ones(6), np.zeros(6, int)).effective == 1
    assert estimate(right(3, 6), np.zeros(6, int)).effective == 1


def test_documents_are_worth_what_korn_and_graubard_say() -> None:
    credits = np.array([1, 1, 1, 0, 0, 1, 0, 0, 1, 1.0])
    documents = np.array([0, 0, 0, 1, 1, 1, 2, 2, 3, 3])
    p, n, g = 0.6, 10, 4
    variance = g / (g - 1) * sum((credits[documents == d] - p).sum() ** 2 for d in range(g)) / n**2
    t = {3: 3.182446305, 9: 2.262157163}  # quantiles of Student's t at .975
    effective = (p * (1 - p) / variance) * (n / (n - 1)) * (t[9] / t[3]) ** 2
    assert estimate(credits, documents).effective == pytest.approx(effective, rel=1e-6)


def test_shared_credit_is_worth_more_than_guessing_but_not_certainty() -> None:
    halves = estimate(np.full(100, 0.5))
    assert halves.value == 0.5
    assert halves.effective == 100 * 104 / 4
    assert halves.interval.high - halves.interval.low > 0.03
    # Half the variance of right-or-wrong answers: 4 answers, averaged with four right-or-wrong ones.
    assert estimate(np.array([1.0, 0.5, 0.5, 0.0])).effective == pytest.approx(4 * 8 / (4 * 0.5 + 4))
    assert halves.interval.method == "Wilson, effective size"
    one = estimate(np.array([1 / 3]))
    assert one.effective < 1.3
    assert one.interval.high - one.interval.low > 0.7


def test_the_mean_of_thirds_is_exact() -> None:
    assert estimate(np.array([1 / 3] * 3 + [0.1] * 10)).value == 2 / 13


def test_influences_of_a_plain_mean_are_its_deviations() -> None:
    credits = np.array([0.5, 0, 1, 1 / 3, 0.5])
    assert from_influence(float(credits.mean()), credits - credits.mean()).effective == pytest.approx(
        estimate(credits).effective
    )


def test_percentiles_are_values_that_were_drawn() -> None:
    drawn = np.arange(1001.0)[::-1]
    found = percentiles(drawn, "x")
    assert (found.low, found.high) == (25, 975)
    assert (percentiles(drawn[:11], "x").low, percentiles(drawn[:11], "x").high) == (990, 1000)
    assert percentiles(np.array([3.0]), "x").low == 3


FRACTIONS = st.lists(
    st.integers(1, 20).flatmap(lambda k: st.integers(0, k).map(lambda j: Fraction(j, k))), min_size=1
)


@given(FRACTIONS, FRACTIONS)
def test_fractions_become_whole_numbers_on_one_scale(one: list[Fraction], other: list[Fraction]) -> None:
    wholes, scale = whole_numbers(np.array([float(f) for f in one]), np.array([float(f) for f in other]))
    assert [Fraction(n, scale) for n in wholes[0].tolist()] == one
    assert [Fraction(n, scale) for n in wholes[1].tolist()] == other


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
