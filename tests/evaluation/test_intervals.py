from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from tests.rows import each_row

from anagnosis.evaluation.intervals import estimate, from_influence, percentiles, wilson

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
CREDITS = st.lists(st.sampled_from([0.0, 1.0, 1 / 2, 1 / 3, 1 / 7]), min_size=1, max_size=30).map(np.array)


def right(k: int, n: int) -> np.ndarray:
    return np.repeat([1.0, 0.0], [k, n - k])


@given(COUNTS, st.sampled_from([0.8, 0.95, 0.99]))
def test_right_and_wrong_answers_have_the_interval_that_scipy_gives(
    counts: tuple[int, int], level: float
) -> None:
    k, n = counts
    found = estimate(right(k, n), level=level)
    oracle = binomtest(k, n).proportion_ci(confidence_level=level, method="wilson")
    assert found.value == pytest.approx(k / n)
    assert (found.n, found.effective, found.interval.method, found.interval.level) == (n, n, "Wilson", level)
    assert (found.interval.low, found.interval.high) == pytest.approx((oracle.low, oracle.high), abs=1e-12)


def test_the_published_interval_of_27_of_30_comes_out() -> None:
    interval = wilson(27 / 30, 30)  # SciBERT-MAX on TINY A
    assert (round(100 * interval.low, 1), round(100 * interval.high, 1)) == (74.4, 96.5)


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
    assert halves.interval.method == "Wilson, effective size"
    one = estimate(np.array([1 / 3]))
    assert one.effective < 1.3
    assert one.interval.high - one.interval.low > 0.7


def test_the_mean_of_thirds_is_exact() -> None:
    assert estimate(np.array([1 / 3] * 3 + [0.1] * 10)).value == 2 / 13


@each_row(
    ("chances", "credits", "n"),
    [
        ((0.3, 0.3, 0.4), (0, 1 / 2, 1), 30),
        ((0.1, 0.5, 0.4), (0, 1 / 3, 1), 100),
        ((0.02, 0.9, 0.08), (0, 1 / 2, 1), 100),
        ((0.0, 0.5, 0.5), (0, 1 / 2, 1), 30),
        ((0.85, 0.15, 0.0), (0, 1 / 4, 1), 200),
    ],
)
def test_the_interval_of_shared_credit_covers_the_truth_as_often_as_it_says(
    chances: tuple[float, ...], credits: tuple[float, ...], n: int
) -> None:
    random = np.random.default_rng(5)
    truth = float(np.dot(chances, credits))
    found = [estimate(random.choice(credits, n, p=chances)).interval for _ in range(800)]
    covered = np.mean([interval.low <= truth <= interval.high for interval in found])
    assert 0.93 <= covered <= 1
    plain = wilson(truth, n)
    assert np.mean([interval.high - interval.low for interval in found]) < plain.high - plain.low


@pytest.mark.parametrize(("documents", "p"), [(10, 0.5), (30, 0.8), (100, 0.6)])
def test_the_interval_by_document_covers_where_the_one_by_instance_does_not(documents: int, p: float) -> None:
    random = np.random.default_rng(3)
    hits = np.zeros(2)
    for _ in range(600):
        sizes = random.integers(1, 6, documents)
        own = np.repeat(random.beta(p / 2, (1 - p) / 2, documents), sizes)
        credits = (random.random(len(own)) < own).astype(float)
        of = np.repeat(np.arange(documents), sizes)
        intervals = (estimate(credits, of).interval, estimate(credits).interval)
        hits += [interval.low <= p <= interval.high for interval in intervals]
    by_document, by_instance = hits / 600
    assert 0.92 <= by_document <= 0.99
    assert by_instance < 0.85


def test_influences_of_a_plain_mean_are_its_deviations() -> None:
    credits = np.array([0.5, 0, 1, 1 / 3, 0.5])
    assert from_influence(float(credits.mean()), credits - credits.mean()).effective == pytest.approx(
        estimate(credits).effective
    )


def test_percentiles_are_values_that_were_drawn() -> None:
    drawn = np.arange(1001.0)[::-1]
    found = percentiles(drawn, 0.95, "x")
    assert (found.low, found.high) == (25, 975)
    assert (percentiles(drawn[:11], 0.95, "x").low, percentiles(drawn[:11], 0.95, "x").high) == (990, 1000)
    assert percentiles(np.array([3.0]), 0.95, "x").low == 3
