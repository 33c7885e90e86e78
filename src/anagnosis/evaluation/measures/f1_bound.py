"""An upper bound on the p of macro-F1 over all swaps, that needs no draws, after Hoeffding's inequality (1963).

A p of n draws is never below 1 / (1 + n), so long rankings need many draws; of a mean, Hoeffding's bound stands in
(`differences/paired.py`). Macro-F1 is no mean, but what swaps change of it is nearly linear. Of one label, let two
systems have T right and P given answers together, let the swaps leave X more right and Y more given ones to the first
than to the second, and let G be the questions of that label. With M = P/2 + G the difference of their F1, which is
2·right / (given + G), is

    D = (T + X) / (M + Y/2) − (T − X) / (M − Y/2) = L / (M² − Y²/4),    L = 2·M·X − T·Y

X, Y and L are sums over units whose signs the swaps draw, so Hoeffding's theorem 2 bounds each: |Y| > y has at most the
probability 2·exp(−y² / 2·Σyᵢ²), and L alike. Where |Y| ≤ y and |L| ≤ l for every label, the sum of D over the labels is
at most Z + s, with Z = Σ L / M², again such a sum, and s = Σ l·(1 / (M² − y²/4) − 1 / M²). So the observed sum d has

    p ≤ 2·exp(−(d − s)² / 2·Σzᵢ²) + Σ [P(|Y| > y) + P(|L| > l)]

for any y and l; the smallest over a few of them counts.
"""

from __future__ import annotations

import math

import numpy as np

from anagnosis.array_types import Floats

_EXPONENTS = np.geomspace(2, 200, 40)  # Λ: y and l are exceeded with a probability of at most 2·exp(−Λ)
_ROUNDED = 1e-12  # a difference that misses the observed one by less counts as equal


def f1_bound(first: Floats, second: Floats) -> float:
    """On the two-tailed p of the difference in macro-F1. 1 where no bound is known.

    first, second: float64 [units, 3 · labels], of each unit by label: right answers, given ones, and both
    (`measures.macro_f1.counts`), from the same questions. Each label must be right somewhere, so that it always counts.
    """
    right, given, both = np.split(first, 3, axis=1)
    _, other_given, other_both = np.split(second, 3, axis=1)
    gold = right.sum(axis=0)  # G
    if not gold.all():
        return 1.0
    x, y = both - other_both, given - other_given
    middle = (given.sum(axis=0) + other_given.sum(axis=0)) / 2 + gold  # M
    linear = 2 * middle * x - (both.sum(axis=0) + other_both.sum(axis=0)) * y  # L, by unit
    observed = abs(float((linear.sum(axis=0) / (middle**2 - y.sum(axis=0) ** 2 / 4)).sum()))
    spread = float(np.square((linear / middle**2).sum(axis=1)).sum())
    if not spread:
        return 1.0
    return min(1.0, *(_at(each, y, linear, middle, observed - _ROUNDED, spread) for each in _EXPONENTS))


def _at(exponent: float, y: Floats, linear: Floats, middle: Floats, observed: float, spread: float) -> float:
    """The bound for one Λ."""
    widest, y_may_exceed = _reach(y, exponent)
    farthest, linear_may_exceed = _reach(linear, exponent)
    least = middle**2 - widest**2 / 4
    if (least <= 0).any():
        return 1.0
    slack = float((farthest * (1 / least - 1 / middle**2)).sum())
    if observed <= slack:
        return 1.0
    exceeding = 2 * math.exp(-exponent) * (y_may_exceed + linear_may_exceed)
    return 2 * math.exp(-((observed - slack) ** 2) / (2 * spread)) + exceeding


def _reach(units: Floats, exponent: float) -> tuple[Floats, int]:
    """By column, how far a sum with drawn signs goes, at most or but for 2·exp(−Λ); of how many the second is true."""
    likely = np.sqrt(2 * exponent * np.square(units).sum(axis=0))
    most = np.abs(units).sum(axis=0)
    return np.minimum(likely, most), int((likely < most).sum())
