"""The logistic function, and the weights that make it likeliest."""

from __future__ import annotations

import numpy as np

from anagnosis.array_types import Floats

_STEPS = 100
_ENOUGH = 1e-10  # the longest part of a step that changes nothing any more


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
