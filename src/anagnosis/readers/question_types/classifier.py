"""What type of answer a question wants, learned from BioASQ's: words with their places, the rules' verdict, one layer.

Features of a question: each of the first words with its place, its ending with its place, the words that the question
begins with as one, words and pairs of neighbours wherever they stand, how long it is, and what the rules tell
(`language/question_kinds.py`). Those that most questions of the train part have are kept. Their vectors are summed,
one hidden layer, four types. A choice of ours (design/search.md); no paper is followed.

Shapes: n questions, h hidden units, f features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import msgspec
import torch
from torch import Tensor, nn
from torch.nn.functional import nll_loss

from anagnosis.datasets.kinds.question import TYPES, Typed
from anagnosis.decoding import read_json
from anagnosis.files import write_bytes
from anagnosis.language.plain_words import words_of
from anagnosis.language.question_kinds import kind_of_question
from anagnosis.readers.learning import (
    ALL_AT_ONCE,
    Embeddings,
    Material,
    Output,
    Phase,
    QuestionSettings,
    TensorBatch,
)
from anagnosis.recipes.values import Positive, Rate, Share, Width

FILE = "features.json"
LOSS = "type"
PLACED = 6  # first words that are told with their places
BEGINNINGS = 3  # longest beginning, in words
ENDING = 2  # letters of a word's ending: "genes" and "drugs" ask for several
LONG = 8, 12, 16  # words from which on a question is longer
SAVES = ("features.json",)


class Config(QuestionSettings, frozen=True, kw_only=True):
    """most: features that are kept, those of most questions of the train part; one question's own are not."""

    most: Positive = 10_000
    hidden: Width = 32
    dropout: Share = 0.5
    rate: Rate = 0.003
    epochs: Positive = 10


class EncodedQuestion(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A question. features: places of those that are known."""

    id: str
    target: int
    features: tuple[int, ...]

    @property
    def size(self) -> int:
        """Features, of which nothing is padded."""
        return len(self.features) + 1


@dataclass(frozen=True, slots=True)
class QuestionBatch(TensorBatch):
    """features: int64 [all]; begins: int64 [n], where each question's begin."""

    target: Tensor
    features: Tensor
    begins: Tensor


class QuestionType(nn.Module):
    """The sum of the features' vectors, one hidden layer, the types."""

    def __init__(self, config: Config, features: int) -> None:
        super().__init__()
        self.features = nn.EmbeddingBag(max(1, features), config.hidden, mode="sum")
        nn.init.normal_(self.features.weight, std=0.1)
        self.dropout = nn.Dropout(config.dropout)
        self.outer = nn.Linear(config.hidden, len(TYPES))

    def forward(self, batch: QuestionBatch) -> Output:
        hidden = self.dropout(torch.relu(self.features(batch.features, batch.begins)))
        found = self.outer(hidden).float().log_softmax(-1)
        losses = nll_loss(found, batch.target.clamp(min=0), reduction="none") * (batch.target >= 0)
        return Output(found, {LOSS: losses})


class QuestionTypeLearner:
    """See learning.Learner. features: that are known."""

    device = torch.device("cpu")

    def __init__(self, config: Config, features: Sequence[str]) -> None:
        self.config, self.known = config, list(features)
        self._places = {name: place for place, name in enumerate(features)}

    @property
    def example(self) -> type[msgspec.Struct]:
        return EncodedQuestion

    def encode(self, material: Material) -> Iterator[EncodedQuestion]:
        return map(self._encoded, material.viewed())

    def _encoded(self, asked: Typed) -> EncodedQuestion:
        places = (self._places.get(name, -1) for name in features_of(asked.question))
        return EncodedQuestion(asked.id, asked.target, tuple(place for place in places if place >= 0))

    def collate(self, examples: Sequence[EncodedQuestion]) -> QuestionBatch:
        every: list[int] = []
        begins: list[int] = []
        for example in examples:
            begins.append(len(every))
            every += example.features
        return QuestionBatch(
            torch.tensor([example.target for example in examples]),
            torch.tensor(every, dtype=torch.int64),
            torch.tensor(begins),
        )

    def model(self) -> nn.Module:
        return QuestionType(self.config, len(self.known))

    def phases(self) -> Sequence[Phase]:
        return ALL_AT_ONCE

    def embeddings(self) -> Embeddings:
        return Embeddings(len(self.known) * self.config.hidden, 0)

    def save(self, folder: Path) -> None:
        write_bytes(folder / FILE, msgspec.json.encode(self.known))


def features_of(question: str) -> list[str]:
    """The names of a question's features, each once, in a fixed order."""
    words = words_of(question)
    found = [f"type {kind_of_question(question)}", f"long {sum(len(words) >= step for step in LONG)}"]
    for place, word in enumerate(words[:PLACED]):
        found += [f"{place} {word}", f"{place} -{word[-ENDING:]}"]
    found += [f"^ {' '.join(words[:count])}" for count in range(2, BEGINNINGS + 1) if len(words) >= count]
    found += [f"= {word}" for word in words]
    found += [f"= {one} {other}" for one, other in pairwise(words)]
    return list(dict.fromkeys(found))


def prepare(config: Config, training: Material) -> QuestionTypeLearner:
    """Count the features of the train part."""
    counts = Counter(name for asked in training.viewed() for name in features_of(asked.question))
    shared = sorted((-count, name) for name, count in counts.items() if count > 1)
    return QuestionTypeLearner(config, [name for _, name in shared[: config.most]])


def restore(config: Config, folder: Path) -> QuestionTypeLearner:
    """From a run folder."""
    return QuestionTypeLearner(config, read_json(folder / FILE, list[str]))
