"""A BERT-like encoder that reads question and sentence as a pair, a sentence at a time; the model is ours.

The input is [CLS] question [SEP] sentence [SEP], with token types if the encoder has them; the vector of [CLS] gives
one logit. A sentence is cut at the encoder's limit, a question at three fourths of it; messages give the numbers.

Sentences of similar length are batched together, also from different instances.

Shapes: n instances, s sentences of all of them, g of a group, l word pieces of its longest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
import torch
from torch import Tensor, nn

from anagnosis.encoders import run
from anagnosis.encoders.pairs import QUESTIONS_CUT
from anagnosis.progress import TextCounts
from anagnosis.readers.evidence.sentence_loss import Rows, labels, rows, sentence_output
from anagnosis.readers.learning import LOSS, EvidenceSettings, Output, TensorBatch, ViewedSplit
from anagnosis.readers.trained_encoder import (
    EncoderLearner,
    EncoderSettings,
    OverEncoder,
    question_prefix,
    segmented,
)
from anagnosis.recipes.load import Positive, Rate

SAVES = ("encoder",)
CUT = "sentences over the encoder's limit were cut there"


class Config(EncoderSettings, EvidenceSettings, frozen=True, kw_only=True):
    """Settings of the sentence encoder; it stops by the loss, since its probabilities matter."""

    view: Literal["sentences"] = "sentences"
    batch: Positive = 8
    rate: Rate = 5e-5
    epochs: Positive = 3
    stop: str = LOSS


class Pairs(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance. pieces: of question and each sentence. start: the place behind the first [SEP].

    gold: from sentence_loss.labels.
    """

    id: str
    target: int
    pieces: tuple[tuple[int, ...], ...]
    start: int
    gold: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of word pieces."""
        return sum(map(len, self.pieces))


@dataclass(frozen=True, slots=True)
class PairBatch(TensorBatch):
    """groups: (pieces, mask of no padding, token types) of sentences; each sentence is in one of them.

    numbers: int64 [s], the sentences in the order of the groups.
    """

    target: Tensor
    groups: tuple[tuple[Tensor, Tensor, Tensor], ...]
    numbers: Tensor
    rows: Rows


class SentencePairModel(OverEncoder):
    """The encoder and one logit from its [CLS]."""

    def __init__(self, config: Config, encoder: Any, *, typed: bool) -> None:
        super().__init__(config, encoder, typed=typed)
        self.dropout = nn.Dropout(config.dropout)
        self.outer = nn.Linear(encoder.get_input_embeddings().weight.shape[1], 1)

    def forward(self, batch: PairBatch) -> Output:
        logits = torch.cat([self._logits(*group) for group in batch.groups])
        return sentence_output(torch.zeros_like(logits).index_copy(0, batch.numbers, logits), batch.rows)

    def _logits(self, *group: Tensor) -> Tensor:
        top = self.top(*group)
        with torch.autocast(top.device.type, enabled=False):
            first = self.dropout(top[:, 0].to(self.outer.weight.dtype))
            return self.outer(first).squeeze(1)


class SentenceEncoderLearner(EncoderLearner):
    """See learning.Learner."""

    example = Pairs

    def encode(self, split: ViewedSplit) -> Iterator[Pairs]:
        counts, pieces = TextCounts(CUT, QUESTIONS_CUT), self.encoder.pieces
        for instance in split.viewed():
            read = pieces.split([instance.question, *(sentence.text for sentence in instance.sentences)])
            question, *sentences = (list(encoding.ids) for encoding in read)
            prefix = question_prefix(pieces, question, counts)
            room = pieces.limit - 1 - len(prefix)
            counts[CUT] += sum(len(sentence) > room for sentence in sentences)
            joined = tuple((*prefix, *sentence[:room], pieces.separator) for sentence in sentences)
            yield Pairs(instance.id, instance.target, joined, len(prefix), labels(instance))
        counts.report(split.name)

    def collate(self, examples: Sequence[Pairs]) -> PairBatch:
        sequences = [pieces for example in examples for pieces in example.pieces]
        starts = [example.start for example in examples for _ in example.pieces]
        batch_rows = rows([example.gold for example in examples], [example.target for example in examples])
        pieces = self.encoder.pieces
        groups = run.groups([*map(len, sequences)], pieces.limit, self.device)
        return PairBatch(
            batch_rows.target,
            tuple(
                segmented([sequences[n] for n in numbers], [starts[n] for n in numbers], pieces, length)
                for numbers, length in groups
            ),
            torch.tensor([number for numbers, _ in groups for number in numbers]),
            batch_rows,
        )

    def model(self) -> nn.Module:
        return SentencePairModel(self.config, self.encoder.model, typed=self.encoder.pieces.types > 1)


prepare, restore = SentenceEncoderLearner.prepare, SentenceEncoderLearner.restore
