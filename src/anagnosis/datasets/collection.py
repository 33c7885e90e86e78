"""A collection of documents in memory: they are ranked for a question, and the best make an instance with it.

BM25 over title and text ranks documents, exactly and in memory. Words are stems, none is left out; Lucene's IDF,
ln(1 + (n - df + 0.5) / (df + 0.5)), and tf / (tf + k1 (1 - b + b l / mean l)). Ties go to the text that stands first.
design/bioasq.md says why this is not the search engine. Source of the form of an instance: Pappas and Androutsopoulos
2021, whose model reads the 100 best documents of BM25 (JPDRMM).
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated

import msgspec
import numpy as np

from anagnosis.array_types import Floats, Ints
from anagnosis.datasets.kinds.evidence import EvidenceInstance, Retrieval, SourceSentence
from anagnosis.datasets.kinds.question import RelevantItems, Snippet
from anagnosis.language.words import stems

_FIRST = 500
_LEAST = 5e-324  # the smallest number above 0


@dataclass(frozen=True, slots=True)
class PlacedSentence:
    """A sentence of a document. begin: where it begins in its section, in code points."""

    section: str
    begin: int
    text: str

    def snippet(self, document: str) -> Snippet:
        """The sentence as a snippet of its document."""
        end = self.begin + len(self.text)
        return Snippet(document, self.section, self.begin, self.section, end, self.text)


@dataclass(frozen=True, slots=True)
class SentenceDocument:
    """A document. address: as gold items and submissions name it. title: empty where none is known.

    sentences: in order, those of the title too.
    """

    address: str
    title: str
    sentences: tuple[PlacedSentence, ...]


class Collection:
    """Documents in memory. k1, b: of BM25. InputError: none."""

    def __init__(self, documents: Sequence[SentenceDocument], *, k1: float, b: float) -> None:
        self.documents = documents
        self._ranking = Pool((" ".join(one.text for one in each.sentences) for each in documents), k1=k1, b=b)

    def instance(
        self,
        ident: str,
        question: str,
        relevant: RelevantItems,
        holds_answer: Callable[[SentenceDocument, int], bool],
        *,
        depth: int,
    ) -> EvidenceInstance | None:
        """The question with the `depth` best documents; None where no document shares a word with it.

        relevant: documents and snippets. holds_answer: of a document and the place of one of its sentences.
        """
        ranked = [(self.documents[at], score) for at, score in islice(self._ranking.scored(question), depth)]
        if not ranked:
            return None
        sentences = [
            (document, one, holds_answer(document, place))
            for document, _ in ranked
            for place, one in enumerate(document.sentences)
        ]
        return EvidenceInstance(
            ident,
            question,
            tuple(SourceSentence(each.address, each.title, one.text, gold) for each, one, gold in sentences),
            Retrieval(
                tuple(score for _, score in ranked),
                tuple(one.section for _, one, _ in sentences),
                tuple(one.begin for _, one, _ in sentences),
                relevant.documents,
                relevant.snippets,
            ),
        )


def not_retrieved(instance: EvidenceInstance) -> int:
    """The number of relevant documents that are not among those of an instance."""
    if instance.retrieval is None:
        return 0
    return len({*instance.retrieval.documents} - {one.document for one in instance.sentences})


def placed(section: str, texts: Iterable[str]) -> Iterator[PlacedSentence]:
    """Sentences of a section whose text is theirs, joined by blanks; those without a word are left out."""
    begin = 0
    for text in texts:
        bare = text.strip()
        if bare:
            yield PlacedSentence(section, begin, bare)
            begin += len(bare) + 1


class RankingRecipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """depth: at most so many documents of a question. k1, b: of BM25, as Lucene has them."""

    depth: Annotated[int, msgspec.Meta(ge=2, le=1000)] = 100
    k1: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.2
    b: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.75


class Pool:
    """The texts by their place."""

    def __init__(self, texts: Iterable[str], *, k1: float, b: float) -> None:
        places: dict[str, array[int]] = {}
        counts: dict[str, array[int]] = {}
        lengths = array("l")
        for place, text in enumerate(texts):
            words = stems(text)
            lengths.append(len(words))
            for word, count in Counter(words).items():
                places.setdefault(word, array("i")).append(place)
                counts.setdefault(word, array("i")).append(count)
        self._size = len(lengths)
        length = np.asarray(lengths, np.float64)
        mean = length.mean() if self._size else 1.0
        norm = k1 * (1 - b + b * length / (mean or 1.0))
        self._postings: dict[str, tuple[Ints, Floats]] = {}
        for word, at in places.items():
            where = np.asarray(at, np.int32)
            count = np.asarray(counts[word], np.float64)
            idf = math.log(1 + (self._size - len(at) + 0.5) / (len(at) + 0.5))
            self._postings[word] = where, idf * count / (count + norm[where])

    def scored(self, question: str) -> Iterator[tuple[int, float]]:
        """(place, score) of the texts that share a word with the question, the best first."""
        scores = np.zeros(self._size)
        for word in stems(question):
            if word in self._postings:
                where, weight = self._postings[word]
                scores[where] += weight
        # Callers take few: the best are sorted first, the others only if a caller goes on.
        bound = np.partition(scores, -_FIRST)[-_FIRST] if self._size > _FIRST else 0.0
        for those in (scores >= max(bound, _LEAST), (scores > 0) & (scores < bound)):
            places = np.flatnonzero(those)
            ordered = places[np.argsort(-scores[places], kind="stable")]
            yield from zip(ordered.tolist(), scores[ordered].tolist(), strict=True)
