"""Before runs are there: which difference will the test of `over_runs.py` find with a chance?

How much a few runs scatter is itself chance: two of them may look alike and three far apart, and the test's bound moves
with that. So the bound is taken at many draws of the runs' variances, each as probable as the others, by quantiles of
χ², and the chance to exceed it is their mean. Values of runs are taken as normal, as the test takes them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.evaluation.differences.power import ALPHA, POWER

_QUANTILES = 40  # of each variance; six times as many move no difference by a third of a point
_HALVINGS = 30


@dataclass(frozen=True, slots=True)
class ExpectedRuns:
    """Runs that are to come, R of one system, and as many of another or one system that does not scatter.

    runs: R >= 2. variance: of the values of a system's runs, what the questions add to a single run included. alone:
    that part. questions: the variance of the difference that the choice of questions adds to all runs alike, c of
    `over_runs.py`. units: of questions or documents. fixed: whether the other system is one that does not scatter.
    """

    runs: int
    variance: float
    alone: float
    questions: float
    units: int
    fixed: bool = False

    def detectable(self, *, alpha: float = ALPHA, power: float = POWER) -> float:
        """The difference that is found with the chance `power`; may be over 1."""
        from scipy.special import ndtr

        samples = 1 if self.fixed else 2
        error = math.sqrt(samples * self.variance / self.runs + self.questions)
        if error == 0:
            return 0.0
        bounds = self._bounds(alpha)
        low, high = 0.0, float(bounds.max()) + 10 * error
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            found = float(np.mean(ndtr((middle - bounds) / error)))
            low, high = (middle, high) if found < power else (low, middle)
        return high

    def _bounds(self, alpha: float) -> Floats:
        """float64 [draws]: the difference from which both parts of the test call the systems different."""
        from scipy.special import chdtri, stdtrit

        freedom = self.runs - 1
        tails = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
        parts = self.variance / self.runs * chdtri(freedom, tails) / freedom
        if self.fixed:
            of_runs, uncertain = parts, parts**2 / freedom
        else:
            of_runs = np.add.outer(parts, parts).ravel()
            uncertain = np.add.outer(parts**2, parts**2).ravel() / freedom
        least = (1 if self.fixed else 2) * self.alone / self.runs
        joint = np.maximum(of_runs, least) + self.questions
        joint_uncertain = uncertain + self.questions**2 / (self.units - 1)
        if self.variance == 0:
            return np.sqrt(joint) * stdtrit(self.units - 1, 1 - alpha / 2)
        return np.maximum(
            np.sqrt(joint) * stdtrit(joint**2 / joint_uncertain, 1 - alpha / 2),
            np.sqrt(of_runs) * stdtrit(of_runs**2 / uncertain, 1 - alpha / 2),
        )
