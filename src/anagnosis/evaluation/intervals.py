"""Intervals of means of credits, of F1s of labels, and of draws: Wilson's, also for shared credit and whole documents.

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

The F1 of a label is 2J / (1 + J), J being the share of the instances with the label as right answer or as answer that
have it as both: a proportion, whose interval carries over (Lam, Gopal and Qian 2023), with Student's t for the normal
quantile. The ends of a mean of F1s lie as far from it as the root of the sum of the products of the labels' distances
and correlations (MOVER of Zou and Donner 2008). design/evaluation.md has the coverage of each method.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np

from anagnosis.array_types import Bools, Codes, Floats, Longs

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
LEAST_FOR_LABELS = 30  # instances or documents: with fewer a rare label may not occur at all
_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)


@dataclass(frozen=True, slots=True)
class Interval:
    """low, high: both ends. level: 0.95. method: how it was reckoned."""

    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of credits, or another value. n: instances. effective: the independent answers they are worth.

    interval: None where there are too few instances for one. Of a system, runs: the value of each, none of a single
    one that is not trained; deviation: their standard deviation, None for one; signature: the line that says what the
    number is of.
    """

    value: float
    n: int
    effective: float
    interval: Interval | None
    runs: tuple[float, ...] = ()
    deviation: float | None = None
    signature: str = ""

    @property
    def ends(self) -> tuple[float, float]:
        """The interval's; of none 0 and 1."""
        return (0.0, 1.0) if self.interval is None else (self.interval.low, self.interval.high)


def estimate(credits: Floats, documents: Codes | None = None, judged: Bools | None = None) -> Estimate:
    """The mean over runs of each run's mean credit, with its interval.

    credits: float64 [n] or [runs, n], in [0, 1], n >= 1. documents: int [n], the same for instances that stand or fall
    together. judged: like credits, which of them count, at least one in each run; None for all. The interval by
    document is never taken narrower than the one by instance; where all credits are equal a document counts as one
    answer. The observed variance is averaged with that of a few right-or-wrong answers, lest a handful of equal credits
    look certain.
    """
    mean, pulls, some = _pulls(credits, judged)
    influence = pulls[some]
    n = len(influence)
    bernoulli = mean * (1 - mean)
    ratio = n * float(np.sum(influence**2)) / bernoulli if bernoulli > 0 else 1.0
    counted = credits if judged is None else credits[judged]
    whole = math.isclose(ratio, 1) and bool(((counted == 0) | (counted == 1)).all())
    effective = float(n) if whole else n * (n + PSEUDO_ANSWERS) / (n * ratio + PSEUDO_ANSWERS)
    method = "Wilson" if whole else "Wilson, effective size"
    if documents is not None:
        effective, method = effective / _design_effect(influence, documents[some]), "Wilson by document"
    return Estimate(mean, n, effective, wilson(mean, effective, method))


def of_f1s(value: float, both: Any, either: Any, documents: Codes | None = None) -> Interval | None:
    """The interval of a mean of the F1s of labels, which is `value`; None where no label occurs, or of several labels
    where there are fewer than LEAST_FOR_LABELS instances or documents.

    both, either: bool, or 0 and 1, [runs, n, labels]: whether a label is right and answered, and whether it is either.
    documents: as of `estimate`.
    """
    from scipy.special import stdtrit

    labels = both.shape[-1]
    places = np.arange(both.shape[1]) if documents is None else np.unique(documents, return_inverse=True)[1]
    if not either.any() or (labels > 1 and len(np.unique(places)) < LEAST_FOR_LABELS):
        return None
    pulls, distances, f1s = np.zeros((labels, both.shape[1])), np.zeros((2, labels)), np.zeros(labels)
    for label in range(labels):
        occurs = either[..., label].any(axis=1)
        if not occurs.any():
            continue
        credits, judged = both[occurs, :, label].astype(np.float64), either[occurs, :, label] > 0
        share = estimate(credits, documents, judged)
        effective = share.effective * (_Z / float(stdtrit(share.effective, (1 + LEVEL) / 2))) ** 2
        ends = wilson(share.value, effective)
        distances[:, label] = np.abs(_f1(np.array([ends.low, ends.high])) - _f1(share.value))
        f1s[label] = np.mean(_f1(credits.sum(1) / judged.sum(1)))
        pulls[label] = np.bincount(places, _pulls(credits, judged)[1], both.shape[1])
    lengths = np.sqrt(np.sum(pulls**2, axis=1, keepdims=True))
    units = pulls / np.where(lengths > 0, lengths, 1.0)
    correlations = units @ units.T
    np.fill_diagonal(correlations, 1.0)
    weight = value / f1s.sum() if f1s.any() else 1 / labels
    below, above = weight * np.sqrt(np.einsum("ek,kl,el->e", distances, correlations, distances).clip(0))
    method = "Wilson by label" if documents is None else "Wilson by label and document"
    return Interval(max(value - float(below), 0.0), min(value + float(above), 1.0), LEVEL, method)


def _f1(share: Any) -> Any:
    """F1 from the share of the instances with a label, right or answered, that have it as both."""
    return 2 * share / (1 + share)


def _pulls(credits: Floats, judged: Bools | None) -> tuple[float, Floats, Bools]:
    """(mean over runs, how far each of n instances pulls it from its value, which of them are judged in any run)."""
    runs = np.atleast_2d(credits)
    if judged is None or judged.all():
        each = mean_credits(runs)
        mean = _mean(each)
        return mean, (each - mean) / len(each), np.ones(len(each), np.bool_)
    counts = np.atleast_2d(judged)
    means = [[_mean(run[own])] for run, own in zip(runs, counts, strict=True)]
    pulls = np.mean((runs - means) * counts / counts.sum(axis=1, keepdims=True), axis=0)
    return _mean(np.ravel(means)), np.asarray(pulls), np.asarray(counts.any(axis=0))


def wilson(mean: float, n: float, method: str = "Wilson") -> Interval:
    """Wilson's score interval for the mean of n independent answers, each 0 or 1; n need not be whole."""
    z = _Z
    centre = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (mean * (1 - mean) / n + z * z / (4 * n * n)) ** 0.5
    low = 0.0 if mean == 0 else max(centre - half, 0.0)
    high = 1.0 if mean == 1 else min(centre + half, 1.0)
    return Interval(low, high, LEVEL, method)


def percentiles(drawn: Floats, units: int, method: str) -> Interval:
    """The middle part of values of so many units drawn anew; the outer of two where an end falls between them.

    Draws of few units scatter less than samples do: ends are where Student's t and n - 1 put them (Hesterberg 2015).
    """
    from scipy.special import ndtr, stdtrit

    freedom = max(units - 1, 1)
    tail = float(ndtr(math.sqrt(units / freedom) * stdtrit(freedom, (1 - LEVEL) / 2)))
    ordered = np.sort(drawn)
    last = len(ordered) - 1
    low, high = math.floor(tail * last), math.ceil((1 - tail) * last)
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
