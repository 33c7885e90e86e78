"""Logistic functions, and the thresholds from which on a sentence is highlighted, as the weights of `ask` were fitted.

Thresholds are chosen on probabilities of questions that no fit saw:

    fair     the one with the best F1 of the sentences that hold the answer
    weak     the highest that keeps nine in ten of them, at most `fair`
    strong   the lowest from `fair` on at which four in five sentences hold it; where none does, the best of those
             that keep one in twenty (`reached` says so)

What each is worth there is kept beside it.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np

from anagnosis.array_types import Bools, Floats

_STEPS = 100
_ENOUGH = 1e-10  # the longest part of a step that changes nothing any more
KEPT_WEAK, RIGHT_STRONG, KEPT_STRONG = 0.9, 0.8, 0.05


def sigmoid(values: Floats) -> Floats:
    """float64 [n]: 1 / (1 + exp(−values)), at any size of a value."""
    return np.exp(-np.logaddexp(0, -values))


def logistic(rows: Floats, right: Floats, ridge: float, start: Floats | None = None) -> Floats:
    """float64 [signs]: weights of the logistic function of rows that is the likeliest for what is right.

    By Newton's method; each step is halved until the loss falls, and where it falls no more is the end.
    rows: float64 [n, signs]; right: float64 [n], 0 to 1. ridge: what half of the square of each weight costs.
    start: where to begin (None: at 0).
    """

    def loss_at(weights: Floats) -> float:
        values = rows @ weights
        missed = np.logaddexp(0, values) - right * values
        return float(missed.sum()) + ridge * float(weights @ weights) / 2

    weights = np.zeros(rows.shape[1]) if start is None else start
    loss = loss_at(weights)
    for _ in range(_STEPS):
        share = sigmoid(rows @ weights)
        slope = rows.T @ (share - right) + ridge * weights
        curvature = (rows * (share * (1 - share))[:, None]).T @ rows + ridge * np.eye(len(weights))
        step = np.linalg.solve(curvature, slope)
        while (found := loss_at(weights - step)) > loss and np.abs(step).max() > _ENOUGH:
            step = step / 2
        if found > loss:
            break
        weights, loss = weights - step, found
        if np.abs(step).max() <= _ENOUGH:
            break
    return weights


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


def choose(probabilities: Floats, gold: Bools) -> Thresholds:
    """probabilities: float64 [n]. gold: bool [n], which sentences hold the answer, at least one."""
    order = np.argsort(-probabilities, kind="stable")
    steps, right = probabilities[order], np.cumsum(gold[order])
    last = np.flatnonzero(
        np.r_[np.diff(steps) < 0, True]
    )  # a threshold takes all sentences of one probability
    steps, right, counted = steps[last], right[last], last + 1
    precision, recall = right / counted, right / right[-1]
    fair = int(np.argmax(2 * right / (counted + right[-1])))
    weak = max(fair, int(np.argmax(recall >= KEPT_WEAK)))
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
