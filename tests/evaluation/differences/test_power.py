"""The smallest difference that a comparison could show: Connor's equation, and documents that stand together."""

from __future__ import annotations

import numpy as np
import pytest
from tests.rows import each_row

from anagnosis.evaluation.differences.power import Detectable, detectable_between


def of(n: int, apart: int) -> Detectable:
    """Of n instances, of which so many are right by only one of two systems."""
    return detectable_between((np.arange(n) < apart) * 1.0, np.zeros(n))


def test_the_difference_solves_connors_equation() -> None:
    found = of(6250, 1250)
    left = found.difference * 6250**0.5
    right = 1.959964 * 0.2**0.5 + 0.841621 * (0.2 - found.difference**2) ** 0.5
    assert left == pytest.approx(right, rel=1e-6)
    assert round(found.difference, 4) == 0.0158
    assert (found.n, found.disagreement, found.alpha, found.power) == (6250, 0.2, 0.05, 0.8)


@each_row(("n", "apart"), [(30, 3), (3, 3), (1, 1), (100, 0)])
def test_too_few_disagreements_can_show_nothing(n: int, apart: int) -> None:
    assert of(n, apart).difference is None


def test_by_document_fewer_independent_differences_show_less() -> None:
    dice = np.random.default_rng(0)
    first, second = np.repeat(dice.integers(0, 2, (2, 400)).astype(float), 3, axis=1)
    documents = np.repeat(np.arange(400), 3)
    alone, together = detectable_between(first, second), detectable_between(first, second, documents)
    assert together.difference == pytest.approx(alone.difference * 3**0.5, rel=0.02)
    one_each = detectable_between(first, second, np.arange(1200))
    assert one_each == alone
