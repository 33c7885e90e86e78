"""Split-conformal thresholds: limits on errors that hold for any distribution and any score.

A threshold is chosen on calibration questions that no fit saw. If a new question is exchangeable with them, the limit
holds on average over draws of the calibration questions (Vovk, Gammerman and Shafer 2005, Algorithmic Learning in a
Random World; Lei et al. 2018, doi:10.1080/01621459.2017.1307116, section 2.2, for the finite-sample correction).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from anagnosis.array_types import Bools, Floats


def split_conformal_threshold(scores: Sequence[float] | Floats, limit: float) -> float:
    """The highest threshold below which a new score lies with a probability of at most `limit`.

    scores: of n calibration questions. It is their k-th smallest score, k = ⌊limit · (n + 1)⌋; −∞ if k is 0. The
    added 1 is the finite-sample correction: the new score has one of n + 1 ranks, each as likely.
    """
    if not 0 <= limit < 1:
        raise ValueError(f"limit {limit} is not in [0, 1)")
    ordered = np.sort(np.asarray(scores, np.float64))
    place = math.floor(limit * (len(ordered) + 1) + 1e-9)
    return float(ordered[place - 1]) if place else -math.inf


def threshold_of_precision(scores: Floats, right: Bools, precision: float) -> float | None:
    """The lowest threshold from which on `precision` of the questions are right; None without one.

    scores: float64 [n]. right: bool [n]. The finite-sample correction counts one more wrong question, as if the new
    question were it: right / (n from the threshold on + 1) is at least `precision`, there and in no lower place.
    """
    order = np.argsort(-scores, kind="stable")
    steps, counted = scores[order], np.cumsum(right[order])
    last = np.flatnonzero(np.r_[np.diff(steps) < 0, True])
    good = last[counted[last] >= precision * (last + 2) - 1e-9]
    return float(steps[good[-1]]) if len(good) else None
