"""AS and AOA over a BERT-like encoder: the thesis, 3.3 (no figures are published).

Its vectors replace the word embeddings, or the embeddings and the GRUs. The reader's module is the same, but gets
vectors instead of ids and skips the replaced layers. Tokens are separated by blanks; a token has the vector of its
first sub-token, the placeholder that of [MASK] (encoders/words.py). Tokens behind the encoder's limit are dropped: a
candidate that only they mention counts as unmentioned.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import torch
from torch import Tensor, nn

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.encoders import load, words
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.trained import trained_embeddings, trained_parameters
from anagnosis.encoders.words import NOWHERE, WordBatch, WordPieces, WordVectors, word_pieces
from anagnosis.errors import InputError
from anagnosis.progress import print_note
from anagnosis.readers.learning import Embeddings, Learner, Output, Phase, ViewedSplit
from anagnosis.readers.recurrent import inputs
from anagnosis.readers.recurrent.learner import AttentionSettings

ENCODER = "encoder"

C = TypeVar("C", bound=AttentionSettings)


class EncodedExample(inputs.ClozeExample, frozen=True, kw_only=True, gc=False):
    """size: word pieces of all sequences. passage, question: the first word piece of each token."""

    words: WordPieces


@dataclass(frozen=True, slots=True)
class EncodedBatch(inputs.ClozeBatch):
    words: WordBatch


class Encoded(nn.Module):
    """The encoder with the reader over its vectors. A frozen encoder has no dropout."""

    def __init__(self, config: AttentionSettings, vectors: WordVectors, reader: nn.Module) -> None:
        super().__init__()
        self.config = config
        self.vectors = vectors
        self.reader = reader
        reader.word_embeddings = nn.Identity()
        if config.encoder_as == "states":
            reader.context_bigru = reader.question_bigru = _NoGRU()
            reader.register_parameter("context_h", None)
            reader.register_parameter("question_h", None)

    def train(self, mode: bool = True) -> Encoded:
        super().train(mode)
        if self.config.encoder_trained == "none":
            self.vectors.eval()
        return self

    def forward(self, batch: EncodedBatch) -> Output:
        contextual = self.vectors(batch.words)
        # Products of long vectors are large; half precision would change the softmax.
        with torch.autocast(contextual.passage.device.type, enabled=False):
            return self.reader(
                replace(batch, passage=contextual.passage.float(), question=contextual.question.float())
            )


class _NoGRU(nn.Module):
    """A stand-in for a GRU that returns its inputs as states."""

    def forward(self, vectors: Tensor, lengths: Tensor, start: None) -> Tensor:
        return vectors


class EncodedLearner(Learner):
    """See learning.Learner. make: makes the reader's module for a config with the encoder's width."""

    example = EncodedExample

    def __init__(self, config: C, encoder: Encoder, make: Callable[[int, C], nn.Module]) -> None:
        widened = msgspec.structs.replace(config, embedding=encoder.pieces.width)
        self.config: AttentionSettings = config
        self.encoder = encoder
        self._make = lambda: make(1, widened)
        encoder_parameters = trained_parameters(
            encoder.model, config.encoder_trained, config.encoder_layers, "vectors.encoder."
        )
        self._trained = ("reader.", *encoder_parameters)

    def encode(self, split: ViewedSplit) -> Iterator[EncodedExample]:
        cut = 0
        for viewed in split.viewed():
            pieces = word_pieces(
                viewed,
                self.encoder.pieces,
                reading=self.config.encoder_reads,
                sentences=self.config.encoder_sentences,
            )
            cut += (NOWHERE, NOWHERE) in pieces.passage
            yield encoded(viewed, pieces)
        if cut:
            print_note(f"{split.name}: {cut:,} of {split.rows:,} passages were cut at the encoder's limit")

    def collate(self, examples: Sequence[EncodedExample]) -> EncodedBatch:
        plain = inputs.collate(examples)
        known: dict[str, Any] = {field.name: getattr(plain, field.name) for field in fields(plain)}
        pieces = [example.words for example in examples]
        return EncodedBatch(**known, words=words.collate(pieces, self.encoder.pieces.padding))

    def model(self) -> nn.Module:
        return Encoded(self.config, WordVectors(copy.deepcopy(self.encoder.model)), self._make())

    def phases(self) -> Sequence[Phase]:
        return (Phase("all", lambda name: name.startswith(self._trained)),)

    def embeddings(self) -> Embeddings:
        """Counts of the trained parameters; the word pieces of @entityN count as words."""
        return Embeddings(trained_embeddings(self.encoder.model, self.config.encoder_trained), 0)

    def save(self, folder: Path) -> None:
        """Write the encoder without its weights, which are part of the reader's."""
        load.keep(self.encoder.model, self.encoder.pieces.tokenizer, folder / ENCODER)


def prepare(config: C, make: Callable[[int, C], nn.Module]) -> EncodedLearner:
    """Load the encoder; needs no counts of the training part."""
    if config.encoder_as == "states" and config.encoder_trained == "none":
        raise InputError(
            "a frozen encoder in place of the GRUs leaves nothing to train",
            "encoder_trained",
            'set encoder_trained = "all" or "top"',
        )
    return EncodedLearner(config, load.load(config.encoder), make)


def restore(config: C, folder: Path, make: Callable[[int, C], nn.Module]) -> EncodedLearner:
    """Restore the learner from a run folder, which contains everything."""
    pieces, model = load.skeleton(folder / ENCODER)
    return EncodedLearner(config, Encoder(config.encoder, pieces, model, ""), make)


def encoded(viewed: Viewed, pieces: WordPieces) -> EncodedExample:
    """The instance without the tokens that have no vector."""
    passage = tuple([place for place in pieces.passage if place != (NOWHERE, NOWHERE)])
    question = tuple([place for place in pieces.question if place != NOWHERE])
    start = next(token for token, place in enumerate(pieces.question) if place != NOWHERE)
    return EncodedExample(
        id=viewed.id,
        size=pieces.size,
        target=-1 if viewed.answer is None else viewed.answer,
        passage=inputs.packed([pieces.sequences[sequence][place] for sequence, place in passage]),
        question=inputs.packed([pieces.sequences[0][pieces.second[0] + place] for place in question]),
        # A passage is cut at its end, a question at both ends.
        places=inputs.packed([mention for mention in pieces.mentions if mention[0] < len(passage)]),
        placeholder=pieces.placeholder - start,
        candidates=len(viewed.candidates),
        words=msgspec.structs.replace(pieces, passage=passage, question=question, mentions=()),
    )
