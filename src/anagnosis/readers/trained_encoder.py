"""Settings and base classes of readers that train a BERT-like encoder with a head, and their input.

    [CLS] question [SEP] text [SEP]        with token types if the encoder has them

The run folder has the encoder's config and tokenizer; its weights are part of the reader's.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

import torch
from torch import Tensor, nn

from anagnosis.encoders import load, run
from anagnosis.encoders.load import Encoder, Pieces
from anagnosis.encoders.pairs import QUESTIONS_CUT, SENTENCE_SHARE
from anagnosis.encoders.trained import Trained, set_dropout, trained_parameters
from anagnosis.progress import TextCounts
from anagnosis.readers.learning import Learner, Phase, Settings, ViewedSplit, over_encoder
from anagnosis.recipes.load import Depth, Share, Weight

ENCODER = "encoder"


class EncoderSettings(Settings, frozen=True, kw_only=True):
    """encoder: a name on the Hugging Face hub, or a folder. trained: all of it, its top `layers`, or nothing.

    dropout, attention_dropout: of the encoder in training. A reader's Config has this as its first base and the
    settings of its kind as its second, and redefines its view.
    """

    encoder: str
    trained: Trained = "all"
    layers: Depth = 3
    dropout: Share = 0.1
    attention_dropout: Share = 0.0
    optimizer: Literal["adam", "adamw", "sgd"] = "adamw"
    decay: Weight = 0.01
    schedule: Literal["constant", "linear", "halving"] = "linear"
    warmup: Share = 0.1
    clip: Weight = 1.0
    precision: Literal["auto", "float32", "bfloat16"] = "auto"


class EncoderLearner(Learner):
    """Base of learners over a trained encoder; see learning.Learner."""

    config: Any
    device = torch.device("cpu")

    def __init__(self, config: EncoderSettings, encoder: Encoder) -> None:
        self.config, self.encoder = config, encoder
        set_dropout(encoder.model, config.dropout, config.attention_dropout)
        self._trained = trained_parameters(encoder.model, config.trained, config.layers, "encoder.")

    @classmethod
    def prepare(cls, config: Any, training: ViewedSplit) -> Self:
        """Load the encoder."""
        return cls(config, load.load(config.encoder))

    @classmethod
    def restore(cls, config: Any, folder: Path) -> Self:
        """Restore the learner from a run folder, which contains everything."""
        return cls(config, kept_encoder(config, folder))

    def phases(self) -> Sequence[Phase]:
        return over_encoder(self._trained)

    def save(self, folder: Path) -> None:
        load.keep(self.encoder.model, self.encoder.pieces.tokenizer, folder / ENCODER)


class OverEncoder(nn.Module):
    """Base of models over a copy of an encoder; a frozen encoder has no dropout. typed: it has token types."""

    def __init__(self, config: EncoderSettings, encoder: Any, *, typed: bool = False) -> None:
        super().__init__()
        self.encoder: Any = copy.deepcopy(encoder)
        self.typed = typed
        self._frozen = config.trained == "none"

    def train(self, mode: bool = True) -> Self:
        super().train(mode)
        if self._frozen:
            self.encoder.eval()
        return self

    def top(self, pieces: Tensor, inside: Tensor, segments: Tensor) -> Tensor:
        """The top-level vectors, float [sequences, pieces, width]."""
        return run.hidden(self.encoder, pieces, inside, segments if self.typed else None)


def kept_encoder(config: EncoderSettings, folder: Path) -> Encoder:
    """The encoder, with random weights, from the folder of `EncoderLearner.save`."""
    pieces, model = load.skeleton(folder / ENCODER)
    return Encoder(config.encoder, pieces, model, "")


def question_prefix(
    pieces: Pieces, question: Sequence[int], counts: TextCounts, most: int | None = None
) -> tuple[int, ...]:
    """[CLS] question [SEP], the question cut at three fourths of the limit. most: pieces, if fewer than the limit."""
    limit = min(most or pieces.limit, pieces.limit)
    room = limit - limit // SENTENCE_SHARE - 3
    counts[QUESTIONS_CUT] += len(question) > room
    return (pieces.start, *question[:room], pieces.separator)


def segmented(
    rows: Sequence[Sequence[int]], starts: Sequence[int], pieces: Pieces, length: int | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """(pieces, mask of no padding, token types): int64, bool, int64 [rows, length].

    starts: the place behind the first [SEP] of each row. length: by default of the longest.
    """
    padded, inside = run.padded(rows, pieces.padding, length)
    behind = torch.arange(padded.shape[1]) >= torch.tensor(starts, dtype=torch.int64)[:, None]
    return padded, inside, (inside & behind).long()
