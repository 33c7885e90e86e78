"""The tests are held to enumerations of all swaps and to other people's programs, and to the cases at the edge."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from tests.rows import each_row

from anagnosis.evaluation.differences import paired
from anagnosis.evaluation.differences.paired import bootstrap, randomisation
from anagnosis.evaluation.differences.ranked_pairs import holm, shown

HALVES = [Fraction(0), Fraction(1, 2), Fraction(1)]
THIRDS = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)]


def floats(credits: list[Fraction]) -> np.ndarray:
    return np.array([float(credit) for credit in credits])


def all_swaps(
    first: list[Fraction], second: list[Fraction], documents: list[int]
) -> tuple[Fraction, Fraction]:
    """(one-tailed, two-tailed) by going through every way of swapping documents, with exact sums."""
    differences: dict[int, Fraction] = {}
    for ours, theirs, document in zip(first, second, documents, strict=True):
        differences[document] = differences.get(document, Fraction(0)) + ours - theirs
    observed = sum(differences.values())
    sums = [
        sum(sign * d for sign, d in zip(signs, differences.values(), strict=True))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return (
        Fraction(sum(s >= observed for s in sums), len(sums)),
        Fraction(sum(abs(s) >= abs(observed) for s in sums), len(sums)),
    )


@each_row("by_document", [False, True])
@each_row("lumps", [10**6, -1])
@each_row("case", range(6))
def test_draws_come_near_to_all_swaps(
    case: int, by_document: bool, lumps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paired, "_LUMPS", lumps)
    dice = np.random.default_rng(case)
    values = np.array(THIRDS if case % 2 else HALVES)
    first, second = values[dice.integers(0, len(values), (2, 12))].tolist()
    documents = dice.integers(0, 7, 12).tolist()
    one, two = all_swaps(first, second, documents if by_document else list(range(12)))
    found = randomisation(
        floats(first), floats(second), np.array(documents) if by_document else None, seed=case, draws=20_000
    )
    assert found.one_tailed == pytest.approx(float(one), abs=0.015)
    assert found.two_tailed == pytest.approx(float(two), abs=0.015)


def test_many_different_differences_are_drawn_by_signs_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(0)
    first, second = dice.random((2, 40))
    monkeypatch.setattr(paired, "_LUMPS", 10**6)
    lumped = randomisation(first, second, seed=1, draws=20_000)
    monkeypatch.setattr(paired, "_LUMPS", -1)
    monkeypatch.setattr(paired, "_CELLS", 40 * 333)
    signs = randomisation(first, second, seed=1, draws=20_000)
    assert signs.one_tailed == pytest.approx(lumped.one_tailed, abs=0.015)
    assert signs.two_tailed == pytest.approx(lumped.two_tailed, abs=0.015)
    assert signs != lumped


def test_p_counts_ties_with_the_observed_difference_and_the_observation_itself() -> None:
    # one instance: +1 or -1 with equal chance, so a strict sign would say p = 0
    found = randomisation(np.array([1.0]), np.array([0.0]), seed=0, draws=9)
    assert found.two_tailed == 1
    ours = np.random.default_rng(0).binomial(1, 0.5, 9).sum()
    assert found.one_tailed == (1 + ours) / (1 + 9)
    # never zero, however clear the difference
    clear = randomisation(np.ones(200), np.zeros(200), seed=0, draws=99)
    assert (clear.one_tailed, clear.two_tailed) == (1 / 100, 1 / 100)


@pytest.mark.parametrize("lumps", [10**6, -1])
def test_the_bootstrap_interval_is_that_of_resampled_means(
    lumps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paired, "_LUMPS", lumps)
    monkeypatch.setattr(paired, "_CELLS", 100 * 777)
    dice = np.random.default_rng(2)
    first, second = dice.choice([0, 0.5, 1], 100), dice.choice([0, 0.5, 1], 100, p=[0.5, 0.2, 0.3])
    found = bootstrap(first, second, seed=0, draws=20_000)
    difference = first - second
    middle, error = difference.mean(), difference.std() / 10
    assert found.low == pytest.approx(middle - 1.96 * error, abs=0.012)
    assert found.high == pytest.approx(middle + 1.96 * error, abs=0.012)
    assert found.method == "paired bootstrap by instance"


@pytest.mark.parametrize("lumps", [10**6, -1])
def test_documents_are_resampled_whole(lumps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paired, "_LUMPS", lumps)
    dice = np.random.default_rng(2)
    sizes = dice.integers(1, 6, 60)
    documents = np.repeat(np.arange(60), sizes)
    first = np.repeat((dice.random(60) < 0.7).astype(float), sizes)
    second = np.repeat((dice.random(60) < 0.4).astype(float), sizes)
    found = bootstrap(first, second, documents, seed=0, draws=20_000)
    sums = np.bincount(documents, first - second)
    middle = sums.sum() / sizes.sum()
    error = np.sqrt(np.sum((sums - middle * sizes) ** 2)) / sizes.sum()  # of a ratio of means
    assert found.low == pytest.approx(middle - 1.96 * error, abs=0.02)
    assert found.high == pytest.approx(middle + 1.96 * error, abs=0.02)
    alone = bootstrap(first, second, seed=0)
    assert found.high - found.low > 1.4 * (alone.high - alone.low)


@each_row(
    ("p", "adjusted"),
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.04, 0.01], [0.04, 0.02]),
        ([0.5, 0.9], [1.0, 1.0]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
    ],
)
def test_holm_by_hand(p: list[float], adjusted: list[float]) -> None:
    assert holm(p) == pytest.approx(adjusted)


def test_a_ranking_shows_the_next_best_and_the_first() -> None:
    assert shown(4) == [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)]
    assert [len(shown(k)) for k in range(2, 21)] == [2 * k - 3 for k in range(2, 21)]
