"""The 95 % interval of a paired difference of two measures of the same questions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

DRAWS = 10_000
LEVEL = 0.95


def difference(here: Sequence[float], there: Sequence[float]) -> tuple[float, float]:
    """(low, high) of the mean of here − there, by questions drawn anew.

    here, there: a value for each question, at least one.
    """
    apart = np.array(here) - np.array(there)
    drawn = np.random.default_rng(0).integers(0, len(apart), (DRAWS, len(apart)))
    edge = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(apart[drawn].mean(1), [edge, 100 - edge]).tolist()
    return low, high
