"""The smallest difference between two systems that a test set can detect.

With n instances, of which a share psi is answered right by only one of two systems, a true difference delta in
accuracy is found by a two-tailed McNemar test of level alpha with the chance `power` if (Connor, Biometrics 43,
1987)

    delta sqrt(n) = z(1 - alpha/2) sqrt(psi) + z(power) sqrt(psi - delta²)

which is solved for delta here. It agrees with the mid-p test; the exact test finds the same difference 1 to 4 per
cent of the time less often. No difference can be larger than psi: where delta would be, there are too few
disagreements to show anything. For shared credit psi is the mean squared difference of an instance; by document,
the sum of the squared differences of documents over n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from anagnosis.array_types import Codes, Floats

ALPHA = 0.05
POWER = 0.8


@dataclass(frozen=True, slots=True)
class Detectable:
    """difference: in accuracy, None where the disagreement is too small to show any. alpha is two-tailed."""

    difference: float | None
    n: int
    disagreement: float
    alpha: float
    power: float


def detectable_between(first: Floats, second: Floats, documents: Codes | None = None) -> Detectable:
    """Of two systems' credits, float64 [n], by the disagreement that they show. documents: int [n]."""
    differences = first - second
    n = len(differences)
    if documents is not None:
        differences = np.bincount(np.unique(documents, return_inverse=True)[1], differences)
    spread = float(np.sum(differences**2)) / n
    most = float(np.abs(differences).sum()) / n  # the difference if every disagreement went one way
    level, chance = NormalDist().inv_cdf(1 - ALPHA / 2), NormalDist().inv_cdf(POWER)
    inside = n - level**2 + chance**2
    found = None
    if inside >= 0:
        difference = spread**0.5 * (level * n**0.5 + chance * inside**0.5) / (n + chance**2)
        found = difference if 0 < difference <= most else None
    return Detectable(found, n, most, ALPHA, POWER)


def by_t(error: float, freedom: float) -> float:
    """The true difference that a t-test of level ALPHA finds with the chance POWER; infinite where there is none.

    error: of the difference; freedom: its degrees of freedom. By the noncentral t.
    """
    from scipy.special import nctdtrinc, stdtrit

    if error == 0:
        return 0.0
    freedom = min(freedom, 1e6)
    found = error * float(nctdtrinc(freedom, 1 - POWER, stdtrit(freedom, 1 - ALPHA / 2)))
    return found if math.isfinite(found) else math.inf
