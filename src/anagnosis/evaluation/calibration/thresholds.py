"""Thresholds from which on a sentence is highlighted, chosen on probabilities of questions that no fit saw.

    fair     the one with the best F1 of the sentences that hold the answer
    weak     the highest that keeps nine in ten of them, at most `fair`
    strong   the lowest from `fair` on at which four in five sentences hold it; where none does, the best of those
             that keep one in twenty (`reached` says so)

What each is worth there is kept beside it.

*Split-conformal thresholds* limit errors for any distribution and any score. Such a threshold is chosen on calibration
questions that no fit saw. If a new question is exchangeable with them, the limit holds on average over draws of the
calibration questions (Vovk, Gammerman and Shafer 2005, Algorithmic Learning in a Random World; Lei et al. 2018,
doi:10.1080/01621459.2017.1307116, section 2.2, for the finite-sample correction).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from anagnosis.array_types import Bools, Floats

KEPT_WEAK, RIGHT_STRONG, KEPT_STRONG = 0.9, 0.8, 0.05


class Threshold(msgspec.Struct, frozen=True):
    """A threshold as it was measured. least: the probability from which on a sentence is counted. precision: how many
    of the sentences counted hold the answer; recall: of those that hold it, how many are counted. sentences: counted.

    reached: whether some probability meets the condition of the threshold; if not, the next best stands in its place.
    """

    least: float
    precision: float
    recall: float
    sentences: int
    reached: bool = True


class Thresholds(msgspec.Struct, frozen=True):
    """See the module."""

    weak: Threshold
    fair: Threshold
    strong: Threshold


def choose(probabilities: Floats, gold: Bools, kept_weak: float = KEPT_WEAK) -> Thresholds:
    """probabilities: float64 [n]. gold: bool [n], which sentences hold the answer, at least one.

    kept_weak: the share of them that `weak` keeps.
    """
    order = np.argsort(-probabilities, kind="stable")
    steps, right = probabilities[order], np.cumsum(gold[order])
    last = np.flatnonzero(
        np.r_[np.diff(steps) < 0, True]
    )  # a threshold takes all sentences of one probability
    steps, right, counted = steps[last], right[last], last + 1
    precision, recall = right / counted, right / right[-1]
    fair = int(np.argmax(2 * right / (counted + right[-1])))
    weak = max(fair, int(np.argmax(recall >= kept_weak)))
    sure = np.flatnonzero((precision >= RIGHT_STRONG) & (recall >= KEPT_STRONG))
    enough = np.flatnonzero(recall >= KEPT_STRONG)
    best = int(sure[-1]) if len(sure) else int(enough[np.argmax(precision[enough])])
    strong = min(fair, best)

    def threshold(place: int, *, reached: bool = True) -> Threshold:
        return Threshold(
            math.floor(float(steps[place]) * 1e6) / 1e6,  # rounded up, it would lose its sentence
            round(float(precision[place]), 6),
            round(float(recall[place]), 6),
            int(counted[place]),
            reached,
        )

    return Thresholds(
        threshold(weak), threshold(fair), threshold(strong, reached=bool(precision[strong] >= RIGHT_STRONG))
    )


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
