"""The Stanford Attentive reader (SA), as CliCR ran it.

Chen et al. 2016, "A Thorough Examination of the CNN/Daily Mail Reading Comprehension Task"; CliCR, section 5.2.
E: embeddings with dropout; biGRU: states [forward, backward], of Lasagne's GRU (one bias a gate).

    h = biGRU(E(passage))              [B, T, 2h]
    q = ends of biGRU(E(question))     [B, 2h]: the forward state at the last, the backward state at the first word
    α = softmax over the passage of h_t · (q W);   o = Σ α_t h_t      [B, 2h]
    P = softmax of (o D + b) over the entity labels of the training data that occur in the passage
    loss = −log of P(answer), kept within [1e-7, 1 − 1e-7]

Label 0 is every entity that is no label of the training data. It is in the softmax if such a candidate occurs, and
these candidates share its probability equally; an answer that is one of them is trained as label 0. A candidate that
the passage never mentions has probability 0 (the floor). A candidate must be one token, so there is neither a names
nor a plain view. The program draws dropout separately for the two directions; we draw it once.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional

from anagnosis.datasets.kinds.cloze_instance import PSEUDO
from anagnosis.io import files
from anagnosis.io.decoding import read_json
from anagnosis.readers.learning import ALL_AT_ONCE, Learner, Output, Phase, TokenView, ViewedSplit
from anagnosis.readers.recurrent.attention import (
    FLOOR,
    floored,
    masked_log_softmax,
    masked_softmax,
    positions,
)
from anagnosis.readers.recurrent.bidirectional import BiGRU, ends
from anagnosis.readers.recurrent.inputs import ClozeBatch, ClozeExample, encode
from anagnosis.readers.recurrent.learner import RecurrentLearner, RecurrentSettings, vocabulary_and_vectors
from anagnosis.readers.recurrent.words import Vocabulary
from anagnosis.recipes.load import Count, Positive, Rate, Share, Width

FILE = "labels.json"
CLIPPED = (math.log(1e-7), math.log1p(-1e-7))
SAVES = ("vocabulary.json", "labels.json")


class Config(RecurrentSettings, frozen=True, kw_only=True):
    """Settings of SA with the original program's values; CliCR's are in its recipes.

    stop_from: the first epoch in which patience may stop the training.
    """

    view: TokenView = "local"
    optimizer: Literal["adam", "adamw", "sgd"] = "sgd"
    rate: Rate = 0.1
    epochs: Positive = 100
    stop_from: Positive = 1
    embedding: Width = 100
    hidden: Width = 128
    dropout: Share = 0.2
    most: Count = 50_000


def prepare(config: Config, training: ViewedSplit) -> Learner:
    labels = sorted({token for viewed in training.viewed() for token in viewed.candidates}, key=_number)
    vocabulary, vectors = vocabulary_and_vectors(config, training)
    return SALearner(vocabulary, labels, config, vectors)


def restore(config: Config, folder: Path) -> Learner:
    labels = read_json(folder / FILE, list[str], "train the reader again", "no list of entity labels")
    return SALearner(Vocabulary.restore(folder), labels, config)


def _number(token: str) -> tuple[int, str]:
    match = PSEUDO.fullmatch(token)
    return (int(match[1]) if match else -1, token)


class SALearner(RecurrentLearner):
    """A recurrent learner with the entity labels of the training data."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        labels: list[str],
        config: Config,
        vectors: dict[int, Tensor] | None = None,
    ) -> None:
        super().__init__(
            vocabulary,
            lambda size: StanfordAttentive(size, 1 + len(labels), config),
            vectors,
        )
        self.labels = labels
        self._phase = dataclasses.replace(ALL_AT_ONCE[0], stop_from=config.stop_from)
        self._label = {token: label for label, token in enumerate(labels, 1)}

    def encode(self, split: ViewedSplit) -> Iterator[ClozeExample]:
        for viewed in split.viewed():
            labels = [self._label.get(token, 0) for token in viewed.candidates]
            yield encode(viewed, self.vocabulary, labels)

    def phases(self) -> Sequence[Phase]:
        return (self._phase,)

    def save(self, folder: Path) -> None:
        super().save(folder)
        files.write_bytes(folder / FILE, msgspec.json.encode(self.labels))


class StanfordAttentive(nn.Module):
    def __init__(self, words: int, labels: int, config: Config) -> None:
        super().__init__()
        states = 2 * config.hidden
        self.word_embeddings = nn.Embedding(words, config.embedding)
        self.passage_gru = BiGRU(config.embedding, config.hidden, one_bias=True)
        self.question_gru = BiGRU(config.embedding, config.hidden, one_bias=True)
        self.attention = nn.Parameter(torch.empty(states, states).uniform_(-0.01, 0.01))
        self.labels = nn.Linear(states, labels)
        self.dropout = nn.Dropout(config.dropout)
        nn.init.uniform_(self.word_embeddings.weight, -0.01, 0.01)
        nn.init.xavier_uniform_(self.labels.weight)
        nn.init.zeros_(self.labels.bias)

    def forward(self, batch: ClozeBatch) -> Output:
        passage = self.dropout(self.word_embeddings(batch.passage))
        question = self.dropout(self.word_embeddings(batch.question))
        states = self.passage_gru(passage, batch.lengths)  # [B, T, 2h]
        query = ends(self.question_gru(question, batch.question_lengths), batch.question_lengths)  # [B, 2h]
        scores = (states @ (query @ self.attention)[:, :, None]).squeeze(2)  # [B, T]
        attention = masked_softmax(scores, positions(batch.lengths, scores.shape[1]), 1)
        read = (attention[:, None] @ states).squeeze(1)  # [B, 2h]
        # We compute only the labels of an instance's candidates, since no others are in its softmax.
        of_labels = functional.embedding(batch.labels, self.labels.weight)  # [B, K, 2h]
        logits = (of_labels @ read[:, :, None]).squeeze(2) + self.labels.bias[batch.labels]  # [B, K]
        mentioned = batch.members.any(2)
        same = (batch.labels[:, :, None] == batch.labels[:, None]) & mentioned[:, None]  # [B, K, K]
        shared = same.sum(2).clamp(min=1).to(logits.dtype).log()  # [B, K]: a label's candidates
        log_probabilities = masked_log_softmax(logits - shared, mentioned).masked_fill(~mentioned, FLOOR)
        answered = batch.target >= 0
        chosen = (log_probabilities + shared).gather(1, batch.target.clamp(min=0)[:, None]).squeeze(1)
        loss = torch.where(answered, -chosen.clamp(*CLIPPED), torch.zeros_like(chosen))
        return Output(floored(log_probabilities, batch.candidates), {"answer": loss})
