"""From a score for each label to an answer and its loss."""

from __future__ import annotations

from torch import Tensor
from torch.nn.functional import nll_loss

from anagnosis.readers.learning import Output

LOSS = "label"


def answered(scores: Tensor, target: Tensor) -> Output:
    """scores: float [n, labels]; target: int64 [n], -1 where there is none. Cross-entropy, 0 without a target."""
    found = scores.float().log_softmax(-1)
    losses = nll_loss(found, target.clamp(min=0), reduction="none") * (target >= 0)
    return Output(found, {LOSS: losses})
