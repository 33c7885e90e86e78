"""Shallow features and a feed-forward network (PubMedQA, section 4.4).

1. TF-IDF of the question. 2. TF-IDF of what is read beside it. 3. The sum of the IDF of the words, function words
apart, that both have. A hidden layer over them, then the labels. No paper gives sizes, rates and vocabulary and are
choices of ours.

Shapes: n instances, h hidden units, w words of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import torch
from torch import Tensor, nn

from anagnosis.datasets.kinds.decision import Posed
from anagnosis.language.plain_words import words_of
from anagnosis.readers.decisions import long_answer
from anagnosis.readers.decisions.labels import LabelHead
from anagnosis.readers.decisions.vocabulary import (
    FUNCTION_WORDS,
    Vocabulary,
    count,
    load,
    save,
    tf_idf,
)
from anagnosis.readers.learning import (
    ALL_AT_ONCE,
    Embeddings,
    LongAnswerSettings,
    Material,
    Output,
    Phase,
    TensorBatch,
)
from anagnosis.recipes.values import Positive, Rate, Share, Width

FILE = "vocabulary.json"
# The overlap is a sum of some ten numbers of about 5; so it is as large as the other features.
OVERLAP_SCALE = 0.02
SAVES = ("vocabulary.json", "long_answers.json")


class Config(LongAnswerSettings, frozen=True, kw_only=True):
    """most: words of the train part that are kept, of questions and of what is read beside them."""

    most: Positive = 20_000
    hidden: Width = 128
    dropout: Share = 0.5
    rate: Rate = 0.003
    epochs: Positive = 60
    patience: Positive = 10


class Features(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance. question, read: (word, TF-IDF) of those that are known. held: words of the long answer."""

    id: str
    target: int
    question: tuple[tuple[int, float], ...]
    read: tuple[tuple[int, float], ...]
    overlap: float
    held: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Words, of which nothing is padded."""
        return len(self.question) + len(self.read) + 1


@dataclass(frozen=True, slots=True)
class FeatureBatch(TensorBatch):
    """words: int64 [all], those of what is read behind those of questions (+ w); weights: float [all]; begins: int64
    [n], where each instance's begin. overlap: float [n, 1]. held: float [n, words of long answers].
    """

    target: Tensor
    words: Tensor
    weights: Tensor
    begins: Tensor
    overlap: Tensor
    held: Tensor


class Shallow(nn.Module):
    """What `FeatureBatch` holds, one hidden layer, the labels."""

    def __init__(self, config: Config, words: int, answer_words: Vocabulary | None) -> None:
        super().__init__()
        self.words = nn.EmbeddingBag(2 * words, config.hidden, mode="sum", include_last_offset=False)
        nn.init.normal_(self.words.weight, std=0.1)
        self.overlap = nn.Linear(1, config.hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.head = LabelHead(config.hidden, config, answer_words)

    def forward(self, batch: FeatureBatch) -> Output:
        bag = self.words(
            batch.words, batch.begins, per_sample_weights=batch.weights.to(self.words.weight.dtype)
        )
        hidden = self.dropout(torch.relu(bag + self.overlap(batch.overlap.to(bag.dtype))))
        return self.head(hidden, batch.target, batch.held)


class ShallowLearner:
    """See learning.Learner."""

    device = torch.device("cpu")

    def __init__(self, config: Config, vocabulary: Vocabulary, answer_words: Vocabulary | None) -> None:
        self.config, self.vocabulary, self.answer_words = config, vocabulary, answer_words
        self._places = {word: place for place, word in enumerate(vocabulary.words)}

    @property
    def example(self) -> type[msgspec.Struct]:
        return Features

    def encode(self, material: Material) -> Iterator[Features]:
        return map(self._features, material.viewed())

    def _features(self, posed: Posed) -> Features:
        question = words_of(posed.question)
        read = words_of(posed.text)
        shared = (set(question) & set(read)) - FUNCTION_WORDS
        idf = self.vocabulary.idf
        overlap = sum(idf[self._places[word]] for word in sorted(shared) if word in self._places)
        return Features(
            posed.id,
            posed.target,
            tuple(tf_idf(question, self._places, idf)),
            tuple(tf_idf(read, self._places, idf)),
            overlap * OVERLAP_SCALE,
            long_answer.word_places(self.answer_words, posed.long_answer),
        )

    def collate(self, examples: Sequence[Features]) -> FeatureBatch:
        behind = len(self.vocabulary.words)
        words: list[int] = []
        weights: list[float] = []
        begins: list[int] = []
        for example in examples:
            begins.append(len(words))
            words += [place for place, _ in example.question] + [behind + place for place, _ in example.read]
            weights += [weight for _, weight in (*example.question, *example.read)]
        return FeatureBatch(
            torch.tensor([example.target for example in examples]),
            torch.tensor(words, dtype=torch.int64),
            torch.tensor(weights, dtype=torch.float32),
            torch.tensor(begins),
            torch.tensor([[example.overlap] for example in examples], dtype=torch.float32),
            long_answer.targets([example.held for example in examples], self.answer_words),
        )

    def model(self) -> nn.Module:
        return Shallow(self.config, len(self.vocabulary.words), self.answer_words)

    def phases(self) -> Sequence[Phase]:
        return ALL_AT_ONCE

    def embeddings(self) -> Embeddings:
        return Embeddings(2 * len(self.vocabulary.words) * self.config.hidden, 0)

    def save(self, folder: Path) -> None:
        save(self.vocabulary, folder / FILE)
        long_answer.keep(self.answer_words, folder)


def prepare(config: Config, training: Material) -> ShallowLearner:
    """Count the words of the train part."""
    texts = (text for posed in training.viewed() for text in (posed.question, posed.text))
    return ShallowLearner(config, count(texts, config.most), long_answer.answer_vocabulary(config, training))


def restore(config: Config, folder: Path) -> ShallowLearner:
    """From a run folder."""
    return ShallowLearner(config, load(folder / FILE), long_answer.kept(config, folder))
