"""*Temperature scaling* (Guo et al. 2017). Log-probabilities are divided by one number, chosen to minimise the negative
log-likelihood of labels that the model was not trained on. It changes no order of the answers, and the loss is convex
in 1/temperature, so that a bisection of its slope finds the one minimum.
"""

from __future__ import annotations

import math

import numpy as np

from anagnosis.array_types import Floats, Longs

COLDEST = 0.1  # the temperature where all labels are right
HOTTEST = 20.0  # where all are wrong
_HALVINGS = 60
_LOWEST = -1000.0  # for the logarithm of 0
_FLAT = 1e-12


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
