"""Intervals of an accuracy beside scipy and formulas, and sums of credits that are exact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, t

from anagnosis.evaluation.differences.paired import bootstrap
from anagnosis.evaluation.intervals import estimate, mean_credits, of_f1s, percentiles, whole_numbers
from anagnosis.evaluation.measures.macro_f1 import macro_f1

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


@given(CREDITS, st.randoms())
def test_the_order_of_instances_and_the_names_of_documents_do_not_matter(credits: np.ndarray, random) -> None:
    documents = np.array([random.randrange(3) for _ in credits])
    order = random.sample(range(len(credits)), len(credits))
    one = estimate(credits, documents)
    other = estimate(credits[order], 7 - documents[order])
    assert other.value == one.value
    assert other.interval.low == pytest.approx(one.interval.low)


def test_a_document_whose_instances_are_all_alike_counts_as_one_answer() -> None:
    assert estimate(np.ones(1000), np.repeat(np.arange(200), 5)).effective == 200
    assert estimate(np.ones(6), np.zeros(6, int)).effective == 1
    assert estimate(right(3, 6), np.zeros(6, int)).effective == 1


def test_documents_are_worth_what_korn_and_graubard_say() -> None:
    credits = np.array([1, 1, 1, 0, 0, 1, 0, 0, 1, 1.0])
    documents = np.array([0, 0, 0, 1, 1, 1, 2, 2, 3, 3])
    p, n, g = 0.6, 10, 4
    variance = g / (g - 1) * sum((credits[documents == d] - p).sum() ** 2 for d in range(g)) / n**2
    effective = (p * (1 - p) / variance) * (n / (n - 1)) * (t.ppf(0.975, 9) / t.ppf(0.975, 3)) ** 2
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


@given(CREDITS, st.lists(st.booleans(), min_size=30, max_size=30).filter(lambda own: own[0]))
def test_what_is_not_judged_changes_nothing(credits: np.ndarray, judged: list[bool]) -> None:
    counts, documents = np.array(judged[: len(credits)]), np.arange(len(credits)) // 2
    for units in (None, documents):
        some = None if units is None else units[counts]
        assert estimate(credits, units, counts) == estimate(credits[counts], some)


def test_runs_that_judge_different_instances_have_the_mean_of_their_means() -> None:
    credits = np.array([[1, 0, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0.0]])
    judged = np.array([[1, 1, 1, 0, 0, 0], [0, 1, 1, 1, 1, 0]], bool)
    found = estimate(credits, judged=judged)
    assert (found.value, found.n) == ((2 / 3 + 2 / 4) / 2, 5)
    # By how much an instance moves that mean, were it drawn twice.
    pulls = [(1 / 9) / 2, (-2 / 9 + 1 / 8) / 2, (1 / 9 - 1 / 8) / 2, (-1 / 8) / 2, (1 / 8) / 2]
    ratio = 5 * sum(pull**2 for pull in pulls) / (found.value * (1 - found.value))
    assert found.effective == pytest.approx(5 * 9 / (5 * ratio + 4))


def test_percentiles_are_values_that_were_drawn() -> None:
    drawn = np.arange(1012.0)[::-1]
    found, few = percentiles(drawn, 10**12, "x"), percentiles(drawn[:11], 10**12, "x")
    assert (found.low, found.high) == (25, 986)
    assert (few.low, few.high) == (1001, 1011)
    assert percentiles(np.array([3.0]), 1, "x").low == 3


def test_percentiles_of_few_units_lie_where_students_t_does() -> None:
    found = percentiles(np.arange(100_001.0), 20, "x")
    beyond = norm.cdf(t.ppf(0.025, 19) * (20 / 19) ** 0.5)
    assert (found.low, found.high) == (int(100_000 * beyond), 100_000 - int(100_000 * beyond))


# --- F1 ---------------------------------------------------------------------------------------------


def f1_parts(
    truth: np.ndarray, *answers: np.ndarray, labels: int = 3
) -> tuple[np.ndarray, np.ndarray, float]:
    """Of runs: whether each label is right and answered, and either, [runs, n, labels]; macro-F1."""
    right = np.repeat((truth[:, None] == np.arange(labels))[None], len(answers), axis=0)
    said = np.array([each[:, None] == np.arange(labels) for each in answers])
    value = np.mean([macro_f1(truth, each, labels) for each in answers])
    return right & said, right | said, float(value)


def f1_ends(right: int, either: int) -> tuple[float, float, float]:
    """Wilson's ends of the share, with Student's t; as F1, with F1 itself between."""
    n = either * (norm.ppf(0.975) / t.ppf(0.975, either)) ** 2
    z = norm.ppf(0.975) ** 2
    share = right / either
    low, high = sorted(np.roots([n + z, -(2 * n * share + z), n * share**2]).tolist())
    return tuple(2 * each / (1 + each) for each in (low, share, high))


def test_one_label_has_the_ends_of_its_share() -> None:
    truth, answers = np.repeat([0, 0, 1, 1], [20, 5, 8, 40]), np.repeat([0, 1, 0, 1], [20, 5, 8, 40])
    both, either, _ = f1_parts(truth, answers, labels=2)
    low, f1, high = f1_ends(20, 33)
    found = of_f1s(f1, both[..., :1], either[..., :1])
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_the_ends_of_macro_f1_come_from_its_labels_and_their_correlation() -> None:
    truth, answers = np.repeat([0, 0, 1, 1], [20, 5, 8, 40]), np.repeat([0, 1, 0, 1], [20, 5, 8, 40])
    both, either, value = f1_parts(truth, answers, labels=2)
    found = of_f1s(value, both, either)
    ends = [f1_ends(20, 33), f1_ends(40, 53)]
    # An error lowers both F1s by its share of each, a right answer raises one.
    shares = (20 / 33, 40 / 53)
    pulls = [both[0, :, k] - shares[k] * either[0, :, k] for k in (0, 1)]
    correlation = float(pulls[0] @ pulls[1] / np.sqrt((pulls[0] @ pulls[0]) * (pulls[1] @ pulls[1])))
    assert correlation > 0.2
    for end, side in ((found.low, 0), (found.high, 2)):
        one, other = (abs(own[1] - own[side]) for own in ends)
        far = (one**2 + other**2 + 2 * correlation * one * other) ** 0.5 / 2
        assert abs(end - value) == pytest.approx(far)


def test_nothing_right_of_two_labels_may_be_a_little_of_both() -> None:
    truth = np.repeat([0, 1], [25, 15])
    found = of_f1s(0.0, *f1_parts(truth, 1 - truth, labels=2)[:2])
    # Each label's 40 instances are the same, and none of them pulls its F1 from 0.
    far = f1_ends(0, 40)[2]
    assert (found.low, found.high) == (0, pytest.approx((2 * far**2) ** 0.5 / 2))


def test_documents_and_equal_runs_move_the_ends_as_they_move_an_accuracys() -> None:
    random = np.random.default_rng(2)
    truth = random.integers(0, 3, 60)
    answers = np.where(random.random(60) < 0.7, truth, 0)
    both, either, value = f1_parts(truth, answers)
    alone = of_f1s(value, both, either)
    again = of_f1s(value, *(np.repeat(each, 2, axis=0) for each in (both, either)))
    assert (again.low, again.high) == (pytest.approx(alone.low), pytest.approx(alone.high))
    fives = [np.repeat(each, 5, axis=1) for each in (both, either)]
    whole, apart = of_f1s(value, *fives, np.repeat(np.arange(60), 5)), of_f1s(value, *fives)
    assert (whole.low, whole.high) == (
        pytest.approx(alone.low, abs=0.02),
        pytest.approx(alone.high, abs=0.02),
    )
    assert apart.high - apart.low < 0.6 * (whole.high - whole.low)


def test_macro_f1_of_fewer_than_30_has_no_interval_nor_has_a_label_that_does_not_occur() -> None:
    truth = np.arange(30) % 3
    both, either, value = f1_parts(truth, truth)
    assert of_f1s(value, both, either) is not None
    assert of_f1s(value, both[:, 1:], either[:, 1:]) is None
    assert of_f1s(value, both, either, np.arange(30) // 2) is None
    assert of_f1s(1.0, both[:, 1:, :1], either[:, 1:, :1]) is not None
    assert of_f1s(0.0, both[..., :1] & False, either[..., :1] & False) is None


# --- coverage ---------------------------------------------------------------------------------------

TRIALS = 2_000


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 50, 100, 500])
@pytest.mark.parametrize("labels", [(0.55, 0.34, 0.11), (0.75, 0.25)])
@pytest.mark.parametrize("accuracy", [0.5, 0.7, 0.9])
def test_macro_f1_is_held_by_its_interval(n: int, labels: tuple[float, ...], accuracy: float) -> None:
    """Errors fall on the other labels alike. At least 93 % of intervals hold, at 1.5 times the bootstrap's width."""
    random = np.random.default_rng(n)
    k = len(labels)
    shares = np.where(np.eye(k) > 0, accuracy, (1 - accuracy) / (k - 1)) * np.array(labels)[:, None]
    f1 = np.diag(shares) * 2 / (shares.sum(0) + shares.sum(1))
    held, widths, drawn_widths = 0, [], []
    for trial in range(TRIALS):
        truth, answers = np.divmod(random.choice(k * k, n, p=shares.ravel()), k)
        both, either, value = f1_parts(truth, answers, labels=k)
        found = of_f1s(value, both, either)
        held += found.low <= f1.mean() <= found.high
        widths.append(found.high - found.low)
        if trial < 100:
            rows = random.integers(0, n, (200, n))
            values = [macro_f1(truth[own], answers[own], k) for own in rows]
            drawn_widths.append(np.subtract(*np.percentile(values, [97.5, 2.5])))
    assert held / TRIALS >= 0.93
    assert np.mean(widths) <= 1.5 * np.mean(drawn_widths)


RANKS = (np.array([0, 1, 1 / 2, 1 / 3, 1 / 4, 1 / 5]), np.array([0.6, 0.2, 0.1, 0.06, 0.04]))
F1S = (np.array([0, 0.2, 1 / 3, 0.5, 2 / 3, 0.8, 1]), np.array([0.1, 0.15, 0.2, 0.25, 0.15, 0.15]))


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 34, 85, 200])
@pytest.mark.parametrize("mean", [0.02, 0.05, 0.1, 0.3, 0.5])
@pytest.mark.parametrize("values", [RANKS, F1S], ids=["MRR", "F1"])
def test_a_bounded_mean_is_held_by_its_interval(n: int, mean: float, values: tuple) -> None:
    found, chances = values
    right = mean / (found[1:] @ chances)
    samples = np.random.default_rng(n).choice(found, (TRIALS, n), p=np.r_[1 - right, right * chances])
    held = [interval.low <= mean <= interval.high for interval in (estimate(own).interval for own in samples)]
    assert np.mean(held) >= 0.92


@pytest.mark.slow
@pytest.mark.parametrize("per_document", [1, 5])
def test_a_difference_over_20_documents_is_held_by_its_interval(per_document: int) -> None:
    random = np.random.default_rng(20)
    held = 0
    for _ in range(TRIALS):
        sizes = 1 + random.poisson(per_document - 1, 20)
        better = random.choice([1, -1, 0], 20, p=[0.25, 0.15, 0.6])
        first, second = (np.repeat(better == sign, sizes).astype(float) for sign in (1, -1))
        found = bootstrap(first, second, np.repeat(np.arange(20), sizes), draws=999, seed=0)
        held += found.low <= 0.1 <= found.high
    assert held / TRIALS >= 0.93


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
