"""An instance as JPDRMM reads it: tokens and features of its question, sentences and documents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import msgspec

from anagnosis.datasets.kinds.evidence import TITLE, EvidenceInstance, SourceSentence
from anagnosis.readers.evidence.bioclean import (
    Rarity,
    bioclean,
    joined,
    of_document,
    of_sentence,
    standardised,
)
from anagnosis.readers.evidence.sentence_loss import labels, read_together


class EncodedWords(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance. question, sentences: their tokens. documents: number of sentences of each. features: of sentences,
    of_documents: of documents. gold: from sentence_loss.labels.

    Of retrieved documents alone: relevant: whether each is. addresses: of each. placed: of each sentence its section,
    where it begins there, and its text.
    """

    id: str
    target: int
    question: tuple[str, ...]
    idf: tuple[float, ...]
    sentences: tuple[tuple[str, ...], ...]
    documents: tuple[int, ...]
    features: tuple[tuple[float, ...], ...]
    of_documents: tuple[tuple[float, ...], ...]
    gold: tuple[int, ...]
    relevant: tuple[bool, ...] = ()
    addresses: tuple[str, ...] = ()
    placed: tuple[tuple[str, int, str], ...] = ()

    @property
    def size(self) -> int:
        """The number of words, padded to the longest sentence."""
        return len(self.sentences) * self.longest

    @property
    def longest(self) -> int:
        """Tokens of the longest sentence, or of the question if that is longer."""
        return max(1, *map(len, self.sentences), len(self.question))

    @property
    def starts(self) -> list[int]:
        """The place of each document's first sentence, and the number of sentences."""
        return [0, *accumulate(self.documents)]

    def answering(self) -> list[int]:
        """The documents with a gold sentence."""
        starts = self.starts
        return [n for n in range(len(self.documents)) if 1 in self.gold[starts[n] : starts[n + 1]]]

    def irrelevant(self) -> list[int]:
        """The retrieved documents that are not relevant."""
        return [n for n, relevant in enumerate(self.relevant) if not relevant]

    def of_documents_at(self, places: Sequence[int]) -> EncodedWords:
        """The question with some of its documents."""
        starts = self.starts
        chosen = [at for n in places for at in range(starts[n], starts[n + 1])]
        gold = tuple(self.gold[at] for at in chosen)
        return EncodedWords(
            self.id,
            gold.index(1) if 1 in gold else -1,
            self.question,
            self.idf,
            tuple(self.sentences[at] for at in chosen),
            tuple(self.documents[n] for n in places),
            tuple(self.features[at] for at in chosen),
            tuple(self.of_documents[n] for n in places),
            gold,
        )


def encoded(instance: EvidenceInstance, rare: Rarity) -> EncodedWords:
    """An instance. rare: IDF of words."""
    query = bioclean(instance.question)
    ranked = instance.retrieval
    together = read_together(instance) if ranked is None else instance.documents()
    engine = [0.0] * len(together) if ranked is None else standardised(ranked.scores)
    titles = _title_sentences(instance)
    example = EncodedWords(
        instance.id,
        instance.target,
        tuple(query),
        tuple(rare[word] for word in query),
        tuple(tuple(bioclean(sentence.text)) for sentence in instance.sentences),
        tuple(map(len, together)),
        tuple(of_sentence(instance.question, sentence.text, rare) for sentence in instance.sentences),
        tuple(
            of_document(
                instance.question,
                joined(group[0].title, [one.text for one in group if one not in titles]),
                len(group),
                rare,
                score,
            )
            for group, score in zip(together, engine, strict=True)
        ),
        labels(instance),
    )
    if ranked is None:
        return example
    relevant = set(ranked.documents)
    addresses = tuple(group[0].document for group in together)
    placed = zip(ranked.sections, ranked.begins, instance.sentences, strict=True)
    return msgspec.structs.replace(
        example,
        relevant=tuple(address in relevant for address in addresses),
        addresses=addresses,
        placed=tuple((section, begin, one.text) for section, begin, one in placed),
    )


def _title_sentences(instance: EvidenceInstance) -> set[SourceSentence]:
    """The sentences that are their document's title."""
    ranked = instance.retrieval
    if ranked is None:
        return set()
    each = zip(instance.sentences, ranked.sections, strict=True)
    return {sentence for sentence, section in each if section == TITLE}
