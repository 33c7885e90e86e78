"""Shallow features and a feed-forward network (PubMedQA, section 4.4).

The features: 1. TF-IDF of the question. 2. TF-IDF of the context. 3. The sum of the IDF of the words that both have,
without function words. Then a hidden layer and the labels. The paper gives no sizes, rates and vocabulary; ours are
our choice.

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
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_bytes
from anagnosis.language.words import words_of
from anagnosis.readers.decisions import long_answer
from anagnosis.readers.decisions.long_answer import FUNCTION_WORDS, LabelHead, Vocabulary, count, tf_idf
from anagnosis.readers.learning import Learner, LongAnswerSettings, Output, TensorBatch, ViewedSplit
from anagnosis.recipes.load import Positive, Rate, Share, Width

FILE = "vocabulary.json"
# The overlap is a sum of about ten numbers of about 5; scaled, it is as large as the other features.
OVERLAP_SCALE = 0.02
SAVES = ("vocabulary.json", "long_answers.json")


class Config(LongAnswerSettings, frozen=True, kw_only=True):
    """most: size of the vocabulary of questions and contexts."""

    most: Positive = 20_000
    hidden: Width = 128
    dropout: Share = 0.5
    rate: Rate = 0.003
    epochs: Positive = 60
    patience: Positive = 10


class FeatureVector(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance. question, read: (word, TF-IDF) of known words. answer_words: as in bilstm.Words."""

    id: str
    target: int
    question: tuple[tuple[int, float], ...]
    read: tuple[tuple[int, float], ...]
    overlap: float
    answer_words: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of words; there is no padding."""
        return len(self.question) + len(self.read) + 1


@dataclass(frozen=True, slots=True)
class FeatureBatch(TensorBatch):
    """words: int64 [all], those of contexts shifted by w; weights: float [all]; begins: int64 [n], the first of each.

    overlap: float [n, 1]. answer_words: float [n, words of long answers].
    """

    target: Tensor
    words: Tensor
    weights: Tensor
    begins: Tensor
    overlap: Tensor
    answer_words: Tensor


class Shallow(nn.Module):
    """A hidden layer over the features, then the labels."""

    def __init__(self, config: Config, words: int, auxiliary: Vocabulary | None) -> None:
        super().__init__()
        self.words = nn.EmbeddingBag(2 * words, config.hidden, mode="sum", include_last_offset=False)
        nn.init.normal_(self.words.weight, std=0.1)
        self.overlap = nn.Linear(1, config.hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.head = LabelHead(config.hidden, config.auxiliary, auxiliary)

    def forward(self, batch: FeatureBatch) -> Output:
        bag = self.words(
            batch.words, batch.begins, per_sample_weights=batch.weights.to(self.words.weight.dtype)
        )
        hidden = self.dropout(torch.relu(bag + self.overlap(batch.overlap.to(bag.dtype))))
        return self.head(hidden, batch.target, batch.answer_words)


class ShallowLearner(Learner):
    """See learning.Learner."""

    example = FeatureVector

    def __init__(self, config: Config, vocabulary: Vocabulary, auxiliary: Vocabulary | None) -> None:
        self.config, self.vocabulary, self.auxiliary = config, vocabulary, auxiliary
        self._places = {word: place for place, word in enumerate(vocabulary.words)}

    def encode(self, split: ViewedSplit) -> Iterator[FeatureVector]:
        return map(self._features, split.viewed())

    def _features(self, posed: Posed) -> FeatureVector:
        question = words_of(posed.question)
        read = words_of(posed.text)
        shared = (set(question) & set(read)) - FUNCTION_WORDS
        idf = self.vocabulary.idf
        overlap = sum(idf[self._places[word]] for word in sorted(shared) if word in self._places)
        return FeatureVector(
            posed.id,
            posed.target,
            tuple(tf_idf(question, self._places, idf)),
            tuple(tf_idf(read, self._places, idf)),
            overlap * OVERLAP_SCALE,
            long_answer.word_places(self.auxiliary, posed.long_answer),
        )

    def collate(self, examples: Sequence[FeatureVector]) -> FeatureBatch:
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
            long_answer.targets([example.answer_words for example in examples], self.auxiliary),
        )

    def model(self) -> nn.Module:
        return Shallow(self.config, len(self.vocabulary.words), self.auxiliary)

    def save(self, folder: Path) -> None:
        write_bytes(folder / FILE, msgspec.json.encode(self.vocabulary))
        long_answer.save(self.auxiliary, folder)


def prepare(config: Config, training: ViewedSplit) -> ShallowLearner:
    """Prepare the learner; count the words of the train part."""
    texts = (text for posed in training.viewed() for text in (posed.question, posed.text))
    return ShallowLearner(
        config,
        count(texts, config.most),
        long_answer.count_words(training, config.auxiliary, config.auxiliary_words),
    )


def restore(config: Config, folder: Path) -> ShallowLearner:
    """Restore the learner from a run folder."""
    vocabulary = read_json(folder / FILE, Vocabulary)
    return ShallowLearner(config, vocabulary, long_answer.restore(folder, config.auxiliary))
