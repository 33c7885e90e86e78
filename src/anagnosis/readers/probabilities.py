"""Log-probabilities under a mask."""

from __future__ import annotations

import math

from torch import Tensor

FLOOR = math.log(1e-30)  # for a candidate without a mention
NOTHING = -1e30  # instead of -inf, whose gradient is NaN


def masked_log_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """The log-softmax over the last dimension where the mask is true; elsewhere a very negative number."""
    return scores.masked_fill(~mask, NOTHING).log_softmax(-1)
