"""Attention: masks, sums over mentions, losses.

Names of sizes: B instances, T passage and Q question tokens, K candidates.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

FLOOR = math.log(1e-30)  # for a candidate without a mention
_NOTHING = -1e30  # instead of -inf, whose gradient is NaN


def positions(lengths: Tensor, longest: int) -> Tensor:
    """bool [B, longest], true before the length."""
    return torch.arange(longest, device=lengths.device) < lengths[:, None]


def masked_softmax(scores: Tensor, mask: Tensor, dim: int) -> Tensor:
    """Softmax where the mask is true, 0 elsewhere."""
    return scores.masked_fill(~mask, _NOTHING).softmax(dim) * mask


def over_mentions(attention: Tensor, members: Tensor) -> Tensor:
    """[B, K]: the sum of a candidate's attention [B, T]; 0 without a mention."""
    return torch.einsum("bkt,bt->bk", members.to(attention.dtype), attention)


def log_over_mentions(log_attention: Tensor, members: Tensor) -> Tensor:
    """The logarithm of `over_mentions` from logarithms, for attention that may underflow.

    A candidate without a mention gets FLOOR.
    """
    logs = log_attention[:, None].masked_fill(~members, _NOTHING).logsumexp(2)
    return logs.masked_fill(~members.any(2), FLOOR)


def floored(log_probabilities: Tensor, candidates: Tensor) -> Tensor:
    """At least FLOOR for every candidate, -inf for padding."""
    return log_probabilities.clamp(min=FLOOR).masked_fill(~candidates, -math.inf)


def log_floored(probabilities: Tensor) -> Tensor:
    """Natural logarithm, at least FLOOR."""
    return probabilities.clamp(min=math.exp(FLOOR)).log()


def target_loss(log_probabilities: Tensor, target: Tensor) -> Tensor:
    """[B]: minus the target's log-probability, 0 for an instance without a target."""
    answered = target >= 0
    chosen = log_probabilities.gather(1, target.clamp(min=0)[:, None]).squeeze(1)
    return torch.where(answered, -chosen, torch.zeros_like(chosen))


def masked_log_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """The log-softmax over the last dimension where the mask is true; elsewhere a very negative number."""
    return scores.masked_fill(~mask, _NOTHING).log_softmax(-1)
