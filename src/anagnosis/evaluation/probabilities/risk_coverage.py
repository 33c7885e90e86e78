"""What is won by answering only where one is sure: the risk-coverage curve and the area under it.

Questions are answered in the order of confidence, the surest first; the risk at a coverage is the share of wrong ones
among those answered so far (El-Yaniv and Wiener 2010), and the area (AURC; Geifman et al. 2019) its mean over 1 … n
answered ones. Among equally sure questions the order is drawn at random, and the expectation of that draw is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.evaluation.intervals import LEVEL, Interval, wilson

COVERAGES = tuple(number / 20 for number in range(1, 21))


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
    answered = sorted({max(1, round(coverage * n)) for coverage in COVERAGES})
    points = (Point(k / n, k, float(risk[k - 1]), wilson(float(risk[k - 1]), k, LEVEL)) for k in answered)
    return RiskCoverage(tuple(points), float(risk.mean()), float(best.mean()))


def risks(confidence: Floats, errors: Floats) -> Floats:
    """float64 [n]: the expected risk of the 1, 2, … n surest questions. errors: float64 [n], 1 for a wrong answer."""
    order = np.argsort(-confidence, kind="stable")
    _, groups, sizes = np.unique(-confidence[order], return_inverse=True, return_counts=True)
    each = np.bincount(groups, errors[order]) / sizes
    return np.minimum(np.cumsum(each[groups]) / np.arange(1, len(errors) + 1), 1.0)
