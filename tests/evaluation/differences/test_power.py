from __future__ import annotations

import numpy as np
import pytest
from tests.rows import each_row

from anagnosis.evaluation.differences.paired import mcnemar, randomisation
from anagnosis.evaluation.differences.power import detectable, detectable_between


def test_the_difference_solves_connors_equation() -> None:
    found = detectable(6250, 0.2)
    assert found.difference is not None
    left = found.difference * 6250**0.5
    right = 1.959964 * 0.2**0.5 + 0.841621 * (0.2 - found.difference**2) ** 0.5
    assert left == pytest.approx(right, rel=1e-6)
    assert round(found.difference, 4) == 0.0158
    assert (found.n, found.disagreement, found.alpha, found.power) == (6250, 0.2, 0.05, 0.8)


def test_more_instances_show_less_and_more_disagreement_hides_more() -> None:
    def of(n: int, disagreement: float, **options: float) -> float:
        found = detectable(n, disagreement, **options).difference
        assert found is not None
        return found

    assert of(25_000, 0.2) == pytest.approx(of(6250, 0.2) / 2, rel=0.01)
    assert of(6250, 0.1) < of(6250, 0.2)
    assert of(6250, 0.2, alpha=0.01) > of(6250, 0.2) > of(6250, 0.2, power=0.5)


@each_row(("n", "disagreement"), [(30, 0.1), (3, 1.0), (1, 0.5), (100, 0.0), (0, 0.0)])
def test_too_few_disagreements_can_show_nothing(n: int, disagreement: float) -> None:
    assert detectable(n, disagreement).difference is None


@pytest.mark.parametrize(("n", "disagreement"), [(300, 0.2), (1000, 0.05), (100, 0.4)])
def test_the_mid_p_test_finds_it_as_often_as_is_said(n: int, disagreement: float) -> None:
    difference = detectable(n, disagreement).difference
    assert difference is not None
    dice = np.random.default_rng(4)
    chances = [(disagreement + difference) / 2, (disagreement - difference) / 2, 1 - disagreement]
    found = np.zeros(2)
    for _ in range(1500):
        only_first, only_second, _ = dice.multinomial(n, chances)
        first, second = (
            np.repeat([1.0, 0.0], [only_first, only_second]),
            np.repeat([0.0, 1.0], [only_first, only_second]),
        )
        test = mcnemar(first, second)
        assert test is not None
        found += [test.mid_p <= 0.05, test.exact <= 0.05]
    mid_p, exact = found / 1500
    assert mid_p == pytest.approx(0.8, abs=0.03)
    assert 0.73 < exact < mid_p


def test_after_a_comparison_it_uses_the_disagreement_seen() -> None:
    first, second = np.repeat([1.0, 0.0, 1.0], [60, 40, 400]), np.repeat([0.0, 1.0, 1.0], [60, 40, 400])
    assert detectable_between(first, second) == detectable(500, 0.2)
    assert detectable_between(first, first).difference is None


def test_by_document_fewer_independent_differences_show_less() -> None:
    dice = np.random.default_rng(0)
    first, second = np.repeat(dice.integers(0, 2, (2, 400)).astype(float), 3, axis=1)
    documents = np.repeat(np.arange(400), 3)
    alone, together = detectable_between(first, second), detectable_between(first, second, documents)
    assert alone.difference is not None
    assert together.difference is not None
    assert together.difference == pytest.approx(alone.difference * 3**0.5, rel=0.02)
    one_each = detectable_between(first, second, np.arange(1200))
    assert one_each == alone


def test_by_document_the_randomisation_finds_it_as_often_as_is_said() -> None:
    dice = np.random.default_rng(7)
    documents = np.repeat(np.arange(150), 3)
    n, spread, most = 450, 3 * 0.3, 0.3
    difference = (
        0.9**0.5 * (1.959964 * n**0.5 + 0.841621 * (n - 1.959964**2 + 0.841621**2) ** 0.5) / (n + 0.841621**2)
    )
    chances = [(most + difference) / 2, (most - difference) / 2, 1 - most]
    hits, seen = 0, []
    for trial in range(500):
        outcome = np.repeat(dice.choice(3, 150, p=chances), 3)
        first, second = (outcome == 0).astype(float), (outcome == 1).astype(float)
        hits += randomisation(first, second, documents, seed=trial, draws=500).two_tailed <= 0.05
        seen.append(detectable_between(first, second, documents).difference)
    assert hits / 500 == pytest.approx(0.8, abs=0.06)
    assert np.mean(seen) == pytest.approx(difference, rel=0.05)
    assert spread == pytest.approx(0.9)
