"""JPDRMM: sentences scored by the similarity of their words to the question's, jointly with their document.

Pappas and Androutsopoulos (ACL 2021, arXiv 2106.08908), as the authors' program computes it (jpdrmm_network.py,
jpdrmm_examples.py); the thesis behind BIOMRC highlights with it (5.3.1). Fixed word vectors come from a word2vec file;
words without a vector are left out of question and sentences, and a message gives their number.

Of a question with retrieved documents (datasets/kinds/evidence.py) training sees pairs: each document with a gold
sentence beside an irrelevant one of the same list, drawn anew each epoch. The search engine's score of a document is a
feature, standardised over the list. Such a question is answered by ten documents and ten snippets (ranking.py).

Other instances are trained on whole, for their sentences; the search engine's score is 0. The hinge loss is then
between the documents of one instance, where it has several.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
import torch
from torch import nn

from anagnosis.datasets.kinds.question import RelevantItems
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_bytes
from anagnosis.readers.decisions import vector_file
from anagnosis.readers.decisions.vector_file import FixedWords
from anagnosis.readers.evidence.jpdrmm_examples import (
    OF_DOCUMENT,
    OF_SENTENCE,
    EncodedWords,
    Rarity,
    bioclean,
    encoded,
    rarity,
)
from anagnosis.readers.evidence.jpdrmm_network import JPDRMM, Config, JointBatch
from anagnosis.readers.evidence.ranking import RankedSentence, ranking, snippet
from anagnosis.readers.evidence.sentence_loss import rows
from anagnosis.readers.learning import Learner, Output, ViewedSplit

FILE = "rarity.json"
SAVES = ("vectors.json", "rarity.json")


class JPDRMMLearner(Learner):
    """See learning.Learner."""

    example, drawing = EncodedWords, True

    def __init__(self, config: Config, words: FixedWords, rare: Rarity) -> None:
        self.config, self.words, self.rare = config, words, rare

    def encode(self, split: ViewedSplit) -> Iterator[EncodedWords]:
        """Look up the vectors of all words, then encode."""
        texts = (
            bioclean(text)
            for instance in split.viewed()
            for text in (instance.question, *(sentence.text for sentence in instance.sentences))
        )
        self.words.look_up(texts, split.name)
        return (encoded(instance, self.rare) for instance in split.viewed())

    def _known(self, row: Sequence[str]) -> list[str]:
        return [word for word in row if word in self.words]

    def collate(self, examples: Sequence[EncodedWords]) -> JointBatch:
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
        return JPDRMM(self.config)

    def draws(self, example: EncodedWords) -> list[int]:
        """The size of each pair of an example: one for each document with a gold sentence."""
        answering, irrelevant = example.answering(), example.irrelevant()
        if not (answering and irrelevant):
            return [example.size]
        longest = max(example.documents[n] for n in irrelevant)
        return [(example.documents[n] + longest) * example.longest for n in answering]

    def drawn(self, example: EncodedWords, number: int, random: np.random.Generator) -> EncodedWords:
        """The pair of that number: a document with a gold sentence, and an irrelevant one of the same list."""
        irrelevant = example.irrelevant()
        if not irrelevant:
            return example
        other = irrelevant[int(random.integers(len(irrelevant)))]
        return example.of_documents_at([example.answering()[number], other])

    def retrieved(self, output: Output, examples: Sequence[EncodedWords]) -> list[RelevantItems | None]:
        """See learning.Learner."""
        assert output.documents is not None
        scores = iter(output.documents.tolist())
        found: list[RelevantItems | None] = []
        for example, row in zip(examples, output.log_probabilities.exp().tolist(), strict=True):
            documents = list(islice(scores, len(example.documents)))
            owners = [n for n, count in enumerate(example.documents) for _ in range(count)]
            sentences = [RankedSentence(*scored) for scored in zip(owners, row)]
            found.append(self._items(example, documents, sentences) if example.addresses else None)
        return found

    def _items(
        self, example: EncodedWords, documents: Sequence[float], sentences: Sequence[RankedSentence]
    ) -> RelevantItems:
        best, chosen = ranking(documents, sentences)
        snippets = (snippet(example.addresses[sentences[n].document], example.placed[n]) for n in chosen)
        return RelevantItems(tuple(example.addresses[n] for n in best), (), tuple(snippets))

    def save(self, folder: Path) -> None:
        vector_file.record(self.words, folder)
        write_bytes(folder / FILE, msgspec.json.encode(self.rare))


def prepare(config: Config, training: ViewedSplit) -> JPDRMMLearner:
    """Count the IDF of words over the sentences of the train part. InputError: no vectors are named."""
    words = vector_file.named(config.vectors, config.embedding)
    return JPDRMMLearner(config, words, rarity(_texts(training)))


def restore(config: Config, folder: Path) -> JPDRMMLearner:
    """Restore the learner from a run folder; the file of vectors must be unchanged at its recorded place."""
    rare = read_json(folder / FILE, Rarity)
    return JPDRMMLearner(config, vector_file.restore(folder), rare)


def _texts(split: ViewedSplit) -> Iterator[str]:
    """The sentences of a split; of a retrieved document, which is there for many questions, those of the first one."""
    seen: set[str] = set()
    for instance in split.viewed():
        for group in instance.documents():
            if instance.retrieval is not None:
                if group[0].document in seen:
                    continue
                seen.add(group[0].document)
            yield from (sentence.text for sentence in group)


def _word_mask(texts: Sequence[Sequence[str]], longest: int) -> torch.Tensor:
    """bool [rows, longest]: places with a word."""
    lengths = np.array([len(row) for row in texts])
    return torch.from_numpy(np.arange(longest) < lengths[:, None])


def _features(examples: Sequence[Sequence[Sequence[float]]], width: int) -> torch.Tensor:
    values = np.array([row for example in examples for row in example], np.float32)
    return torch.from_numpy(values.reshape(-1, width))
