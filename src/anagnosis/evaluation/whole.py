"""Credits as whole numbers, so that equal sums are equal whatever the order they are added in.

1/2, 1/3 and 1 become 3, 2 and 6 with the scale 6. A test that asks whether a draw is at least as large as what was
observed would go wrong on sums of floating-point thirds.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

_LARGEST_DENOMINATOR = 10_000
_MOST_VALUES = 1_000
_EXACT = 2**53
_FINE = 2**30

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def whole_numbers(*credits: Floats) -> tuple[list[Longs], int]:
    """The credits of several systems on one scale: (int64 arrays, what a credit of 1 became).

    Exact for fractions with small denominators; other credits are rounded to a 2**30th.
    """
    scale = _common_scale(np.unique(np.concatenate(credits)), max(map(len, credits)))
    return [np.rint(each * scale).astype(np.int64) for each in credits], scale


def _common_scale(values: Floats, n: int) -> int:
    if len(values) <= _MOST_VALUES:
        fractions = [Fraction(value).limit_denominator(_LARGEST_DENOMINATOR) for value in values.tolist()]
        scale = math.lcm(*(fraction.denominator for fraction in fractions))
        exact = all(abs(float(f) - v) < 1e-12 for f, v in zip(fractions, values.tolist(), strict=True))
        if exact and scale * max(n, 1) < _EXACT:
            return scale
    return _FINE
