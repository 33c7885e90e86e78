"""ESIM over contextual vectors that stay as they are (PubMedQA, section 4.4: ESIM with BioELMo; Chen et al. 2017).

1. One bidirectional LSTM reads the question's vectors, and those of what is read beside it.
2. Each state a of one side takes its average ã of the other side's states by attention, the softmax of their products.
3. [a; ã; a − ã; a ⊙ ã] goes through a layer with ReLU, and a second bidirectional LSTM composes them.
4. The mean and the largest of its states, of both sides; a layer with tanh; the label is read from that vector.

The contextual vectors are an encoder's top layer (the paper took BioELMo's), each text read alone, computed once and
kept; or they lie in a file. No paper gives sizes and rates: the layers' are Chen et al.'s in their proportions, the
rest is a choice of ours. No text is cut: one over the encoder's limit is read in windows, and their number is reported.

Shapes: n instances, q pieces of the longest question, c of what is read beside it, d numbers a piece, h of a state in
each direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from anagnosis.datasets.kinds.decision import Posed
from anagnosis.encoders import frozen, load
from anagnosis.encoders.given_texts import GivenTexts
from anagnosis.encoders.kept_folder import Place
from anagnosis.encoders.kept_text_vectors import KeptTexts, key_of
from anagnosis.encoders.load import Encoder
from anagnosis.errors import InputError
from anagnosis.progress import tell
from anagnosis.readers.decisions import long_answer, vector_file
from anagnosis.readers.decisions.bilstm import pooled
from anagnosis.readers.decisions.labels import LabelHead
from anagnosis.readers.decisions.vocabulary import Vocabulary
from anagnosis.readers.learning import (
    ALL_AT_ONCE,
    Embeddings,
    LongAnswerSettings,
    Material,
    Output,
    Phase,
    TensorBatch,
)
from anagnosis.readers.recurrent.lstm import BiLSTM
from anagnosis.recipes.values import Rate, Share, Width

# What a file of vectors calls a text that is read beside the question.
BESIDE = {"reasoning-required": "context", "reasoning-free": "long_answer"}
SAVES = ("encoder.json", "vectors.json", "long_answers.json")


class Config(LongAnswerSettings, frozen=True, kw_only=True):
    """encoder: a name of the Hugging Face hub, or a folder. vectors: a file (safetensors, HDF5) in its place.

    precision: of the encoder alone; the reader itself computes in float32.
    """

    encoder: str = ""
    vectors: str = ""
    hidden: Width = 100
    dropout: Share = 0.5
    rate: Rate = 0.0004
    precision: Literal["auto", "float32", "bfloat16"] = "float32"

    @property
    def frozen(self) -> bool:
        """The encoder stays as it is."""
        return True


class Texts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance by the keys of its two texts. pieces: of each; read: "" for no text.

    held: words of the long answer. kept: the folder where an encoder's vectors are kept.
    """

    id: str
    target: int
    question: str
    read: str
    pieces: tuple[int, int]
    held: tuple[int, ...] = ()
    kept: str = ""

    @property
    def size(self) -> int:
        """Pieces."""
        return sum(self.pieces)


@dataclass(frozen=True, slots=True)
class TextBatch(TensorBatch):
    """question: float [n, q, d]; read: float [n, c, d]; asked, there: int64 [n], their lengths; held as above."""

    target: Tensor
    question: Tensor
    read: Tensor
    asked: Tensor
    there: Tensor
    held: Tensor


class ESIM(nn.Module):
    """width: numbers of a contextual vector, d."""

    def __init__(self, config: Config, width: int, answer_words: Vocabulary | None) -> None:
        super().__init__()
        hidden = config.hidden
        self.encoding = BiLSTM(width, hidden)
        self.projection = nn.Linear(8 * hidden, hidden)
        self.composition = BiLSTM(hidden, hidden)
        self.hidden = nn.Linear(8 * hidden, hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.head = LabelHead(hidden, config, answer_words)

    def forward(self, batch: TextBatch) -> Output:
        with torch.autocast(batch.question.device.type, enabled=False):
            sides = [(batch.question, batch.asked), (batch.read, batch.there)]
            own = self.projection.weight.dtype
            question, read = [
                self.encoding(self.dropout(vectors.to(own)), lengths) for vectors, lengths in sides
            ]
            products = question @ read.transpose(1, 2)  # [n, q, c]
            to_read = attended(products, read, batch.there)
            to_question = attended(products.transpose(1, 2), question, batch.asked)
            found = torch.cat(
                [
                    self._composed(question, to_read, batch.asked),
                    self._composed(read, to_question, batch.there),
                ],
                dim=1,
            )
            vectors = self.dropout(torch.tanh(self.hidden(self.dropout(found))))
            return self.head(vectors, batch.target, batch.held)

    def _composed(self, states: Tensor, other: Tensor, lengths: Tensor) -> Tensor:
        """[n, 4h] of one side's states [n, t, 2h] and what each took of the other."""
        local = torch.cat([states, other, states - other, states * other], dim=2)
        projected = self.dropout(torch.relu(self.projection(local)))
        return pooled(self.composition(projected, lengths), lengths, "max-and-mean")


def attended(products: Tensor, states: Tensor, lengths: Tensor) -> Tensor:
    """The average of states [n, t, 2h] for each of m others, by the softmax of products [n, m, t]; 0 of no state."""
    real = (torch.arange(states.shape[1], device=states.device) < lengths[:, None])[:, None]
    # Of a row without any the softmax is over padding, whose states are 0.
    weights = products.masked_fill(~real, torch.finfo(products.dtype).min).softmax(2)
    return weights @ states


class ESIMLearner:
    """See learning.Learner. given: a file of vectors, or the encoder that computes them."""

    device = torch.device("cpu")

    def __init__(
        self, config: Config, given: GivenTexts | Encoder, width: int, answer_words: Vocabulary | None
    ) -> None:
        self.config, self.given, self.width, self.answer_words = config, given, width, answer_words
        self._kept: KeptTexts | None = None
        self._place = Place()

    @property
    def example(self) -> type[msgspec.Struct]:
        return Texts

    def encode(self, material: Material) -> Iterator[Texts]:
        """The vectors are there when this returns: those of an encoder are computed where they are missing."""
        if isinstance(self.given, Encoder):
            self._kept = self._opened(self.given, self._place.of(material.kept))
            texts = (text for posed in material.viewed() for text in (posed.question, posed.text) if text)
            self._kept.add(texts, material.name)
        return self._texts(material)

    def _texts(self, material: Material) -> Iterator[Texts]:
        long = 0
        for posed in material.viewed():
            question, read = self._keys(posed)
            pieces = (self._pieces(question), self._pieces(read))
            long += self._kept is not None and max(pieces) > self._kept.limit
            yield Texts(
                posed.id,
                posed.target,
                question,
                read,
                pieces,
                long_answer.word_places(self.answer_words, posed.long_answer),
                str(self._kept.place.parent.resolve()) if self._kept else "",
            )
        if long:
            tell(f"{material.name}: {long:,} contexts over the encoder's limit were read in several windows")

    def _keys(self, posed: Posed) -> tuple[str, str]:
        read = posed.text
        if isinstance(self.given, Encoder):
            return key_of(posed.question).hex() if posed.question else "", key_of(read).hex() if read else ""
        beside = f"{posed.id}/{BESIDE[self.config.view]}" if read else ""
        return f"{posed.id}/question", beside

    def _pieces(self, key: str) -> int:
        if not key:
            return 0
        if self._kept is not None:
            return self._kept.count(bytes.fromhex(key))
        assert isinstance(self.given, GivenTexts)
        pieces, width = self.given.shape(key)
        if width != self.width:
            raise InputError(
                f"the vectors of {key!r} have {width} numbers, others {self.width}",
                self.given.path.name,
                "write them all by one encoder",
            )
        return pieces

    def _vectors(self, key: str, folder: str) -> NDArray[Any]:
        if not key:
            return np.empty((0, self.width), np.float32)
        if isinstance(self.given, GivenTexts):
            return self.given.vectors(key)
        if self._kept is None:  # a process that encoded nothing itself
            self._kept = self._opened(self.given, Path(folder))
            self._kept.open()
        return self._kept.vectors(bytes.fromhex(key))

    def _opened(self, encoder: Encoder, folder: Path) -> KeptTexts:
        return KeptTexts(folder, encoder, torch.device(self.device), self.config.precision)

    def collate(self, examples: Sequence[Texts]) -> TextBatch:
        question, asked = self._padded([(example.question, example.kept) for example in examples])
        read, there = self._padded([(example.read, example.kept) for example in examples])
        return TextBatch(
            torch.tensor([example.target for example in examples]),
            question,
            read,
            asked,
            there,
            long_answer.targets([example.held for example in examples], self.answer_words),
        )

    def _padded(self, texts: Sequence[tuple[str, str]]) -> tuple[Tensor, Tensor]:
        """texts: key and folder of each."""
        rows = [self._vectors(key, folder) for key, folder in texts]
        lengths = [len(row) for row in rows]
        padded = np.zeros((len(rows), max(1, *lengths), self.width), np.float32)
        for number, row in enumerate(rows):
            padded[number, : len(row)] = row
        return torch.from_numpy(padded), torch.tensor(lengths)

    def model(self) -> nn.Module:
        return ESIM(self.config, self.width, self.answer_words)

    def phases(self) -> Sequence[Phase]:
        return ALL_AT_ONCE

    def embeddings(self) -> Embeddings:
        return Embeddings(0, 0)

    def save(self, folder: Path) -> None:
        if isinstance(self.given, Encoder):
            frozen.remember(self.given, folder)
        else:
            # Other instances have their vectors in another file.
            vector_file.remember(self.given.path, folder, self.width, same=False)
        long_answer.keep(self.answer_words, folder)


def prepare(config: Config, training: Material) -> ESIMLearner:
    """Load the encoder, or open the file; the width is that of the first question."""
    answer_words = long_answer.answer_vocabulary(config, training)
    if config.vectors:
        given = GivenTexts(vector_file.named(config.vectors))
        return ESIMLearner(
            config, given, given.shape(f"{next(training.viewed()).id}/question")[1], answer_words
        )
    encoder = load.load(config.encoder)
    return ESIMLearner(config, encoder, encoder.pieces.width, answer_words)


def restore(config: Config, folder: Path) -> ESIMLearner:
    """From a run folder. A frozen encoder is looked for where it was, and must be the same; a file of vectors too."""
    answer_words = long_answer.kept(config, folder)
    if config.vectors:
        path, width = vector_file.recalled(folder)
        return ESIMLearner(config, GivenTexts(path), width, answer_words)
    encoder = frozen.recalled(config.encoder, folder)
    return ESIMLearner(config, encoder, encoder.pieces.width, answer_words)
