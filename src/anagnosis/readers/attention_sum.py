"""The Attention-Sum reader (AS-Reader).

Kadlec et al. 2016, "Text Understanding with the Attention Sum Reader Network"; in BioRead (section 3) and BIOMRC
(section 3.1). E: embeddings with dropout; biGRU: states [forward, backward].

    C = biGRU(E(passage))          [B, T, 2h]
    u = ends of biGRU(E(question)) [B, 2h]: the forward state at the last, the backward state at the first word
    a_t = softmax over the passage of C_t · u
    P(candidate) = Σ of a_t over its mentions;  loss = −log P(answer)

That is the variant "paper". "as-published" is the computation of BioMRC's program (ASReaderTest.py, 27 July 2020): both
GRUs read the padding, u is the state at the last word in both directions, and there is no softmax over the passage.
The raw products are summed for each candidate, and a softmax over the candidates follows, padded ones included with
score 0; so a score depends on the neighbours in the batch. The program can predict a padded candidate, which counts as
wrong; we set padding to -inf but leave it in the normaliser, and predict the best real candidate.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

from torch import Tensor

from anagnosis.readers.learning import Output
from anagnosis.readers.recurrent.attention import (
    floored,
    log_over_mentions,
    masked_log_softmax,
    over_mentions,
    positions,
    target_loss,
)
from anagnosis.readers.recurrent.bidirectional import TwoGRUs, ends, padded_lengths
from anagnosis.readers.recurrent.inputs import ClozeBatch
from anagnosis.readers.recurrent.learner import AttentionSettings, prepared, restored

SAVES = ("vocabulary.json",)


class Config(AttentionSettings, frozen=True, kw_only=True):
    """Settings of AS, which has two variants."""

    variant: Literal["paper", "as-published"] = "paper"


class AttentionSum(TwoGRUs):
    def __init__(self, words: int, config: Config) -> None:
        super().__init__(words, config)
        self.config = config

    def forward(self, batch: ClozeBatch) -> Output:
        as_published = self.config.variant == "as-published"
        log_probabilities = self.as_published(batch) if as_published else self.paper(batch)
        losses = {"answer": target_loss(log_probabilities, batch.target)}
        return Output(floored(log_probabilities, batch.candidates), losses)

    def paper(self, batch: ClozeBatch) -> Tensor:
        """Log-probabilities [B, K]."""
        context, question = self.states(batch, batch.lengths, batch.question_lengths)
        query = ends(question, batch.question_lengths)  # [B, 2h]
        scores = (context @ query[:, :, None]).squeeze(2)  # [B, T]
        attention = masked_log_softmax(scores, positions(batch.lengths, batch.passage.shape[1]))
        return log_over_mentions(attention, batch.members)

    def as_published(self, batch: ClozeBatch) -> Tensor:
        """Log-probabilities [B, K], padded candidates included."""
        context, question = self.states(batch, padded_lengths(batch.passage), padded_lengths(batch.question))
        last = (batch.question_lengths - 1)[:, None, None].expand(-1, 1, question.shape[2])
        query = question.gather(1, last).transpose(1, 2)  # [B, 2h, 1]
        return over_mentions((context @ query).squeeze(2), batch.members).log_softmax(1)


prepare, restore = partial(prepared, AttentionSum), partial(restored, AttentionSum)
