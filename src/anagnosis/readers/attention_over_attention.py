"""The Attention-over-Attention reader (AOA-Reader).

Cui et al. 2017, "Attention-over-Attention Neural Networks for Reading Comprehension"; in the thesis (section 2.4),
BioRead (section 3) and BIOMRC (section 3.1). E: embeddings with dropout; biGRU: states [forward, backward].

    C = biGRU(E(passage))  [B, T, 2h]         U = biGRU(E(question))  [B, Q, 2h]
    M = C Uᵀ               [B, T, Q]
    A = softmax of M over the question, for each passage token;   v = mean of A over the passage   [B, Q]
    S = softmax of M over the passage, for each question token;   a = S v                          [B, T]
    P(candidate) = Σ of a_t over its mentions;  loss = −log P(answer)

That is the variant "paper". "paper-bioread" is BioRead's section 3: a softmax over the passage follows a = S v.
"as-published" is the computation of BioMRC's program (AOAReaderTest.py, 27 July 2020): both GRUs read the padding, no
softmax or average is masked, and the candidates' sums, 0 … 1, go through a second softmax over the candidates, padded
ones included; so the loss never comes near 0. We set padded candidates to -inf, as in `attention_sum`.
"""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from anagnosis.readers.learning import Output
from anagnosis.readers.recurrent.attention import (
    floored,
    log_floored,
    masked_softmax,
    over_mentions,
    positions,
    target_loss,
)
from anagnosis.readers.recurrent.bidirectional import TwoGRUs, padded_lengths
from anagnosis.readers.recurrent.inputs import ClozeBatch
from anagnosis.readers.recurrent.learner import AttentionSettings, prepared, restored

SAVES = ("vocabulary.json",)


class Config(AttentionSettings, frozen=True, kw_only=True):
    """Settings of AOA, which has all three variants."""


class AttentionOverAttention(TwoGRUs):
    def __init__(self, words: int, config: Config) -> None:
        super().__init__(words, config)
        self.config = config

    def forward(self, batch: ClozeBatch) -> Output:
        if self.config.variant == "as-published":
            log_probabilities = self.as_published(batch)
        else:
            log_probabilities = self.paper(batch)
        losses = {"answer": target_loss(log_probabilities, batch.target)}
        return Output(floored(log_probabilities, batch.candidates), losses)

    def paper(self, batch: ClozeBatch) -> Tensor:
        """Log-probabilities [B, K]."""
        _, _, attention = self.attention(batch, batch.lengths, batch.question_lengths)
        if self.config.variant == "paper-bioread":
            attention = masked_softmax(attention, positions(batch.lengths, attention.shape[1]), 1)
        return log_floored(over_mentions(attention, batch.members))

    def as_published(self, batch: ClozeBatch) -> Tensor:
        """Log-probabilities [B, K], padded candidates included."""
        _, _, attention = self.attention(batch, padded_lengths(batch.passage), padded_lengths(batch.question))
        return over_mentions(attention, batch.members).log_softmax(1)

    def attention(
        self, batch: ClozeBatch, lengths: Tensor, question_lengths: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """A and S [B, T, Q], and a [B, T], of rows of these lengths; 0 behind them."""
        context, query = self.states(batch, lengths, question_lengths)  # [B, T, 2h], [B, Q, 2h]
        pairs = torch.bmm(context, query.transpose(1, 2))  # [B, T, Q]
        real = (
            positions(lengths, pairs.shape[1])[:, :, None]
            & positions(question_lengths, pairs.shape[2])[:, None]
        )
        to_question = masked_softmax(pairs, real, 2)
        to_passage = masked_softmax(pairs, real, 1)
        weight = to_question.sum(1) / lengths.clamp(min=1)[:, None]  # [B, Q]
        return to_question, to_passage, torch.bmm(to_passage, weight[:, :, None]).squeeze(2)


prepare, restore = partial(prepared, AttentionOverAttention), partial(restored, AttentionOverAttention)
