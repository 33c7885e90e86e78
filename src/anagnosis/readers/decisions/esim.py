"""ESIM over contextual vectors that stay as they are (PubMedQA, section 4.4: ESIM with BioELMo; Chen et al. 2017).

1. One bidirectional LSTM reads the vectors of the question, and those of the context.
2. Each state a of one side attends to the other side's states: ã is their average by the softmax of the products.
3. [a; ã; a − ã; a ⊙ ã] goes through a layer with ReLU, and a second bidirectional LSTM composes them.
4. Mean and maximum of its states, of both sides, go through a layer with tanh, which gives the label.

The contextual vectors are an encoder's top layer (the paper used BioELMo's), computed once for each text alone and
kept; or they come from a file. The paper gives no sizes and rates: the layers have Chen et al.'s proportions, the rest
is our choice. No text is cut: one over the encoder's limit is read in windows; a message gives their number.

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
from anagnosis.encoders.given_texts import GivenTexts
from anagnosis.encoders.kept_vectors import KeptInstance, KeptVectors
from anagnosis.encoders.load import Encoder
from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json
from anagnosis.progress import TextCounts
from anagnosis.readers.decisions import long_answer
from anagnosis.readers.decisions.long_answer import LabelHead, Vocabulary
from anagnosis.readers.decisions.vector_file import RECORD
from anagnosis.readers.learning import Learner, LongAnswerSettings, Output, TensorBatch, ViewedSplit
from anagnosis.readers.recurrent.bidirectional import BiLSTM
from anagnosis.recipes.load import Rate, Share, Width

# View → the key, in a file of vectors, of the text beside the question.
BESIDE = {"reasoning-required": "context", "reasoning-free": "long_answer"}
LONG = "contexts over the encoder's limit were read in several windows"
SAVES = ("encoder.json", "vectors.json", "long_answers.json")


class Config(LongAnswerSettings, frozen=True, kw_only=True):
    """encoder: a name on the Hugging Face hub, or a folder. vectors: an HDF5 file instead.

    precision: of the encoder; the reader itself computes in float32.
    """

    encoder: str = ""
    vectors: str = ""
    hidden: Width = 100
    dropout: Share = 0.5
    rate: Rate = 0.0004
    precision: Literal["auto", "float32", "bfloat16"] = "float32"


class _Given(msgspec.Struct, frozen=True):
    """The record of a file of vectors in a run folder."""

    path: str
    width: int


class Texts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance's question and the text beside it. pieces: of each. answer_words: as in bilstm.QuestionWords.

    keys: in a file of vectors, of those texts that are there. kept: the vectors by an encoder; None with a file.
    """

    id: str
    target: int
    pieces: tuple[int, int]
    answer_words: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()
    kept: KeptInstance | None = None

    @property
    def size(self) -> int:
        """The number of word pieces."""
        return sum(self.pieces)


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
        self.head = LabelHead(hidden, config.auxiliary, auxiliary)

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
    """See learning.Learner. source: a file of vectors, or the encoder that computes them."""

    example = Texts
    device = torch.device("cpu")

    def __init__(
        self, config: Config, source: GivenTexts | Encoder, width: int, auxiliary: Vocabulary | None
    ) -> None:
        self.config, self.source, self.width, self.auxiliary = config, source, width, auxiliary
        self._kept: KeptVectors | None = None

    def encode(self, split: ViewedSplit) -> Iterator[Texts]:
        """An example for every instance; this computes an encoder's missing vectors first."""
        if isinstance(self.source, GivenTexts):
            return self._given(split, self.source)
        if self._kept is None:
            self._kept = KeptVectors(self.source, torch.device(self.device), self.config.precision)

        def texts() -> Iterator[list[str]]:
            return ([posed.question, posed.text] for posed in split.viewed())

        return self._computed(split, self._kept.keep(split.kept, split.digest, texts, split.name, split.rows))

    def _given(self, split: ViewedSplit, source: GivenTexts) -> Iterator[Texts]:
        for posed in split.viewed():
            keys = [f"{posed.id}/{text}" for text in ("question", BESIDE.get(self.config.view, ""))]
            keys = keys if posed.text else keys[:1]
            pieces = [0, 0]
            for number, key in enumerate(keys):
                pieces[number], width = source.shape(key)
                if width != self.width:
                    what = f"the vectors of {key!r} have {width} numbers, others {self.width}"
                    raise InputError(what, source.path.name, "write them all by one encoder")
            words = long_answer.word_places(self.auxiliary, posed.long_answer)
            yield Texts(posed.id, posed.target, (pieces[0], pieces[1]), words, tuple(keys))

    def _computed(self, split: ViewedSplit, kept: Iterator[KeptInstance]) -> Iterator[Texts]:
        assert self._kept is not None
        counts = TextCounts(LONG)
        for posed, vectors in zip(split.viewed(), kept, strict=True):
            question, read = vectors.sizes
            counts[LONG] += max(question, read) > self._kept.limit
            words = long_answer.word_places(self.auxiliary, posed.long_answer)
            yield Texts(posed.id, posed.target, (question, read), words, kept=vectors)
        counts.report(split.name)

    def _vectors(self, example: Texts) -> list[AnyArray]:
        """The vectors of both texts."""
        if isinstance(self.source, GivenTexts):
            none = np.empty((0, self.width), np.float32)
            return [*(self.source.vectors(key) for key in example.keys), none]
        assert self._kept is not None
        assert example.kept is not None
        (both,) = self._kept.vectors([example.kept])
        return np.split(both, [example.pieces[0]])

    def collate(self, examples: Sequence[Texts]) -> TextBatch:
        both = [self._vectors(example) for example in examples]
        question, question_lengths = self._padded([vectors[0] for vectors in both])
        read, read_lengths = self._padded([vectors[1] for vectors in both])
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
        padded = np.zeros((len(rows), max(1, *lengths), self.width), np.float32)
        for number, row in enumerate(rows):
            padded[number, : len(row)] = row
        return torch.from_numpy(padded), torch.tensor(lengths)

    def model(self) -> nn.Module:
        return ESIM(self.config, self.width, self.auxiliary)

    def save(self, folder: Path) -> None:
        if isinstance(self.source, Encoder):
            load.record_frozen(self.source, folder)
        else:
            write_json(folder / RECORD, _Given(str(self.source.path.absolute()), self.width))
        long_answer.save(self.auxiliary, folder)


def prepare(config: Config, training: ViewedSplit) -> ESIMLearner:
    """Load the encoder or open the file, whose first question gives the width."""
    auxiliary = long_answer.count_words(training, config.auxiliary, config.auxiliary_words)
    if config.vectors:
        source = GivenTexts(config.vectors)
        width = source.shape(f"{next(training.viewed()).id}/question")[1]
        return ESIMLearner(config, source, width, auxiliary)
    encoder = load.load(config.encoder)
    return ESIMLearner(config, encoder, encoder.pieces.width, auxiliary)


def restore(config: Config, folder: Path) -> ESIMLearner:
    """Restore the learner from a run folder; the encoder must be unchanged.

    The file of vectors may be another than at the training, since other instances have other texts.
    """
    auxiliary = long_answer.restore(folder, config.auxiliary)
    if config.vectors:
        given = read_json(folder / RECORD, _Given)
        return ESIMLearner(config, GivenTexts(given.path), given.width, auxiliary)
    encoder = load.restore_frozen(config.encoder, folder)
    return ESIMLearner(config, encoder, encoder.pieces.width, auxiliary)
