"""The recurrent readers' settings, and their part of the interface in `readers/learning.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from anagnosis.readers.learning import ClozeSettings, Learner, MentionView, ViewedSplit
from anagnosis.readers.recurrent.inputs import ClozeBatch, ClozeExample, collate, encode
from anagnosis.readers.recurrent.words import SPECIAL, Digits, Splitter, Vocabulary, Words, count_words
from anagnosis.recipes.load import Count, Positive, Share, Width
from anagnosis.word_vectors import word2vec


class RecurrentSettings(ClozeSettings, frozen=True, kw_only=True):
    """Settings of every recurrent reader besides those of training.

    embedding: width d of the word embeddings. hidden: width h of a GRU's state, in each direction.
    threshold: rarer words of the training part are unknown. most: size of the vocabulary, 0 for no limit. digits: "D"
    replaces every digit by D (BioRead). words: "biomrc" deletes punctuation as BioMRC's programs do, "blanks" splits at
    white space alone (BioRead). vectors: a word2vec file for the initial embeddings.
    """

    embedding: Width = 30
    hidden: Width = 100
    dropout: Share = 0.2
    threshold: Positive = 1
    most: Count = 0
    digits: Digits = "keep"
    words: Splitter = "biomrc"
    vectors: str = ""


class AttentionSettings(RecurrentSettings, frozen=True, kw_only=True):
    """Further settings of AS and AOA. variant: the papers' mathematics, or the program's."""

    view: MentionView = "local"
    variant: Literal["paper", "paper-bioread", "as-published"] = "paper"


class RecurrentLearner(Learner):
    """A learner with a vocabulary and perhaps word vectors, row of the vocabulary → vector.

    make: makes the module from the vocabulary's size; its `word_embeddings` is the embedding table.
    """

    example = ClozeExample

    def __init__(
        self,
        vocabulary: Vocabulary,
        make: Callable[[int], nn.Module],
        vectors: dict[int, Tensor] | None = None,
    ) -> None:
        self.vocabulary, self._make, self._vectors = vocabulary, make, vectors or {}

    def encode(self, split: ViewedSplit) -> Iterator[ClozeExample]:
        for viewed in split.viewed():
            yield encode(viewed, self.vocabulary)

    def collate(self, examples: Sequence[ClozeExample]) -> ClozeBatch:
        return collate(examples)

    def model(self) -> nn.Module:
        module = self._make(len(self.vocabulary))
        if self._vectors:
            table = module.get_submodule("word_embeddings").get_parameter("weight")
            with torch.no_grad():
                table[list(self._vectors)] = torch.stack(list(self._vectors.values()))
        return module

    def save(self, folder: Path) -> None:
        self.vocabulary.save(folder)


def vocabulary_and_vectors(
    config: RecurrentSettings, training: ViewedSplit
) -> tuple[Vocabulary, dict[int, Tensor]]:
    """The words of the training data, and their vectors if the config names a file."""
    split = Words(config.digits, config.words)
    vocabulary = count_words(training.viewed(), split=split, threshold=config.threshold, most=config.most)
    if not config.vectors:
        return vocabulary, {}
    places = {word: place for place, word in enumerate(vocabulary.words, SPECIAL)}
    read = word2vec.read(config.vectors, vocabulary.words, config.embedding)
    if not read:
        raise word2vec.no_word_error(config.vectors)
    return vocabulary, {places[word]: torch.from_numpy(vector) for word, vector in read.items()}


def prepared(make: Callable[[int, Any], nn.Module], config: Any, training: ViewedSplit) -> Learner:
    """Prepare AS, AOA or GA. make: makes the reader's module."""
    vocabulary, vectors = vocabulary_and_vectors(config, training)
    return RecurrentLearner(vocabulary, lambda size: make(size, config), vectors)


def restored(make: Callable[[int, Any], nn.Module], config: Any, folder: Path) -> Learner:
    """Restore AS, AOA or GA from a run folder."""
    return RecurrentLearner(Vocabulary.restore(folder), lambda size: make(size, config))
