"""JPDRMM: sentences scored by the similarity of their words to the question's, jointly with their document.

Pappas and Androutsopoulos (ACL 2021, arXiv 2106.08908), as the authors' program computes it (jpdrmm_network.py,
bioclean.py); the thesis behind BIOMRC highlights with it (5.3.1). Fixed word vectors come from a word2vec file; words
without a vector are left out of question and sentences, and a message gives their number. The search engine's score of
a document is 0 in training and use.

We train on sentences: with `hinge` 0 there is no hinge loss between a document that answers and one that does not, else
it is between the documents of one instance. The sentences' losses are averaged, not summed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import torch
from torch import nn

from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.errors import InputError
from anagnosis.progress import tell
from anagnosis.readers.decisions import vector_file
from anagnosis.readers.decisions.fixed_words import FixedWords
from anagnosis.readers.evidence.bioclean import (
    OF_DOCUMENT,
    OF_SENTENCE,
    Rarity,
    bioclean,
    load,
    of_document,
    of_sentence,
    rarity,
    save,
)
from anagnosis.readers.evidence.jpdrmm_network import JPDRMM, JointBatch
from anagnosis.readers.evidence.sentence_loss import labels, read_together, rows
from anagnosis.readers.learning import ALL_AT_ONCE, LOSS, Embeddings, EvidenceSettings, Phase, ViewedSplit
from anagnosis.recipes.values import Positive, Rate, Weight, Width

FILE = "rarity.json"
SAVES = ("vectors.json", "rarity.json")


class Config(EvidenceSettings, frozen=True, kw_only=True):
    """vectors: a word2vec file. embedding: its width. hinge: weight of the loss between documents, 0 for none."""

    vectors: str = ""
    embedding: Width = 30
    hinge: Weight = 0.0
    rate: Rate = 0.01
    epochs: Positive = 30
    stop: str = LOSS
    patience: Positive = 4


class EncodedWords(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance. question, sentences: their tokens. documents: number of sentences of each. features: of sentences,
    of_documents: of documents. gold: from sentence_loss.labels."""

    id: str
    target: int
    question: tuple[str, ...]
    idf: tuple[float, ...]
    sentences: tuple[tuple[str, ...], ...]
    documents: tuple[int, ...]
    features: tuple[tuple[float, ...], ...]
    of_documents: tuple[tuple[float, ...], ...]
    gold: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of words, padded to the longest sentence."""
        return len(self.sentences) * max(1, *map(len, self.sentences), len(self.question))


class JPDRMMLearner:
    """See learning.Learner."""

    device = torch.device("cpu")

    def __init__(self, config: Config, words: FixedWords, rare: Rarity) -> None:
        self.config, self.words, self.rare = config, words, rare

    @property
    def example(self) -> type[msgspec.Struct]:
        return EncodedWords

    def encode(self, split: ViewedSplit) -> Iterator[EncodedWords]:
        """Look up the vectors of all words, then encode."""
        self.words.look_up(
            {
                word
                for instance in split.viewed()
                for text in (instance.question, *(sentence.text for sentence in instance.sentences))
                for word in bioclean(text)
            }
        )
        return self._report_unknown(split)

    def _report_unknown(self, split: ViewedSplit) -> Iterator[EncodedWords]:
        unknown = total = questions = sentences = 0
        for instance in split.viewed():
            example = self._words(instance)
            for row in (example.question, *example.sentences):
                total += len(row)
                unknown += sum(word not in self.words for word in row)
            questions += not self._known(example.question)
            sentences += sum(not self._known(row) for row in example.sentences)
            yield example
        if unknown:
            tell(f"{split.name}: {unknown:,} of {total:,} words have no vector and are left out")
        if questions or sentences:
            tell(
                f"{split.name}: {questions:,} questions and {sentences:,} sentences have no word with a vector "
                "and are judged by their features alone"
            )

    def _words(self, instance: EvidenceInstance) -> EncodedWords:
        query = bioclean(instance.question)
        together = read_together(instance)
        return EncodedWords(
            instance.id,
            instance.target,
            tuple(query),
            tuple(self.rare[word] for word in query),
            tuple(tuple(bioclean(sentence.text)) for sentence in instance.sentences),
            tuple(map(len, together)),
            tuple(
                of_sentence(instance.question, sentence.text, self.rare) for sentence in instance.sentences
            ),
            tuple(
                of_document(instance.question, group[0].title, [one.text for one in group], self.rare)
                for group in together
            ),
            labels(instance),
        )

    def _known(self, row: Sequence[str]) -> list[str]:
        return [word for word in row if word in self.words]

    def collate(self, examples: Sequence[EncodedWords]) -> JointBatch:
        # Needed only in a process that encoded nothing itself.
        self.words.look_up(
            word for example in examples for row in (example.question, *example.sentences) for word in row
        )
        questions = [self._known(example.question) for example in examples]
        sentences = [self._known(row) for example in examples for row in example.sentences]
        longest, widest = max(1, *map(len, questions)), max(1, *map(len, sentences))
        idf = np.zeros((len(examples), longest), np.float32)
        for number, example in enumerate(examples):
            known = [
                rare for word, rare in zip(example.question, example.idf, strict=True) if word in self.words
            ]
            idf[number, : len(known)] = known
        counts = [count for example in examples for count in example.documents]
        batch_rows = rows([example.gold for example in examples], [example.target for example in examples])
        return JointBatch(
            batch_rows.target,
            self.words.vectors(questions, longest),
            _word_mask(questions, longest),
            torch.from_numpy(idf),
            self.words.vectors(sentences, widest),
            _word_mask(sentences, widest),
            _features([example.features for example in examples], OF_SENTENCE),
            _features([example.of_documents for example in examples], OF_DOCUMENT),
            torch.from_numpy(np.repeat(np.arange(len(counts)), counts)),
            batch_rows,
        )

    def model(self) -> nn.Module:
        return JPDRMM(self.config.embedding, self.config.hinge)

    def phases(self) -> Sequence[Phase]:
        return ALL_AT_ONCE

    def embeddings(self) -> Embeddings:
        return Embeddings(0, 0)

    def save(self, folder: Path) -> None:
        vector_file.record(self.words.path, folder, self.words.width, same=True)
        save(self.rare, folder / FILE)


def prepare(config: Config, training: ViewedSplit) -> JPDRMMLearner:
    """Count the IDF of words over the sentences of the train part. InputError: no vectors are named."""
    if not config.vectors:
        raise InputError(
            "no word vectors are named", "vectors", "give --set vectors=FILE, of `anagnosis vectors`"
        )
    words = FixedWords(vector_file.resolve(config.vectors), config.embedding)
    texts = (sentence.text for instance in training.viewed() for sentence in instance.sentences)
    return JPDRMMLearner(config, words, rarity(texts))


def restore(config: Config, folder: Path) -> JPDRMMLearner:
    """Restore the learner from a run folder; the file of vectors must be unchanged at its recorded place."""
    return JPDRMMLearner(config, FixedWords(*vector_file.restore(folder)), load(folder / FILE))


def _word_mask(texts: Sequence[Sequence[str]], longest: int) -> torch.Tensor:
    """bool [rows, longest]: places with a word."""
    lengths = np.array([len(row) for row in texts])
    return torch.from_numpy(np.arange(longest) < lengths[:, None])


def _features(examples: Sequence[Sequence[Sequence[float]]], width: int) -> torch.Tensor:
    values = np.array([row for example in examples for row in example], np.float32)
    return torch.from_numpy(values.reshape(-1, width))
