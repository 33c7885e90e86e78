"""Logarithms of probabilities over what a mask lets through."""

from __future__ import annotations

import math

from torch import Tensor

FLOOR = math.log(1e-30)  # of a candidate that is never mentioned
NOTHING = -1e30  # in place of -inf, whose gradient is no number


def masked_log_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """The log-softmax over the last dimension of what the mask lets through; elsewhere a very negative number."""
    return scores.masked_fill(~mask, NOTHING).log_softmax(-1)
