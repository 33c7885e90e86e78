"""Reliability bins and their error: by hand, as properties, and where there is hardly anything."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.evaluation import probabilities
from anagnosis.evaluation.probabilities import Calibration, RiskCoverage, calibration, risk_coverage, risks


def made(confidence: list[float], credits: list[float]) -> Calibration:
    return calibration(np.array(confidence), np.array(credits), np.arange(len(credits)))


def test_an_error_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bins: .6 said, 1 of 2 right; .9 said, 2 of 2 right: (2·.1 + 2·.1) / 4."""
    monkeypatch.setattr(probabilities, "BINS", 2)
    found = made([0.5, 0.7, 0.9, 0.9], [1, 0, 1, 1])
    assert [(each.confidence, each.accuracy.value, each.accuracy.n) for each in found.bins] == [
        (pytest.approx(0.6), 0.5, 2),
        (pytest.approx(0.9), 1.0, 2),
    ]
    assert found.error == pytest.approx(0.1)
    assert found.bins[0].accuracy.interval.method.startswith("Wilson")


def test_what_chance_makes_of_answers_is_that_of_their_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty copies of each answer by one model are one answer: the error by chance is that of the forty alone."""
    monkeypatch.setattr(probabilities, "BINS", 2)
    said, right = np.linspace(0.4, 0.9, 40), (np.arange(40) % 3 > 0).astype(float)
    alone = calibration(said, right, np.arange(40))
    units = np.repeat(np.arange(40), 40)
    copied = calibration(np.repeat(said, 40), np.repeat(right, 40), units)
    apart = calibration(np.repeat(said, 40), np.repeat(right, 40), np.arange(1600))
    assert copied.by_chance == pytest.approx(alone.by_chance, rel=0.1)
    assert apart.by_chance < 0.2 * alone.by_chance


def test_what_chance_makes_of_calibrated_answers_is_told() -> None:
    random = np.random.default_rng(2)
    found: list[float] = []
    for _ in range(200):
        said = random.uniform(0.34, 1, 300)
        found.append(made(said.tolist(), (random.random(300) < said).astype(float).tolist()).error)
    said = np.linspace(0.34, 1, 300)
    told = made(said.tolist(), (np.arange(300) % 3 > 0).astype(float).tolist()).by_chance
    assert told == pytest.approx(np.mean(found), rel=0.1)


@pytest.mark.parametrize(
    ("confidence", "credits", "bins", "error"),
    [
        ([0.5], [1.0], 1, 0.5),  # one answer
        ([0.6] * 5, [1.0, 1, 1, 0, 0], 1, 0.0),  # all equally sure: one bin
        ([1.0] * 4, [1.0] * 4, 1, 0.0),  # certain and right
        ([0.0] * 4, [0.0] * 4, 1, 0.0),  # unanswered
    ],
)
def test_degenerate_answers(confidence: list[float], credits: list[float], bins: int, error: float) -> None:
    found = made(confidence, credits)
    assert len(found.bins) == bins
    assert found.error == pytest.approx(error)


def curve(confidence: list[float], credits: list[float]) -> RiskCoverage:
    return risk_coverage(np.array([confidence]), np.array([credits]))


def test_a_curve_by_hand() -> None:
    found = curve([0.9, 0.8, 0.7, 0.6], [1, 0, 1, 0])
    assert [(each.answered, each.coverage, each.risk) for each in found.points] == [
        (1, 0.25, 0),
        (2, 0.5, 0.5),
        (3, 0.75, pytest.approx(1 / 3)),
        (4, 1, 0.5),
    ]
    assert found.area == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 2) / 4)
    assert found.best == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4)
    assert found.points[1].interval.low < 0.5 < found.points[1].interval.high


def test_ties_are_taken_by_expectation_over_all_orders() -> None:
    errors = np.array([0.0, 1, 1, 0])
    drawn = [np.cumsum([errors[0], *own]) / np.arange(1, 5) for own in permutations(errors[1:])]
    assert risks(np.array([0.9, 0.5, 0.5, 0.5]), errors) == pytest.approx(np.mean(drawn, axis=0))


@given(st.lists(st.tuples(st.sampled_from([0.2, 0.5, 0.9]), st.booleans()), min_size=1, max_size=60))
def test_the_area_lies_between_the_best_and_the_worst(pairs: list[tuple[float, bool]]) -> None:
    confidence, credits = [c for c, _ in pairs], [float(right) for _, right in pairs]
    found = curve(confidence, credits)
    worst = curve([-right for right in credits], credits)
    assert found.best - 1e-12 <= found.area <= worst.area + 1e-12
    assert found.points[-1].risk == pytest.approx(1 - np.mean(credits))
    assert found.points[-1].coverage == 1


@pytest.mark.parametrize(("credit", "risk"), [(1.0, 0.0), (0.0, 1.0), (0.25, 0.75)])
def test_one_question(credit: float, risk: float) -> None:
    found = curve([0.4], [credit])
    assert [each.risk for each in found.points] == [risk]
    assert (found.area, found.best) == (risk, risk)


def test_each_run_answers_in_its_own_order() -> None:
    confidence, credits = np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([[1.0, 0], [0, 1]])
    found = risk_coverage(confidence, credits)
    assert [each.risk for each in found.points] == [0, 0.5]
