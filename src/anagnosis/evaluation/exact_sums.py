"""Credits as whole numbers, so that equal sums are equal whatever the order they are added in.

1/2, 1/3 and 1 become 3, 2 and 6 with the scale 6; an average of 1/2 and 1/3, which is 5/12, needs 12. A test that
asks whether a draw is at least as large as what was observed would go wrong on sums of floating-point thirds.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from anagnosis.array_types import Floats, Longs

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
