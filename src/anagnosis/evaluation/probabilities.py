"""How far one can rely on what a system says of its own answers: calibration error, and risk by coverage.

*Expected calibration error*: answers sorted by confidence (the probability of the answer that was given) and cut into
bins of equal mass (Nguyen and O'Connor 2015); the mean over bins, by their size, of |accuracy − confidence|. Equal
confidences are never parted, so that the order of the instances says nothing.

This error is above 0 even for a perfect forecaster, since chance moves each bin's accuracy; what a perfect forecaster
would have by chance stands beside it.

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
from anagnosis.evaluation.intervals import Estimate, Interval, estimate, wilson
from anagnosis.evaluation.systems import System

BINS = 10
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
    """error: the expected calibration error of the bins. by_chance: what a perfect forecaster has in such bins."""

    bins: tuple[Bin, ...]
    confidence: float
    error: float
    by_chance: float


def calibration(confidence: Floats, credits: Floats, units: Codes) -> Calibration:
    """Of n answers, float64 [n] each, in [0, 1]. units: int [n], the same for answers that stand or fall together."""
    order = np.argsort(confidence, kind="stable")
    cuts = _cuts(confidence[order])
    found: list[Bin] = []
    error = chance = 0.0
    for start, stop in zip((0, *cuts[:-1]), cuts, strict=True):
        own = order[start:stop]
        said = confidence[own]
        right = estimate(credits[own], units[own])
        found.append(Bin(float(said.mean()), right))
        variance = float((said * (1 - said)).mean()) / right.effective
        error += abs(float((said - credits[own]).sum()))
        chance += len(own) * math.sqrt(2 * variance / math.pi)
    n = len(confidence)
    return Calibration(tuple(found), math.fsum(confidence.tolist()) / n, error / n, chance / n)


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
