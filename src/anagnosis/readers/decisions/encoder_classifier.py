"""A BERT-like encoder that reads question and context in one sequence (PubMedQA, section 4.1: BioBERT).

The input is [CLS] question [SEP] context [SEP], with token types if the encoder has them. The vector of [CLS] gives the
label and the words of the long answer. A context over the encoder's limit is read in several sequences, each with the
question, whose vectors are averaged: no context is cut, and a message gives the number of such instances. The paper
gives no rates and epochs; ours are those of public fine-tunings on PQA-L (1e-5 to 2e-5, batches of 8 or 16, 10 to 30
epochs).

Shapes: n instances, s sequences, l word pieces of the longest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.datasets.kinds.decision import Posed
from anagnosis.encoders import load
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import QUESTIONS_CUT
from anagnosis.progress import TextCounts
from anagnosis.readers.decisions import long_answer
from anagnosis.readers.decisions.long_answer import LabelHead, Vocabulary
from anagnosis.readers.learning import DecisionSettings, DecisionView, Output, TensorBatch, ViewedSplit
from anagnosis.readers.trained_encoder import (
    EncoderLearner,
    EncoderSettings,
    OverEncoder,
    kept_encoder,
    question_prefix,
    segmented,
)
from anagnosis.recipes.load import Positive, Rate, Weight

SAVES = ("encoder", "long_answers.json")
LONG = "contexts over the encoder's limit were read in several sequences"


class Config(EncoderSettings, DecisionSettings, frozen=True, kw_only=True):
    """auxiliary, auxiliary_words: as in LongAnswerSettings."""

    view: DecisionView = "reasoning-required"
    auxiliary: Weight = 0.0
    auxiliary_words: Positive = 2000
    batch: Positive = 16
    rate: Rate = 2e-5
    epochs: Positive = 10


class ContextSequences(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance. pieces: its sequences, several for a long context. start: the place behind the first [SEP]."""

    id: str
    target: int
    pieces: tuple[tuple[int, ...], ...]
    start: int
    answer_words: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of word pieces."""
        return sum(map(len, self.pieces))


@dataclass(frozen=True, slots=True)
class SequenceBatch(TensorBatch):
    """pieces, segments: int64 [s, l]; inside: bool [s, l]; instance: int64 [s]; answer_words: float [n, words]."""

    target: Tensor
    pieces: Tensor
    inside: Tensor
    segments: Tensor
    instance: Tensor
    answer_words: Tensor


class EncoderClassifier(OverEncoder):
    """The encoder with a head over its [CLS]."""

    def __init__(self, config: Config, encoder: Any, *, typed: bool, auxiliary: Vocabulary | None) -> None:
        super().__init__(config, encoder, typed=typed)
        width = encoder.get_input_embeddings().weight.shape[1]
        self.dropout = nn.Dropout(config.dropout)
        self.head = LabelHead(width, config.auxiliary, auxiliary)

    def forward(self, batch: SequenceBatch) -> Output:
        top = self.top(batch.pieces, batch.inside, batch.segments)
        with torch.autocast(top.device.type, enabled=False):
            first = top[:, 0].to(self.head.outer.weight.dtype)
            member = nn.functional.one_hot(batch.instance, len(batch.target)).to(first.dtype)  # [s, n]
            vectors = self.dropout((member.T @ first) / member.sum(0)[:, None])
            return self.head(vectors, batch.target, batch.answer_words)


class EncoderClassifierLearner(EncoderLearner):
    """See learning.Learner."""

    example = ContextSequences

    def __init__(self, config: Config, encoder: Encoder, auxiliary: Vocabulary | None) -> None:
        super().__init__(config, encoder)
        self.auxiliary = auxiliary

    def encode(self, split: ViewedSplit) -> Iterator[ContextSequences]:
        counts = TextCounts(LONG, QUESTIONS_CUT)
        for posed in split.viewed():
            example = self._sequences(posed, counts)
            counts[LONG] += len(example.pieces) > 1
            yield example
        counts.report(split.name)

    def _sequences(self, posed: Posed, counts: TextCounts) -> ContextSequences:
        pieces = self.encoder.pieces
        question, read = (list(encoding.ids) for encoding in pieces.split([posed.question, posed.text]))
        prefix = question_prefix(pieces, question, counts)
        room = pieces.limit - 1 - len(prefix)
        parts = [read[at : at + room] for at in range(0, len(read), room)] or [[]]
        return ContextSequences(
            posed.id,
            posed.target,
            tuple((*prefix, *part, pieces.separator) for part in parts),
            len(prefix),
            long_answer.word_places(self.auxiliary, posed.long_answer),
        )

    def collate(self, examples: Sequence[ContextSequences]) -> SequenceBatch:
        rows = [row for example in examples for row in example.pieces]
        counts = [len(example.pieces) for example in examples]
        starts = [example.start for example in examples for _ in example.pieces]
        return SequenceBatch(
            torch.tensor([example.target for example in examples]),
            *segmented(rows, starts, self.encoder.pieces),
            torch.from_numpy(np.repeat(np.arange(len(examples)), counts)),
            long_answer.targets([example.answer_words for example in examples], self.auxiliary),
        )

    def model(self) -> nn.Module:
        typed = self.encoder.pieces.types > 1
        return EncoderClassifier(self.config, self.encoder.model, typed=typed, auxiliary=self.auxiliary)

    def save(self, folder: Path) -> None:
        super().save(folder)
        long_answer.save(self.auxiliary, folder)


def prepare(config: Config, training: ViewedSplit) -> EncoderClassifierLearner:
    """Load the encoder; count the words of long answers if the reader learns them."""
    return EncoderClassifierLearner(
        config,
        load.load(config.encoder),
        long_answer.count_words(training, config.auxiliary, config.auxiliary_words),
    )


def restore(config: Config, folder: Path) -> EncoderClassifierLearner:
    """Restore the learner from a run folder, which contains everything."""
    return EncoderClassifierLearner(
        config, kept_encoder(config, folder), long_answer.restore(folder, config.auxiliary)
    )
