"""Platt scaling of probabilities of yes or no: a slope and an intercept of their log-odds (Platt 1999).

Fitted by the likelihood of labels that the model was not trained on, with Platt's own targets, (n⁺ + 1) / (n⁺ + 2)
and 1 / (n⁻ + 2) for 1 and 0, so that labels which a score parts cleanly give no infinite slope. The loss is convex.
The order of the scores stays, unless they say the opposite of what is so: then the slope is below 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Bools, Floats
from anagnosis.evaluation.calibration.newton import logistic, sigmoid

_RIDGE = 1e-9  # scores that are all equal leave the slope open
_NEAREST = 1e-12  # to probabilities of 0 and 1


@dataclass(frozen=True, slots=True)
class Platt:
    """probability = 1 / (1 + exp(−(slope × log-odds + intercept)))."""

    slope: float = 1.0
    intercept: float = 0.0

    def __call__(self, odds: Floats) -> Floats:
        """Probabilities float64 [n] of log-odds float64 [n]."""
        return sigmoid(self.slope * odds + self.intercept)


def log_odds(log_probabilities: Floats) -> Floats:
    """float64 [n]: ln p − ln(1 − p), of p no nearer to 0 and 1 than 1e-12."""
    p = np.clip(np.exp(log_probabilities), _NEAREST, 1 - _NEAREST)
    return np.log(p) - np.log1p(-p)


def fitted(odds: Floats, right: Bools) -> Platt:
    """The slope and intercept of least loss. odds: float64 [n]; right: bool [n]."""
    n = int(right.sum())
    target = np.where(right, (n + 1) / (n + 2), 1 / (len(right) - n + 2))
    inputs = np.stack([odds, np.ones(len(odds))], axis=1)
    slope, intercept = logistic(inputs, target, _RIDGE, np.array([1.0, 0.0])).tolist()
    return Platt(slope, intercept)


def loss(probabilities: Floats, right: Bools) -> float:
    """The mean of −ln of what each label was given."""
    p = np.clip(np.where(right, probabilities, 1 - probabilities), _NEAREST, 1)
    return -float(np.log(p).mean())
