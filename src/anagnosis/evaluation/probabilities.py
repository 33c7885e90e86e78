"""How far one can rely on what a system says of its own answers: calibration error, and risk by coverage.

*Expected calibration error*: answers sorted by confidence (the probability of the answer that was given) and cut into
bins of equal mass (Nguyen and O'Connor 2015); the mean over bins, by their size, of |accuracy − confidence|. Equal
confidences are never parted, so that the order of the instances says nothing.

This error is above 0 even for a perfect forecaster, since chance moves each bin's accuracy, and drawing answers anew
adds chance once more: percentiles of such draws lie above the true error. So the true error is found by inversion. The
bins' gaps lie around true gaps, with the covariance of sums over units (answers that stand or fall together), each by a
t distribution with as many degrees of freedom as the bin has units, less one.
True gaps are taken in proportion to those that were seen. For a true error e that gives a distribution of the binned
error, and

    p          the chance of at least the error that was seen where e = 0 (consistency resampling: Bröcker and Smith
               2007, here by unit)
    debiased   the e for which what was seen is the median (0 where a perfect forecaster has as much half of the time)
    interval   the e for which what was seen is in the middle 95 %. An error below the median of a perfect forecaster
               counts as that median, so that luck makes no interval narrow.

design/evaluation.md has a simulation of how often the interval holds the true error.

*Risk and coverage*, what is won by answering only where one is sure. Questions are answered in the order of confidence,
the surest first; the risk at a coverage is the share of wrong ones among those answered so far (El-Yaniv and Wiener
2010), and the area (AURC; Geifman et al. 2019) its mean over 1 … n answered ones. Among equally sure questions the
order is drawn at random, and the expectation of that draw is taken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Codes, Floats, Longs
from anagnosis.evaluation.intervals import LEVEL, Estimate, Interval, estimate, wilson
from anagnosis.evaluation.systems import System

BINS = 10
_DRAWS = 2000
_STEPS = 20  # of the search for a true error, to a millionth
_FLAT = 1e-12
_COVERAGES = tuple(number / 20 for number in range(1, 21))


@dataclass(frozen=True, slots=True)
class Confidence:
    """calibration: of the answers of all runs together. risk_coverage: of each run for itself, then means."""

    calibration: Calibration
    risk_coverage: RiskCoverage


def confidence_of(system: System, rows: Longs, credits: Floats, units: Codes) -> Confidence | None:
    """None where the lines do not tell a probability for every answer, or nothing was answered.

    rows: int64 [m], the instances that count. credits: float64 [runs, m]. units: int [m], what is independent.
    """
    found = [run.confidence[rows] for run in system.runs if run.confidence is not None]
    probabilities = np.array(found, np.float64)
    if len(found) < len(system.runs) or np.isnan(probabilities).any() or not probabilities.any():
        return None
    every = np.tile(units, len(system.runs))
    return Confidence(
        calibration(probabilities.ravel(), credits.ravel(), every), risk_coverage(probabilities, credits)
    )


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of like confidence. confidence: their mean; accuracy: with its interval."""

    confidence: float
    accuracy: Estimate


@dataclass(frozen=True, slots=True)
class Calibration:
    """error: the expected calibration error of the bins. by_chance: what a perfect forecaster would have in such bins.

    debiased: the true error, without what chance adds; interval: of the true error. p: of perfect calibration.
    """

    bins: tuple[Bin, ...]
    confidence: float
    error: float
    by_chance: float
    debiased: float
    interval: Interval
    p: float


def calibration(confidence: Floats, credits: Floats, units: Codes) -> Calibration:
    """Of n answers, float64 [n] each, in [0, 1]. units: int [n], the same for answers that stand or fall together."""
    order = np.argsort(confidence, kind="stable")
    cuts = _cuts(confidence[order])
    found: list[Bin] = []
    chance = 0.0
    for start, stop in zip((0, *cuts[:-1]), cuts, strict=True):
        own = order[start:stop]
        said = confidence[own]
        right = estimate(credits[own], units[own])
        found.append(Bin(float(said.mean()), right))
        variance = float((said * (1 - said)).mean()) / right.effective
        chance += len(own) * math.sqrt(2 * variance / math.pi)
    n = len(confidence)
    gaps, covariance, there = _gaps(confidence, credits, units, order, cuts)
    error = float(np.abs(gaps).sum())
    debiased, interval, p = _true_error(gaps, _noise(covariance, there), np.diff([0, *cuts]) / n)
    return Calibration(
        bins=tuple(found),
        confidence=math.fsum(confidence.tolist()) / n,
        error=error,
        by_chance=chance / n,
        debiased=debiased,
        interval=interval,
        p=p,
    )


def words(found: Calibration) -> str:
    """The error as a line: binned, by chance, and the true one with its interval and the test."""
    return (
        f"binned error {found.error:.3f} ({found.by_chance:.3f} by chance), without chance {found.debiased:.3f} "
        f"[{found.interval.low:.3f}, {found.interval.high:.3f}], p of perfect calibration {found.p:.2g}"
    )


def _gaps(
    confidence: Floats, credits: Floats, units: Codes, order: Longs, cuts: list[int]
) -> tuple[Floats, Floats, Longs]:
    """Sums over a bin of confidence − credit, by all answers, float64 [bins]; their covariance, [bins, bins]; units.

    A bin's variance is never taken below that of independent answers with one more right and one more wrong: where all
    of a few answers are right, the sums of units say that nothing varies.
    """
    n, sizes = len(confidence), np.diff([0, *cuts])
    place = np.empty(n, np.int64)
    place[order] = np.repeat(np.arange(len(cuts)), sizes)
    gaps = np.bincount(place, confidence - credits)
    _, unit = np.unique(units, return_inverse=True)
    number = int(unit.max()) + 1
    sums = np.zeros((number, len(cuts)))
    np.add.at(sums, (unit, place), confidence - credits - (gaps / sizes)[place])
    there = np.bincount(np.unique(unit * len(cuts) + place) % len(cuts))  # units of each bin
    few = np.sqrt(there / np.maximum(there - 1, 1))
    covariance = sums.T @ sums * np.outer(few, few)
    right = (np.bincount(place, credits) + 1) / (sizes + 2)
    seen, least = np.diag(covariance), sizes * right * (1 - right)
    scale = np.sqrt(np.where(seen > 0, np.maximum(least / np.where(seen > 0, seen, 1), 1), 0))
    covariance = covariance * np.outer(scale, scale) + np.diag(np.where(seen > 0, 0, least))
    return gaps / n, covariance / n**2, there


def _noise(covariance: Floats, units: Longs) -> Floats:
    """float64 [DRAWS, bins]: what chance adds to the gaps, as often in one direction as in the other."""
    random = np.random.default_rng(0)
    values, vectors = np.linalg.eigh(covariance)
    freedom = np.maximum(units - 1, 1)
    half = _DRAWS // 2, len(units)
    drawn = random.standard_normal(half) @ (vectors * np.sqrt(np.maximum(values, 0))).T
    drawn *= np.sqrt(freedom / random.chisquare(freedom, half))
    return np.vstack([drawn, -drawn])


def _true_error(gaps: Floats, noise: Floats, shares: Floats) -> tuple[float, Interval, float]:
    """(debiased, interval, p); see the module. shares: float64 [bins], of the answers."""
    error = float(np.abs(gaps).sum())
    shape = gaps / error if error > 0 else shares

    def at_least(seen: float, true: float) -> float:
        """The chance of at least that binned error where the true one is so large."""
        return (1 + int((np.abs(true * shape + noise).sum(1) >= seen - _FLAT).sum())) / (1 + _DRAWS)

    def found(seen: float, chance: float) -> float:
        """The true error with this chance of at least what was seen, 0 where no true error has so little."""
        low, high = 0.0, 1.0
        if at_least(seen, low) >= chance:
            return low
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if at_least(seen, middle) < chance else (low, middle)
        return high

    tail = (1 - LEVEL) / 2
    usual = max(error, float(np.median(np.abs(noise).sum(1))))
    interval = Interval(found(error, tail), found(usual, 1 - tail), LEVEL, "inversion, by unit")
    return min(found(error, 0.5), error), interval, at_least(error, 0.0)


def _cuts(ordered: Floats) -> list[int]:
    """Where the bins end: after every n/bins-th answer, moved on to where its value ends."""
    n = len(ordered)
    wanted = [n * number // BINS for number in range(1, BINS + 1)]
    ends = (int(np.searchsorted(ordered, ordered[end - 1], side="right")) for end in wanted if end)
    return sorted(set(ends))


@dataclass(frozen=True, slots=True)
class Point:
    """risk: among the `answered` surest questions, which are `coverage` of all; interval: Wilson's, by question."""

    coverage: float
    answered: int
    risk: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """area: mean risk over all coverages. best: that of a confidence that puts every wrong answer last.

    A confidence that says nothing has the risk of the last point, at which everything is answered, as its area.
    """

    points: tuple[Point, ...]
    area: float
    best: float


def risk_coverage(confidence: Floats, credits: Floats) -> RiskCoverage:
    """Of one or several runs over n questions, float64 [runs, n] each: every run by its own confidence, then means."""
    runs = zip(confidence, credits, strict=True)
    risk = np.mean([risks(own, 1 - right) for own, right in runs], axis=0)
    best = np.mean([risks(right, 1 - right) for right in credits], axis=0)
    n = len(risk)
    answered = sorted({max(1, round(coverage * n)) for coverage in _COVERAGES})
    points = (Point(k / n, k, float(risk[k - 1]), wilson(float(risk[k - 1]), k)) for k in answered)
    return RiskCoverage(tuple(points), float(risk.mean()), float(best.mean()))


def risks(confidence: Floats, errors: Floats) -> Floats:
    """float64 [n]: the expected risk of the 1, 2, … n surest questions. errors: float64 [n], 1 for a wrong answer."""
    order = np.argsort(-confidence, kind="stable")
    _, groups, sizes = np.unique(-confidence[order], return_inverse=True, return_counts=True)
    each = np.bincount(groups, errors[order]) / sizes
    return np.minimum(np.cumsum(each[groups]) / np.arange(1, len(errors) + 1), 1.0)
