"""Scores of mentions beside [MASK], and candidates' scores from them (BIOMRC, section 3.1; the thesis, 3.4).

    e, m       vectors of a mention and of the [MASK] of the same sequence, float [mentions, width]
    mlp        W2 ReLU(W1 [e; m] + b1) + b2                        thesis 3.4.2
    bilinear   e · W m + b                                         thesis 3.4.1
    product    w · (e * m) + b, * element by element               thesis 3.4.1

We omit the sigmoid of the two logistic regressions: it changes no order, and a softmax over the candidates follows. A
candidate's score is the largest of its mentions' scores, or their sum.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from anagnosis.readers.recurrent.attention import FLOOR, masked_log_softmax


class Mlp(nn.Module):
    """With width 768 and 100 hidden units it has 153,801 parameters."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.inner = nn.Linear(2 * width, hidden)
        self.outer = nn.Linear(hidden, 1)

    def forward(self, mentions: Tensor, masks: Tensor) -> Tensor:
        """float [mentions] from two float [mentions, width]."""
        return self.outer(torch.relu(self.inner(torch.cat((mentions, masks), -1)))).squeeze(-1)


class Bilinear(nn.Module):
    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.form = nn.Linear(width, width, bias=False)
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, mentions: Tensor, masks: Tensor) -> Tensor:
        """float [mentions] from two float [mentions, width]."""
        return (mentions * self.form(masks)).sum(-1) + self.bias


class Product(nn.Module):
    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.regression = nn.Linear(width, 1)

    def forward(self, mentions: Tensor, masks: Tensor) -> Tensor:
        """float [mentions] from two float [mentions, width]."""
        return self.regression(mentions * masks).squeeze(-1)


HEADS: dict[str, type[Mlp | Bilinear | Product]] = {"mlp": Mlp, "bilinear": Bilinear, "product": Product}


def candidate_scores(scores: Tensor, members: Tensor, aggregation: str) -> Tensor:
    """float [batch, candidates]: maximum or sum of the scores of a candidate's mentions; -inf without a mention.

    scores: float [batch, mentions]. members: bool [batch, candidates, mentions], the candidate of each mention.
    """
    spread = scores[:, None, :].expand(members.shape)
    if aggregation == "max":
        empty = spread.new_full((*members.shape[:2], 1), -torch.inf)
        return torch.cat((spread.masked_fill(~members, -torch.inf), empty), -1).amax(-1)
    return spread.masked_fill(~members, 0).sum(-1).masked_fill(~members.any(-1), -torch.inf)


def log_probabilities(scores: Tensor) -> Tensor:
    """The log-softmax over mentioned candidates; FLOOR for all others, including padding."""
    mentioned = scores > -torch.inf
    return masked_log_softmax(scores, mentioned).masked_fill(~mentioned, FLOOR)


def losses(scores: Tensor, target: Tensor, *, first_for_unmentioned: bool) -> Tensor:
    """Cross-entropy of each instance, float [batch]; 0 if the answer is never mentioned.

    target: int64 [batch], -1 for none. first_for_unmentioned: replace an unmentioned answer by the first mentioned
    candidate, as BIOMRC's program does.
    """
    mentioned = scores > -torch.inf
    place = target.clamp(min=0)[:, None]
    known = mentioned.gather(1, place).squeeze(1) & (target >= 0)
    if first_for_unmentioned:
        first = mentioned.int().argmax(-1, keepdim=True)
        place = torch.where(known[:, None], place, first)
        known = mentioned.any(-1) & (target >= 0)
    loss = -log_probabilities(scores).gather(1, place).squeeze(1)
    return torch.where(known, loss, torch.zeros_like(loss))
