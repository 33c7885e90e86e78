"""The Gated-Attention reader (GA), as CliCR ran it.

Dhingra et al. 2017, "Gated-Attention Readers for Text Comprehension"; CliCR, section 5.2. biGRU: states [forward,
backward], of Lasagne's GRU (one bias a gate), fresh ones for each hop. X is at first the passage's embeddings.

    for each hop but the last:
        D = biGRU(X)  [B, T, 2h];   Q = biGRU(question's embeddings)  [B, Q, 2h]
        q̃_t = Σ of α Q, α = softmax over the question of D_t · Q
        X = dropout(D ⊙ q̃)
    last hop:  X may get a trained feature [2] of each token: does it occur in the question?
        D = biGRU(X), Q = biGRU(question's embeddings), q = Q at the placeholder
        p = softmax over the passage tokens of any candidate of D_t · q
    P(candidate) = Σ of p_t over its tokens;  loss = −log P(answer)

The tokens of a candidate are those of its mentions. In the view plain they are all tokens that are one of its words,
inside a mention or not (CliCR, Equation 3), so several candidates can have one token and the sums are not normalised.

We omit the character model, the query's begin and end tokens, and the clipping of gradients inside the recurrence. The
program lists a candidate once for each of its mentions; here it occurs once.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

import torch
from torch import Tensor, nn

from anagnosis.readers.learning import Output
from anagnosis.readers.recurrent.attention import (
    floored,
    log_over_mentions,
    masked_log_softmax,
    masked_softmax,
    positions,
    target_loss,
)
from anagnosis.readers.recurrent.bidirectional import BiGRU
from anagnosis.readers.recurrent.inputs import ClozeBatch
from anagnosis.readers.recurrent.learner import RecurrentSettings, prepared, restored
from anagnosis.recipes.load import Depth, Positive, Rate, Share, Width

SAVES = ("vocabulary.json",)


class Config(RecurrentSettings, frozen=True, kw_only=True):
    """Settings of GA with the program's values; CliCR's are in its recipes.

    hops: passes over the passage, including the last. question_feature: give the last pass a feature of tokens in the
    question.
    """

    rate: Rate = 0.0005
    schedule: Literal["constant", "linear", "halving"] = "halving"
    epochs: Positive = 10
    patience: Positive = 1
    embedding: Width = 200
    hidden: Width = 128
    dropout: Share = 0.2
    hops: Depth = 3
    question_feature: bool = False


class GatedAttention(nn.Module):
    def __init__(self, words: int, config: Config) -> None:
        super().__init__()
        self.config = config
        hidden, hops = config.hidden, config.hops
        widths = [config.embedding] + [2 * hidden] * (hops - 1)
        widths[-1] += 2 * config.question_feature
        self.word_embeddings = nn.Embedding(words, config.embedding)
        self.passage_grus = nn.ModuleList([BiGRU(width, hidden, one_bias=True) for width in widths])
        self.question_grus = nn.ModuleList(
            [BiGRU(config.embedding, hidden, one_bias=True) for _ in range(hops)]
        )
        self.feature = nn.Embedding(2, 2) if config.question_feature else None
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, batch: ClozeBatch) -> Output:
        config = self.config
        question = self.word_embeddings(batch.question)
        in_question = positions(batch.question_lengths, question.shape[1])  # [B, Q]
        inputs = self.word_embeddings(batch.passage)  # [B, T, d], later [B, T, 2h]
        for hop in range(config.hops - 1):
            passage_states, question_states = self.states(hop, inputs, question, batch)
            pairs = passage_states @ question_states.transpose(1, 2)  # [B, T, Q]
            of_question = masked_softmax(pairs, in_question[:, None], 2) @ question_states  # [B, T, 2h]
            inputs = self.dropout(passage_states * of_question)
        if self.feature is not None:
            inputs = torch.cat([inputs, self.feature(batch.in_question.long())], dim=2)
        passage_states, question_states = self.states(config.hops - 1, inputs, question, batch)
        query = question_states[torch.arange(len(question), device=question.device), batch.placeholder]
        scores = (passage_states @ query[:, :, None]).squeeze(2)  # [B, T]
        attention = masked_log_softmax(scores, batch.members.any(1))
        log_probabilities = log_over_mentions(attention, batch.members)
        losses = {"answer": target_loss(log_probabilities, batch.target)}
        return Output(floored(log_probabilities, batch.candidates), losses)

    def states(self, hop: int, inputs: Tensor, question: Tensor, batch: ClozeBatch) -> tuple[Tensor, Tensor]:
        """States [B, T, 2h] of the passage in this hop and [B, Q, 2h] of the question."""
        return (
            self.passage_grus[hop](inputs, batch.lengths),
            self.question_grus[hop](question, batch.question_lengths),
        )


prepare, restore = partial(prepared, GatedAttention), partial(restored, GatedAttention)
