"""Logistic functions, fitted by Newton's method."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anagnosis.array_types import Floats

Loss = Callable[[Floats], tuple[float, Floats, Floats]]  # the loss, its slope, its second derivatives

_STEPS = 100
_ENOUGH = 1e-10  # the longest part of a step that changes nothing any more


def lowest(at: Loss, start: Floats) -> Floats:
    """float64 [n]: from `start` on, each step halved until the loss falls; where it falls no more is the end.

    at: of float64 [n] the loss, its slope float64 [n], its second derivatives float64 [n, n], none of them singular.
    """
    weights = start
    loss, slope, curvature = at(weights)
    for _ in range(_STEPS):
        step = np.linalg.solve(curvature, slope)
        found = at(weights - step)
        while found[0] > loss and np.abs(step).max() > _ENOUGH:
            step = step / 2
            found = at(weights - step)
        if found[0] > loss:
            break
        weights = weights - step
        if np.abs(step).max() <= _ENOUGH:
            break
        loss, slope, curvature = found
    return weights


def sigmoid(values: Floats) -> Floats:
    """float64 [n]: 1 / (1 + exp(−values)), at any size of a value."""
    return np.exp(-np.logaddexp(0, -values))


def logistic(rows: Floats, right: Floats, ridge: float, start: Floats | None = None) -> Floats:
    """float64 [signs]: weights of the logistic function of rows that is the likeliest for what is right.

    rows: float64 [n, signs]; right: float64 [n], 0 to 1. ridge: what half of the square of each weight costs.
    start: where to begin (None: at 0).
    """

    def at(weights: Floats) -> tuple[float, Floats, Floats]:
        values = rows @ weights
        share = sigmoid(values)
        missed = np.logaddexp(0, values) - right * values
        loss = float(missed.sum()) + ridge * float(weights @ weights) / 2
        slope = rows.T @ (share - right) + ridge * weights
        curvature = (rows * (share * (1 - share))[:, None]).T @ rows + ridge * np.eye(len(weights))
        return loss, slope, curvature

    return lowest(at, np.zeros(rows.shape[1]) if start is None else start)
