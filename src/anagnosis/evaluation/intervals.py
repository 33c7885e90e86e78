"""Intervals of an accuracy: Wilson's, for right and wrong answers, for shared credit and for whole documents.

Credits become whole numbers first, so that equal sums are equal whatever the order they are added in: 1/2, 1/3 and 1
become 3, 2 and 6 with the scale 6; an average of 1/2 and 1/3, which is 5/12, needs 12. A test that asks whether a draw
is at least as large as what was observed would go wrong on sums of floating-point thirds.

Wilson (1927) inverts the score test: the interval holds every p with |mean - p| <= z sqrt(p (1 - p) / n). It
keeps its level for few instances and near 0 and 1, where mean ± z times the standard error does not.

Where an instance earns a part of a credit (1/k for one of k tied candidates), or where the instances of a
document go right and wrong together, the variance of the mean is not p (1 - p) / n. Then n is replaced by the
number of independent right-or-wrong answers that would have the variance that was observed (the effective
sample size of Korn and Graubard, Survey Methodology 24, 1998, with their degrees of freedom). For credits of 0
and 1 taken one by one this is Wilson's interval itself. Why not a bootstrap: it needs draws and a seed, and of
30 right answers it makes the interval [1, 1].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

import numpy as np

from anagnosis.array_types import Codes, Floats, Longs

_LARGEST_DENOMINATOR = 1 << 20
_LARGEST_SCALE = 1 << 46
_ROUNDED = 2e-15  # of a fraction, and of its product with a scale
_EXACT = 2**53
_FINE = 2**30


def whole_numbers(*credits: Floats) -> tuple[list[Longs], int]:
    """The credits of several systems on one scale: (int64 arrays, what a credit of 1 became).

    credits: in [0, 1]. Exact where they are fractions whose common denominator is below 2**46 and, times their
    number, below 2**53; a fraction is known again if it is off by at most 2e-15 and its denominator is at most
    2**20, as those of averages over four runs are that share credit among up to twenty. Other credits are rounded to
    a 2**30th, and sums of n of them that are closer than n times that may change places.
    """
    scale = _common_scale(np.unique(np.concatenate(credits)), max(map(len, credits)))
    return [np.rint(each * scale).astype(np.int64) for each in credits], scale


def mean_credits(runs: Floats) -> Floats:
    """float64 [runs, n] → [n]: the mean over the runs, added in whole numbers: their order changes no bit of it."""
    if len(runs) == 1:
        return runs[0]
    wholes, scale = whole_numbers(*runs)
    return np.sum(wholes, axis=0) / (scale * len(wholes))


def _common_scale(values: Floats, n: int) -> int:
    """Each step takes the denominator of the first value that is not yet whole, so that few steps are needed."""
    scale = 1
    while True:
        scaled = values * scale
        off = np.flatnonzero(np.abs(scaled - np.rint(scaled)) > _ROUNDED * scale)
        if not len(off):
            return scale
        value = float(values[off[0]])
        fraction = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
        larger = math.lcm(scale, fraction.denominator)
        known = abs(float(fraction) - value) <= _ROUNDED and larger > scale
        if not known or larger > _LARGEST_SCALE or larger * max(n, 1) >= _EXACT:
            return _FINE
        scale = larger


LEVEL = 0.95
PSEUDO_ANSWERS = 4  # z² for 95 %, the number by which Wilson's interval draws to the middle


@dataclass(frozen=True, slots=True)
class Interval:
    """low, high: both ends. level: 0.95. method: how it was reckoned."""

    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of credits. n: instances. effective: the independent answers they are worth."""

    value: float
    n: int
    effective: float
    interval: Interval


def estimate(credits: Floats, documents: Codes | None = None) -> Estimate:
    """The mean of the credits of n >= 1 instances, each in [0, 1], with its interval.

    documents: int [n], the same for instances that stand or fall together. The interval by document is never
    taken narrower than the one by instance; where all credits are equal a document counts as one answer.
    """
    mean = _mean(credits)
    if not ((credits == 0) | (credits == 1)).all():
        found = from_influence(mean, credits - mean)
    else:
        found = Estimate(mean, len(credits), float(len(credits)), wilson(mean, len(credits)))
    if documents is None:
        return found
    effective = found.effective / _design_effect(credits - mean, documents)
    return Estimate(mean, len(credits), effective, wilson(mean, effective, "Wilson by document"))


def from_influence(mean: float, influence: Floats) -> Estimate:
    """The interval of a mean whose sampling variance is the sum of squared influences over n².

    influence: float64 [n], how far each of n independent instances pulls the mean from its value; for a plain
    mean the deviations. The observed variance is averaged with that of a few right-or-wrong answers, lest a
    handful of equal credits look certain.
    """
    n = len(influence)
    bernoulli = mean * (1 - mean)
    ratio = float(np.mean(influence**2)) / bernoulli if bernoulli > 0 else 1.0
    effective = n * (n + PSEUDO_ANSWERS) / (n * ratio + PSEUDO_ANSWERS)
    return Estimate(mean, n, effective, wilson(mean, effective, "Wilson, effective size"))


def wilson(mean: float, n: float, method: str = "Wilson") -> Interval:
    """Wilson's score interval for the mean of n independent answers, each 0 or 1; n need not be whole."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    centre = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (mean * (1 - mean) / n + z * z / (4 * n * n)) ** 0.5
    low = 0.0 if mean == 0 else max(centre - half, 0.0)
    high = 1.0 if mean == 1 else min(centre + half, 1.0)
    return Interval(low, high, LEVEL, method)


def percentiles(drawn: Floats, method: str) -> Interval:
    """The middle part of values that were drawn; the outer of two where an end falls between them."""
    ordered = np.sort(drawn)
    last = len(ordered) - 1
    low, high = math.floor((1 - LEVEL) / 2 * last), math.ceil((1 + LEVEL) / 2 * last)
    return Interval(float(ordered[low]), float(ordered[high]), LEVEL, method)


def _mean(credits: Floats) -> float:
    """The mean, by an exact sum: equal credits in another order give the same number."""
    return math.fsum(credits.tolist()) / len(credits)


def _design_effect(deviations: Floats, documents: Codes) -> float:
    """By how much documents raise the variance of the mean over that of single instances, at least 1."""
    from scipy.special import stdtrit

    n = len(deviations)
    sums = np.bincount(np.unique(documents, return_inverse=True)[1], deviations)
    clusters = len(sums)
    if clusters == 1:
        return float(n)
    if clusters == n:
        return 1.0
    single = float(np.sum(deviations**2)) * n / (n - 1)
    if single == 0:
        return n / clusters
    together = float(np.sum(sums**2)) * clusters / (clusters - 1)
    tail = (1 + LEVEL) / 2
    freedom = float(stdtrit(clusters - 1, tail) / stdtrit(n - 1, tail))
    return min(max(together / single * freedom**2, 1.0), float(n))
