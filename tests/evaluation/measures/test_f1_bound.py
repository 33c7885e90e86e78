"""The bound on the p of macro-F1, beside every swap and beside drawn ones."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from anagnosis.array_types import Floats, Longs
from anagnosis.evaluation.differences.swapped_statistics import swapped
from anagnosis.evaluation.measures.f1_bound import _EXPONENTS, f1_bound  # pyright: ignore[reportPrivateUsage]  (where it is tried)
from anagnosis.evaluation.measures.macro_f1 import counts, f1_by_label, mean_f1


def answered(truth: Longs, share: float, labels: int, random: np.random.Generator) -> Floats:
    """The counts of answers of which this share is right."""
    wrong = (truth + random.integers(1, labels, len(truth))) % labels
    return counts(truth, np.where(random.random(len(truth)) < share, truth, wrong), labels)


def value(sums: Floats) -> Floats:
    return mean_f1(*f1_by_label(sums))


def exact(first: Floats, second: Floats) -> float:
    """The share of all swaps that are as far apart."""
    apart, ours, theirs = second - first, first.sum(axis=0), second.sum(axis=0)
    moved = np.array([*product((0, 1), repeat=len(first))]) @ apart
    observed = abs(float(value(ours) - value(theirs)))
    return float((np.abs(value(ours + moved) - value(theirs - moved)) >= observed - 1e-12).mean())


@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("units", [6, 12, 14])
def test_it_is_never_below_the_p_of_all_swaps(labels: int, units: int) -> None:
    random = np.random.default_rng(labels * 100 + units)
    told = 0
    for _ in range(60):
        truth = np.concatenate([np.arange(labels), random.integers(0, labels, units - labels)])
        first, second = (answered(truth, share, labels, random) for share in (1.0, random.random() / 2))
        found = f1_bound(first, second)
        assert found >= exact(first, second)
        told += found < 1
    assert units < 12 or told > 10  # it tells something


def test_it_is_never_below_the_p_of_all_swaps_of_whole_documents() -> None:
    random = np.random.default_rng(5)
    for _ in range(40):
        truth = np.concatenate([np.arange(3), random.integers(0, 3, 33)])
        first, second = (answered(truth, share, 3, random) for share in (0.95, 0.3))
        first, second = (each.reshape(12, 3, -1).sum(axis=1) for each in (first, second))
        assert f1_bound(first, second) >= exact(first, second)


def test_a_clear_difference_is_far_below_what_draws_can_show() -> None:
    """PubMedQA's size: 500 questions, of which one in nine is a maybe."""
    random = np.random.default_rng(1)
    truth = np.repeat([0, 1, 2], [276, 169, 55])
    first, second = (answered(truth, share, 3, random) for share in (0.75, 0.45))
    drawn = swapped(first, second, (value, value), unit="instance", draws=2000, seed=0)
    assert drawn.two_tailed == 1 / 2001
    assert f1_bound(first, second) < 1e-8
    alike = answered(truth, 0.75, 3, random)
    assert f1_bound(first, alike) > swapped(first, alike, (value, value), unit="instance", seed=0).two_tailed


def plainly(first: Floats, second: Floats) -> float:
    """The formula of the module's docstring, label by label and unit by unit."""
    labels, found = first.shape[1] // 3, [1.0]
    for exponent in _EXPONENTS:  # Λ
        d = slack = exceeding = 0.0
        z = [0.0] * len(first)
        for label in range(labels):
            gold = sum(row[label] for row in first)
            x = [a[2 * labels + label] - b[2 * labels + label] for a, b in zip(first, second, strict=True)]
            y = [a[labels + label] - b[labels + label] for a, b in zip(first, second, strict=True)]
            given = [sum(row[labels + label] for row in system) for system in (first, second)]
            right = [sum(row[2 * labels + label] for row in system) for system in (first, second)]
            d += 2 * right[0] / (given[0] + gold) - 2 * right[1] / (given[1] + gold)
            middle = sum(given) / 2 + gold
            linear = [2 * middle * a - sum(right) * b for a, b in zip(x, y, strict=True)]
            reach: list[float] = []
            for sums in (y, linear):
                likely = math.sqrt(2 * exponent * sum(each**2 for each in sums))
                most = sum(abs(each) for each in sums)
                reach.append(min(likely, most))
                exceeding += 2 * math.exp(-exponent) if likely < most else 0
            least = middle**2 - reach[0] ** 2 / 4
            slack += reach[1] * (1 / least - 1 / middle**2) if least > 0 else math.inf
            z = [own + each / middle**2 for own, each in zip(z, linear, strict=True)]
        if abs(d) > slack:
            squares = sum(each**2 for each in z)
            found.append(2 * math.exp(-((abs(d) - slack) ** 2) / (2 * squares)) + exceeding)
    return min(found)


@pytest.mark.parametrize(("units", "share"), [(9, 0.1), (60, 0.3), (60, 0.9), (300, 0.55), (300, 0.05)])
def test_it_is_the_formula(units: int, share: float) -> None:
    random = np.random.default_rng(units)
    truth = np.concatenate([np.arange(3), random.integers(0, 3, units - 3)])
    first, second = (answered(truth, own, 3, random) for own in (0.8, share))
    assert f1_bound(first, second) == pytest.approx(plainly(first, second), rel=1e-6)
    assert units == 9 or share == 0.9 or f1_bound(first, second) < 1


def test_which_system_is_first_and_the_order_of_units_do_not_matter() -> None:
    random = np.random.default_rng(3)
    truth = np.repeat([0, 1, 2], [60, 40, 20])
    first, second = (answered(truth, share, 3, random) for share in (0.9, 0.4))
    assert f1_bound(first, second) == pytest.approx(f1_bound(second, first), rel=1e-12)
    assert f1_bound(first[::-1], second[::-1]) == pytest.approx(f1_bound(first, second), rel=1e-9)


def test_nothing_is_known_of_equal_systems_or_where_a_label_is_never_right() -> None:
    random = np.random.default_rng(4)
    truth = np.repeat([0, 1], 1000)
    right, wrong = answered(truth, 0.9, 3, random), answered(truth, 0.2, 3, random)
    assert f1_bound(right, wrong) == 1.0  # the third label counts in some swaps alone
    of_two = [np.delete(each, (2, 5, 8), axis=1) for each in (right, wrong)]
    assert f1_bound(of_two[0], of_two[1]) < 1e-9
    assert f1_bound(right, right) == 1.0
