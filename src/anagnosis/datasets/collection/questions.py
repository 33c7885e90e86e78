"""A collection of documents by sentence, and a question with the sentences of those that rank best for it.

BM25 over title and text ranks documents (`ranking.py`). Source of the form of an instance: Pappas and
Androutsopoulos 2021, whose model reads the 100 best documents of BM25 (JPDRMM).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from anagnosis.datasets.collection.ranking import Pool
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.kinds.question import Snippet
from anagnosis.datasets.kinds.retrieval import Retrieval


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


@dataclass(frozen=True, slots=True)
class RelevantToQuestion:
    """What is relevant to a question. documents: addresses. snippets: gold ones."""

    documents: tuple[str, ...]
    snippets: tuple[Snippet, ...]


class Collection:
    """Documents in memory. k1, b: of BM25. InputError: none."""

    def __init__(self, documents: Sequence[SentenceDocument], *, k1: float, b: float) -> None:
        self.documents = documents
        self._ranking = Pool((" ".join(one.text for one in each.sentences) for each in documents), k1=k1, b=b)

    def instance(
        self,
        ident: str,
        question: str,
        relevant: RelevantToQuestion,
        holds_answer: Callable[[SentenceDocument, int], bool],
        *,
        depth: int,
    ) -> EvidenceInstance | None:
        """The question with the `depth` best documents; None where no document shares a word with it.

        holds_answer: of a document and the place of one of its sentences.
        """
        ranked = [(self.documents[at], score) for at, score in self._best(question, depth)]
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

    def _best(self, question: str, depth: int) -> Iterator[tuple[int, float]]:
        return islice(self._ranking.scored(question), depth)


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
