"""The test over runs: against scipy's Welch, published means, a nested analysis by brute force, and simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t, ttest_1samp, ttest_ind

from anagnosis.evaluation.differences.over_runs import covariance_of_means, over_runs

VALUES = st.lists(st.floats(0, 1), min_size=2, max_size=6, unique=True)


def p_of(difference: float, parts: list[float], freedoms: list[float]) -> Any:
    """Two-tailed, by t; the parts of the variance have these degrees of freedom, joined by Satterthwaite."""
    variance = sum(parts)
    freedom = variance**2 / sum(part**2 / own for part, own in zip(parts, freedoms, strict=True))
    return pytest.approx(2 * t.sf(abs(difference) / math.sqrt(variance), freedom))


@given(VALUES, VALUES)
def test_where_questions_add_nothing_it_is_welch_s_test_over_runs(
    first: list[float], second: list[float]
) -> None:
    fewer = min(len(first), len(second))
    ours, theirs = np.array(first[:fewer]), np.array(second[:fewer])
    if ours.std() + theirs.std() < 1e-6:
        return
    size = 2 * fewer
    found = over_runs(ours, theirs, np.zeros((size, size)), 1000)
    assert found.p == pytest.approx(ttest_ind(ours, theirs, equal_var=False).pvalue, abs=1e-9)
    assert found.runs == (fewer, fewer)


def test_unequal_numbers_of_runs_have_fewer_degrees_of_freedom_than_welch_s() -> None:
    few, many = np.array([0.5, 0.54, 0.58]), np.linspace(0.4, 0.49, 10)
    found = over_runs(few, many, np.zeros((13, 13)), 1000)
    parts = few.var(ddof=1) / 3, many.var(ddof=1) / 10
    freedom = sum(parts) / (parts[0] / 2 + parts[1] / 9)
    assert found.p == pytest.approx(2 * t.sf((few.mean() - many.mean()) / math.sqrt(sum(parts)), freedom))
    assert found.p > ttest_ind(few, many, equal_var=False).pvalue


def test_beside_two_runs_ten_count_as_two() -> None:
    """Two runs that agree by chance leave the scatter of the ten: (s₁² + s₂²) / 2 with 1 to 2 degrees of freedom."""
    two, ten = np.array([0.55, 0.5502]), np.linspace(0.42, 0.50, 10)
    found = over_runs(two, ten, np.zeros((12, 12)), 1000)
    parts = [two.var(ddof=1) / 2, ten.var(ddof=1) / 2]
    assert found.p == p_of(two.mean() - ten.mean(), parts, [1, 1])
    assert found.p > 0.1 > 0.001 > ttest_ind(two, ten, equal_var=False).pvalue
    folds = over_runs(two, ten, np.zeros((12, 12)), 1000, folds=(False, True))
    assert folds.p == p_of(two.mean() - ten.mean(), [parts[0], parts[1] * 3], [1, 1])  # 1/2 + 1/1 for 1/2


def test_the_joint_test_by_hand() -> None:
    """Two runs each on four questions: sums of squares by a nested analysis of variance, without the module."""
    ours = np.array([[1, 1, 0, 1, 1, 0, 1, 1], [1, 1, 1, 1, 0, 1, 1, 1]], float)
    theirs = np.array([[1, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0, 1, 0, 1, 1, 1]], float)
    n, runs = 8, 2
    covariance = np.cov(np.vstack([ours, theirs])) / n
    scatter = [values.mean(1).var(ddof=1) / runs for values in (ours, theirs)]
    chosen = covariance[0, 1] + covariance[2, 3] - 2 * covariance[:2, 2:].mean()
    alone = [(np.trace(block) - 2 * block[0, 1]) / 2 for block in (covariance[:2, :2], covariance[2:, 2:])]
    variance = max(sum(scatter), sum(alone) / runs) + max(chosen, 0)
    freedom = variance**2 / (sum(part**2 for part in scatter) + max(chosen, 0) ** 2 / (n - 1))
    joint = 2 * t.sf((ours.mean() - theirs.mean()) / math.sqrt(variance), freedom)
    welch = ttest_ind(ours.mean(1), theirs.mean(1), equal_var=False).pvalue
    found = over_runs(ours.mean(1), theirs.mean(1), covariance_of_means(np.vstack([ours, theirs])), n)
    assert covariance_of_means(np.vstack([ours, theirs])) == pytest.approx(covariance)
    assert found.p == pytest.approx(max(joint, welch))


def test_questions_of_one_document_are_drawn_as_one() -> None:
    credits = np.random.default_rng(0).integers(0, 2, (3, 40)).astype(float)
    twice = np.repeat(credits, 2, axis=1)
    by_document = covariance_of_means(twice, np.repeat(np.arange(40), 2))
    assert by_document == pytest.approx(covariance_of_means(credits))
    assert np.trace(covariance_of_means(twice)) < 0.6 * np.trace(by_document)


def test_two_single_runs_say_nothing_of_their_recipes() -> None:
    assert over_runs(np.array([0.7]), np.array([0.4]), np.eye(2) / 500, 500) is None


def test_a_single_run_is_taken_to_scatter_as_the_other_system_does() -> None:
    three, one = np.array([0.48, 0.50, 0.52]), np.array([0.56])
    found = over_runs(one, three, np.zeros((4, 4)), 500)
    other_way = over_runs(three, one, np.zeros((4, 4)), 500)
    # .06 / (.02 √(1 + 1/3)) with 2 degrees of freedom, as a prediction of a further run.
    assert found.p == pytest.approx(2 * t.sf(0.06 / (0.02 * math.sqrt(4 / 3)), 2))
    assert (other_way.p, other_way.runs) == (pytest.approx(found.p), (3, 1))


def test_a_reader_that_is_not_trained_does_not_scatter() -> None:
    three, one = np.array([0.48, 0.50, 0.52]), np.array([0.56])
    found = over_runs(one, three, np.zeros((4, 4)), 500, fixed=(True, False))
    # A t-test of three runs against a number.
    assert found.p == pytest.approx(ttest_1samp(three, 0.56).pvalue)
    questions = np.diag([0.004, 0.0001, 0.0001, 0.0001])  # all of what questions do to the fixed one counts
    wider = over_runs(one, three, questions, 500, fixed=(True, False))
    assert wider.p == p_of(0.06, [0.02**2 / 3, 0.004], [2, 499])


def test_folds_scatter_too_little_and_are_corrected_for_it() -> None:
    """Of ten folds beside five runs: the folds' part of the variance is 1/10 + 1/9 of theirs."""
    folds, runs = np.linspace(0.5, 0.54, 10), np.linspace(0.45, 0.49, 5)
    found = over_runs(folds, runs, np.zeros((15, 15)), 500, folds=(True, False))
    parts = folds.var(ddof=1) * (1 / 10 + 1 / 9), runs.var(ddof=1) / 5
    freedom = sum(parts) / (parts[0] / 9 + parts[1] / 4)
    assert found.p == pytest.approx(2 * t.sf((folds.mean() - runs.mean()) / math.sqrt(sum(parts)), freedom))


def test_folds_of_two_recipes_are_paired() -> None:
    """Nadeau and Bengio's corrected t-test of the differences, by hand."""
    random = np.random.default_rng(0)
    level = random.normal(0.5, 0.05, 10)
    ours, theirs = level + random.normal(0.02, 0.005, 10), level
    found = over_runs(ours, theirs, np.zeros((20, 20)), 500, folds=(True, True))
    apart = ours - theirs
    error = math.sqrt((1 / 10 + 1 / 9) * apart.var(ddof=1))
    assert found.p == pytest.approx(2 * t.sf(apart.mean() / error, 9))
    unpaired = over_runs(ours, theirs, np.zeros((20, 20)), 500)
    assert unpaired.p > 0.2 > 0.01 > found.p


def test_questions_count_for_paired_folds_too() -> None:
    credits = np.random.default_rng(3).integers(0, 2, (8, 60)).astype(float)
    covariance = covariance_of_means(credits)
    found = over_runs(credits[:4].mean(1), credits[4:].mean(1), covariance, 60, folds=(True, True))
    apart = credits[:4] - credits[4:]
    of_folds = np.cov(apart) / 60
    alone = np.diag(of_folds).mean() - (of_folds.sum() - np.trace(of_folds)) / 12
    shared = max(np.diag(of_folds).mean() - alone, 0)
    least = max((1 / 4 + 1 / 3) * apart.mean(1).var(ddof=1), alone / 4)
    of_runs = (1 / 4 + 1 / 3) * apart.mean(1).var(ddof=1)
    freedom = (least + shared) ** 2 / (of_runs**2 / 3 + shared**2 / 59)
    assert found.p == pytest.approx(2 * t.sf(abs(apart.mean()) / math.sqrt(least + shared), freedom))


def test_runs_that_do_not_scatter_leave_it_to_the_questions() -> None:
    ours, theirs = np.full(3, 0.6), np.full(3, 0.5)
    questions = np.full((6, 6), 0.0)
    questions[:3, :3] = questions[3:, 3:] = 0.0004  # c = 2 · .0004
    found = over_runs(ours, theirs, questions, 401)
    assert found.p == pytest.approx(2 * t.sf(0.1 / math.sqrt(0.0008), 400))
    same = over_runs(ours, ours, np.zeros((6, 6)), 401)
    assert same.p == 1.0


def test_a_single_document_shows_nothing() -> None:
    found = over_runs(np.array([1.0, 0.9]), np.array([0.1, 0.0]), np.zeros((4, 4)), 1)
    assert found.p == 1.0
