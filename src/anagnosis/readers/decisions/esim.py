"""ESIM over contextual vectors that stay as they are (PubMedQA, section 4.4: ESIM with BioELMo; Chen et al. 2017).

1. One bidirectional LSTM reads the vectors of the question, and those of the context.
2. Each state a of one side attends to the other side's states: ã is their average by the softmax of the products.
3. [a; ã; a − ã; a ⊙ ã] goes through a layer with ReLU, and a second bidirectional LSTM composes them.
4. Mean and maximum of its states, of both sides, go through a layer with tanh, which gives the label.

The contextual vectors are an encoder's top layer (the paper used BioELMo's), computed once for each text alone and
kept. The paper gives no sizes and rates: the layers have Chen et al.'s proportions, the rest is our choice. No text is
cut: one over the encoder's limit is read in windows; a message gives their number.

Shapes: n instances, q word pieces of the longest question, c of the longest context, d numbers a piece, h numbers of a
state in each direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.array_types import AnyArray
from anagnosis.encoders import load
from anagnosis.encoders.kept_vectors import KeptInstance, KeptVectors
from anagnosis.encoders.load import Encoder
from anagnosis.progress import TextCounts
from anagnosis.readers.decisions import long_answer
from anagnosis.readers.decisions.long_answer import LabelHead, Vocabulary
from anagnosis.readers.learning import (
    Learner,
    LongAnswerSettings,
    Output,
    TensorBatch,
    ViewedSplit,
)
from anagnosis.readers.recurrent.bidirectional import BiLSTM
from anagnosis.recipes.load import Rate, Share, Width

LONG = "contexts over the encoder's limit were read in several windows"
SAVES = ("encoder.json", "long_answers.json")


class Config(LongAnswerSettings, frozen=True, kw_only=True):
    """encoder: a name on the Hugging Face hub, or a folder. precision: its; the reader computes in float32."""

    encoder: str = ""
    hidden: Width = 100
    dropout: Share = 0.5
    rate: Rate = 0.0004
    precision: Literal["auto", "float32", "bfloat16"] = "float32"

    @property
    def frozen(self) -> bool:
        """Always true: training does not change the encoder."""
        return True


class Texts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance's two texts. vectors: of the word pieces of both. answer_words: as in bilstm.QuestionWords."""

    id: str
    target: int
    vectors: KeptInstance
    answer_words: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of word pieces."""
        return sum(self.vectors.sizes)


@dataclass(frozen=True, slots=True)
class TextBatch(TensorBatch):
    """question: float [n, q, d]; read: float [n, c, d]; question_lengths, read_lengths: int64 [n].

    answer_words: float [n, words of long answers].
    """

    target: Tensor
    question: Tensor
    read: Tensor
    question_lengths: Tensor
    read_lengths: Tensor
    answer_words: Tensor


class ESIM(nn.Module):
    """width: numbers of a contextual vector, d."""

    def __init__(self, config: Config, width: int, auxiliary: Vocabulary | None) -> None:
        super().__init__()
        hidden = config.hidden
        self.encoding = BiLSTM(width, hidden)
        self.projection = nn.Linear(8 * hidden, hidden)
        self.composition = BiLSTM(hidden, hidden)
        self.hidden = nn.Linear(8 * hidden, hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.head = LabelHead(hidden, config, auxiliary)

    def forward(self, batch: TextBatch) -> Output:
        with torch.autocast(batch.question.device.type, enabled=False):
            sides = [(batch.question, batch.question_lengths), (batch.read, batch.read_lengths)]
            dtype = self.projection.weight.dtype
            question, read = [
                self.encoding(self.dropout(vectors.to(dtype)), lengths) for vectors, lengths in sides
            ]
            products = question @ read.transpose(1, 2)  # [n, q, c]
            to_read = attended(products, read, batch.read_lengths)
            to_question = attended(products.transpose(1, 2), question, batch.question_lengths)
            composed = torch.cat(
                [
                    self._composed(question, to_read, batch.question_lengths),
                    self._composed(read, to_question, batch.read_lengths),
                ],
                dim=1,
            )
            vectors = self.dropout(torch.tanh(self.hidden(self.dropout(composed))))
            return self.head(vectors, batch.target, batch.answer_words)

    def _composed(self, states: Tensor, other: Tensor, lengths: Tensor) -> Tensor:
        """[n, 4h] from one side's states [n, t, 2h] and their averages of the other side."""
        local = torch.cat([states, other, states - other, states * other], dim=2)
        projected = self.dropout(torch.relu(self.projection(local)))
        return pooled(self.composition(projected, lengths), lengths)


def pooled(states: Tensor, lengths: Tensor) -> Tensor:
    """Maximum and mean [n, 2h] of states [n, t, h], 0 behind each row's length; 0 for an empty row."""
    mean = states.sum(1) / lengths.clamp(min=1)[:, None]
    real = torch.arange(states.shape[1], device=states.device) < lengths[:, None]
    largest = states.masked_fill(~real[:, :, None], -torch.inf).amax(1)
    return torch.cat([largest.masked_fill((lengths == 0)[:, None], 0.0), mean], dim=1)


def attended(products: Tensor, states: Tensor, lengths: Tensor) -> Tensor:
    """Averages [n, m, 2h] of states [n, t, 2h] by the softmax of products [n, m, t]; 0 without states."""
    real = (torch.arange(states.shape[1], device=states.device) < lengths[:, None])[:, None]
    # For a row without states the softmax is over padding, whose states are 0.
    weights = products.masked_fill(~real, torch.finfo(products.dtype).min).softmax(2)
    return weights @ states


class ESIMLearner(Learner):
    """See learning.Learner."""

    example = Texts
    device = torch.device("cpu")

    def __init__(self, config: Config, encoder: Encoder, auxiliary: Vocabulary | None) -> None:
        self.config, self.encoder, self.auxiliary = config, encoder, auxiliary
        self._kept: KeptVectors | None = None

    @property
    def kept(self) -> KeptVectors:
        """The vectors of texts, on the device that the loop has set."""
        if self._kept is None:
            self._kept = KeptVectors(self.encoder, torch.device(self.device), self.config.precision)
        return self._kept

    def encode(self, split: ViewedSplit) -> Iterator[Texts]:
        """An example for every instance; this computes the missing vectors first."""
        kept = self.kept.keep(
            split.kept,
            split.digest,
            lambda: ([posed.question, posed.text] for posed in split.viewed()),
            split.name,
            split.rows,
            quiet=split.kept is None or not split.dataset,
        )
        return self._texts(split, kept)

    def _texts(self, split: ViewedSplit, kept: Iterator[KeptInstance]) -> Iterator[Texts]:
        counts = TextCounts()
        for posed, vectors in zip(split.viewed(), kept, strict=False):
            counts[LONG] += max(vectors.sizes) > self.kept.limit
            words = long_answer.word_places(self.auxiliary, posed.long_answer)
            yield Texts(posed.id, posed.target, vectors, words)
        counts.report(split.name)

    def collate(self, examples: Sequence[Texts]) -> TextBatch:
        vectors = self.kept.vectors([example.vectors for example in examples])
        both = [
            np.split(each, [example.vectors.sizes[0]])
            for each, example in zip(vectors, examples, strict=True)
        ]
        question, question_lengths = self._padded([question for question, _ in both])
        read, read_lengths = self._padded([read for _, read in both])
        return TextBatch(
            torch.tensor([example.target for example in examples]),
            question,
            read,
            question_lengths,
            read_lengths,
            long_answer.targets([example.answer_words for example in examples], self.auxiliary),
        )

    def _padded(self, rows: Sequence[AnyArray]) -> tuple[Tensor, Tensor]:
        """(float32 [texts, longest, d], int64 [texts]) of the vectors of texts."""
        lengths = [len(row) for row in rows]
        padded = np.zeros((len(rows), max(1, *lengths), self.encoder.pieces.width), np.float32)
        for number, row in enumerate(rows):
            padded[number, : len(row)] = row
        return torch.from_numpy(padded), torch.tensor(lengths)

    def model(self) -> nn.Module:
        return ESIM(self.config, self.encoder.pieces.width, self.auxiliary)

    def save(self, folder: Path) -> None:
        load.record_frozen(self.encoder, folder)
        long_answer.save(self.auxiliary, folder)


def prepare(config: Config, training: ViewedSplit) -> ESIMLearner:
    """Load the encoder; count the words of long answers if the reader learns them."""
    return ESIMLearner(config, load.load(config.encoder), long_answer.count_words(config, training))


def restore(config: Config, folder: Path) -> ESIMLearner:
    """Restore the learner from a run folder; the encoder must be unchanged."""
    encoder = load.restore_frozen(config.encoder, folder)
    return ESIMLearner(config, encoder, long_answer.restore(config, folder))
