"""Scaling of probabilities, and fits that are judged on other questions.

*Temperature scaling* (Guo et al. 2017). Log-probabilities are divided by one number, chosen to minimise the negative
log-likelihood of labels that the model was not trained on. It changes no order of the answers, and the loss is convex
in 1/temperature, so that a bisection of its slope finds the one minimum.

*Platt scaling* of probabilities of yes or no: a slope and an intercept of their log-odds (Platt 1999). Fitted by the
likelihood of labels that the model was not trained on, with Platt's own targets, (n⁺ + 1) / (n⁺ + 2) and 1 / (n⁻ + 2)
for 1 and 0, so that labels which a score parts cleanly give no infinite slope. The loss is convex. The order of the
scores stays, unless they say the opposite of what is so: then the slope is below 0.

*Cross-fitting*: what a fit is worth on questions that it did not see. Questions are drawn into FOLDS parts; each part
is judged by what was fitted on the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.evaluation.calibration.newton import logistic, sigmoid

COLDEST = 0.1  # the temperature where all labels are right
HOTTEST = 20.0  # where all are wrong
_HALVINGS = 60
_LOWEST = -1000.0  # for the logarithm of 0
_FLAT = 1e-12
_RIDGE = 1e-9  # scores that are all equal leave the slope open
_NEAREST = 1e-12  # to probabilities of 0 and 1
FOLDS = 5

Model = Callable[[Longs], Floats]


def temperature(log_probabilities: Floats, labels: Longs) -> float:
    """What to divide log-probabilities by, from COLDEST to HOTTEST; 1 where no temperature has a lower loss.

    log_probabilities: float64 [n, k], -inf for 0; need not be normalised. labels: int64 [n], places among the k.
    """
    bounded = np.maximum(log_probabilities, _LOWEST)
    own = bounded[np.arange(len(labels)), labels]
    low, high = 1 / HOTTEST, 1 / COLDEST

    def slope(inverse: float) -> float:
        return float(((np.exp(tempered(bounded, 1 / inverse)) * bounded).sum(1) - own).mean())

    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    found = 1 / math.sqrt(low * high)
    gain = likelihood_loss(bounded, labels) - likelihood_loss(tempered(bounded, found), labels)
    return found if gain > _FLAT else 1.0


def tempered(log_probabilities: Floats, temperature: float) -> Floats:
    """float64 [n, k]: log-probabilities at that temperature, normalised."""
    scaled = np.maximum(log_probabilities, _LOWEST) / temperature
    return scaled - np.logaddexp.reduce(scaled, axis=1, keepdims=True)


def likelihood_loss(log_probabilities: Floats, labels: Longs) -> float:
    """The mean negative log-likelihood of labels int64 [n] under log-probabilities float64 [n, k]."""
    return -float(tempered(log_probabilities, 1.0)[np.arange(len(labels)), labels].mean())


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


def fitted_platt(odds: Floats, right: Bools) -> Platt:
    """The slope and intercept of least loss. odds: float64 [n]; right: bool [n]."""
    n = int(right.sum())
    target = np.where(right, (n + 1) / (n + 2), 1 / (len(right) - n + 2))
    inputs = np.stack([odds, np.ones(len(odds))], axis=1)
    slope, intercept = logistic(inputs, target, _RIDGE, np.array([1.0, 0.0])).tolist()
    return Platt(slope, intercept)


def mean_log_loss(probabilities: Floats, right: Bools) -> float:
    """The mean of −ln of what each label was given."""
    p = np.clip(np.where(right, probabilities, 1 - probabilities), _NEAREST, 1)
    return -float(np.log(p).mean())


def folds_by_question(question: Longs) -> Longs:
    """int64 [n]: the fold of each row, the same for all rows of a question. question: int64 [n], from 0."""
    drawn = np.random.default_rng(0).permutation(int(question.max()) + 1) % FOLDS
    return drawn[question]


def cross_fitted(folds: Longs, fit: Callable[[Longs], Model]) -> Floats:
    """float64 [n]: of each row what a model says that was fitted on the other folds.

    folds: int64 [n]. fit: from the numbers of rows to learn from, a function from numbers of other rows to float64.
    """
    values = np.empty(len(folds))
    for fold in np.unique(folds):
        inside = np.flatnonzero(folds == fold)
        values[inside] = fit(np.flatnonzero(folds != fold))(inside)
    return values
