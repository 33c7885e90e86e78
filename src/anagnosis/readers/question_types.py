"""A classifier of question types, trained on BioASQ: words with their places, the rules' type, one hidden layer.

Features of a question: each of the first words with its place, its ending with its place, the words that the question
begins with as one, words and bigrams anywhere, its length, and the type by rules (`language/question_kinds.py`). The
most frequent features of the train part are kept. Their vectors are summed; a hidden layer and four types follow. The
model is ours (design/answers.md), from no paper.

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
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_bytes
from anagnosis.language.question_kinds import kind_of_question
from anagnosis.language.words import words_of
from anagnosis.readers.learning import (
    Embeddings,
    Learner,
    Output,
    QuestionSettings,
    TensorBatch,
    ViewedSplit,
)
from anagnosis.recipes.load import Positive, Rate, Share, Width

FILE = "features.json"
LOSS = "type"
PLACED = 6  # first words, which are features with their places
BEGINNINGS = 3  # longest beginning, in words
ENDING = 2  # letters of a word's ending: "genes" and "drugs" want several answers
LONG = 8, 12, 16  # steps of a question's length in words
SAVES = ("features.json",)


class Config(QuestionSettings, frozen=True, kw_only=True):
    """most: number of features, the most frequent of the train part; those of one question are dropped."""

    most: Positive = 10_000
    hidden: Width = 32
    dropout: Share = 0.5
    rate: Rate = 0.003
    epochs: Positive = 10


class EncodedQuestion(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A question. features: places of its known features."""

    id: str
    target: int
    features: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of features; there is no padding."""
        return len(self.features) + 1


@dataclass(frozen=True, slots=True)
class QuestionBatch(TensorBatch):
    """features: int64 [all]; begins: int64 [n], the first of each question."""

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
        log_probabilities = self.outer(hidden).float().log_softmax(-1)
        losses = nll_loss(log_probabilities, batch.target.clamp(min=0), reduction="none") * (
            batch.target >= 0
        )
        return Output(log_probabilities, {LOSS: losses})


class QuestionTypeLearner(Learner):
    """See learning.Learner. features: the known ones."""

    example = EncodedQuestion

    def __init__(self, config: Config, features: Sequence[str]) -> None:
        self.config, self.known = config, list(features)
        self._places = {name: place for place, name in enumerate(features)}

    def encode(self, split: ViewedSplit) -> Iterator[EncodedQuestion]:
        return map(self._encoded, split.viewed())

    def _encoded(self, posed: Typed) -> EncodedQuestion:
        places = (self._places.get(name, -1) for name in features_of(posed.question))
        return EncodedQuestion(posed.id, posed.target, tuple(place for place in places if place >= 0))

    def collate(self, examples: Sequence[EncodedQuestion]) -> QuestionBatch:
        features: list[int] = []
        begins: list[int] = []
        for example in examples:
            begins.append(len(features))
            features += example.features
        return QuestionBatch(
            torch.tensor([example.target for example in examples]),
            torch.tensor(features, dtype=torch.int64),
            torch.tensor(begins),
        )

    def model(self) -> nn.Module:
        return QuestionType(self.config, len(self.known))

    def embeddings(self) -> Embeddings:
        return Embeddings(len(self.known) * self.config.hidden, 0)

    def save(self, folder: Path) -> None:
        write_bytes(folder / FILE, msgspec.json.encode(self.known))


def features_of(question: str) -> list[str]:
    """The names of a question's features, without duplicates, in a fixed order."""
    words = words_of(question)
    names = [f"type {kind_of_question(question)}", f"long {sum(len(words) >= step for step in LONG)}"]
    for place, word in enumerate(words[:PLACED]):
        names += [f"{place} {word}", f"{place} -{word[-ENDING:]}"]
    names += [f"^ {' '.join(words[:count])}" for count in range(2, BEGINNINGS + 1) if len(words) >= count]
    names += [f"= {word}" for word in words]
    names += [f"= {word} {following}" for word, following in pairwise(words)]
    return list(dict.fromkeys(names))


def prepare(config: Config, training: ViewedSplit) -> QuestionTypeLearner:
    """Prepare the learner; count the features of the train part."""
    counts = Counter(name for posed in training.viewed() for name in features_of(posed.question))
    shared = sorted((-count, name) for name, count in counts.items() if count > 1)
    return QuestionTypeLearner(config, [name for _, name in shared[: config.most]])


def restore(config: Config, folder: Path) -> QuestionTypeLearner:
    """Restore the learner from a run folder."""
    return QuestionTypeLearner(config, read_json(folder / FILE, list[str]))
