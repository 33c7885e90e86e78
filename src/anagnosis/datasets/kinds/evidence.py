"""The evidence instance: a question or a claim, sentences, and which of them hold the answer.

The sentences are those of one document (SciFact, COVID-QA), or of several: gold snippets of a question beside snippets
of others (BioASQ). Those of one document stand together, in its order. Where a search engine retrieved the documents,
the column `retrieval` has their scores and what is relevant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import blake2b
from itertools import accumulate, chain, groupby, pairwise
from operator import attrgetter
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from anagnosis.datasets import arrays
from anagnosis.datasets.kinds.kind import (
    HELD,
    GoldColumns,
    Kind,
    Rows,
    RunningText,
)
from anagnosis.datasets.kinds.question import RelevantItems, Snippet
from anagnosis.language.words import words_of

RETRIEVAL = "retrieval"  # the column
TITLE, ABSTRACT = "title", "abstract"  # sections
SENTENCES = "sentences"  # the view: everything but what is held
_RETRIEVED_ROWS = 32  # instances at once where each has the sentences of a hundred documents


class Retrieval(msgspec.Struct, frozen=True, gc=False):
    """What was retrieved for a question, and what is relevant.

    scores: the search engine's, of each document in the instance's order, best first. sections, begins: of each
    sentence, its section and where it begins there, in code points. documents, snippets: the relevant ones, retrieved
    or not.
    """

    scores: tuple[float, ...]
    sections: tuple[str, ...]
    begins: tuple[int, ...]
    documents: tuple[str, ...]
    snippets: tuple[Snippet, ...]

    @property
    def relevant(self) -> RelevantItems:
        """The relevant items, as measures of phase A take them."""
        return RelevantItems(self.documents, (), self.snippets)


class SourceSentence(msgspec.Struct, frozen=True, gc=False):
    """A sentence. document: its id; title: the document's, empty where none is known.

    held: whether it holds the answer, or is evidence for or against the claim; None where nobody has said.
    """

    document: str
    title: str
    text: str
    held: bool | None = None


class EvidenceInstance(msgspec.Struct, frozen=True, gc=False):
    """A question and the sentences to choose from. id: of the question, and of the document where there is one only.

    retrieval: of a question whose documents a search engine retrieved; None elsewhere.
    """

    id: str
    question: str
    sentences: tuple[SourceSentence, ...]
    retrieval: Retrieval | None = None

    @property
    def target(self) -> int:
        """Index of the first sentence that holds the answer, -1 where none does."""
        return next((place for place, one in enumerate(self.sentences) if one.held), -1)

    def documents(self) -> list[list[SourceSentence]]:
        """The sentences by document."""
        return [list(own) for _, own in groupby(self.sentences, attrgetter("document"))]


_WHOLE = arrays.schema_of(EvidenceInstance)
_PLACE = _WHOLE.get_field_index(RETRIEVAL)
# A dataset whose sentences nobody retrieved lacks the last column.
EVIDENCE_SCHEMA = _WHOLE.set(_PLACE, _WHOLE.field(_PLACE).with_nullable(False))
_NOT_RETRIEVED = EVIDENCE_SCHEMA.remove(_PLACE)


def tables(found: Iterable[EvidenceInstance], rows: int) -> Iterator[pa.Table]:
    """Instances as tables of at most `rows` rows. The first decides whether all have retrieved documents."""
    coming = iter(found)
    for first in coming:
        if first.retrieval is None:
            schema = _NOT_RETRIEVED
        else:
            schema, rows = EVIDENCE_SCHEMA, min(rows, _RETRIEVED_ROWS)
        return arrays.tables(msgspec.to_builtins, schema, chain([first], coming), rows)
    return iter(())


def keys(instance: EvidenceInstance) -> list[str]:
    """What a prediction has a score for: the sentences' places, from "0"."""
    return [*map(str, range(len(instance.sentences)))]


def gold_side(batch: pa.RecordBatch) -> dict[str, Any]:
    """The sentences as candidates, by their places (`GoldColumns.convert`). answer: the first that holds it."""
    sentences: Any = batch.column("sentences")
    sizes: list[int] = sentences.value_lengths().to_pylist()
    held: Any = sentences.flatten().field(HELD)
    flat: list[bool | None] = held.to_pylist()
    of = [flat[start:end] for start, end in pairwise([0, *accumulate(sizes)])]
    answers = [own.index(True) if True in own else -1 for own in of]
    return {
        "id": batch.column("id"),
        "document": batch.column("question"),
        "candidates": sentences.value_lengths(),
        "answer": arrays.from_numbers(np.array(answers, np.int32)),
        "key": arrays.from_texts([str(place) for size in sizes for place in range(size)]),
        HELD: held,
    }


def faults(instance: EvidenceInstance, text_form: str = "") -> Iterator[tuple[str, str]]:
    """(name, what is wrong) of one question with sentences; the invariants of docs/formats.md."""
    if not instance.question.strip():
        yield "question", "the question is empty"
    if not instance.sentences:
        yield "sentences", "there are no sentences"
    for place, sentence in enumerate(instance.sentences):
        if not sentence.text.strip():
            yield "sentence_empty", f"sentence {place} has no text"
    documents = [own[0].document for own in instance.documents()]
    if len(set(documents)) < len(documents):
        yield "documents_apart", "sentences of one document do not stand together"
    ranked = instance.retrieval
    if ranked is not None and len(ranked.scores) != len(documents):
        yield "retrieval", f"{len(ranked.scores)} scores of {len(documents)} documents"
    if ranked is not None and {len(ranked.sections), len(ranked.begins)} != {len(instance.sentences)}:
        yield "retrieval", "a sentence lacks its section or its place"


def _without_evidence(instance: EvidenceInstance) -> EvidenceInstance:
    """Sentences and retrieved documents stay, with the scores of the search engine."""
    change = msgspec.structs.replace
    ranked = instance.retrieval
    return change(
        instance,
        sentences=tuple(change(sentence, held=None) for sentence in instance.sentences),
        retrieval=None if ranked is None else change(ranked, documents=(), snippets=()),
    )


_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())
_ROWS = Rows(
    {
        "id": (_TEXT, lambda instance, viewed: instance.id),
        "question": (_TEXT, lambda instance, viewed: instance.question),
        "sentences": (_TEXTS, lambda instance, viewed: [each.text for each in instance.sentences]),
        "documents": (_TEXTS, lambda instance, viewed: [each.document for each in instance.sentences]),
        "titles": (_TEXTS, lambda instance, viewed: [each.title for each in instance.sentences]),
        "held": (pa.list_(pa.bool_()), lambda instance, viewed: [each.held for each in instance.sentences]),
    }
)


def _running_text(found: Iterable[EvidenceInstance]) -> Iterator[list[str]]:
    """Every different question and sentence, once: a retrieved document stands in many instances."""
    read: set[bytes] = set()
    for instance in found:
        for text in (instance.question, *(sentence.text for sentence in instance.sentences)):
            digest = blake2b(text.encode(), digest_size=16).digest()
            if digest not in read:
                read.add(digest)
                yield words_of(text)


KIND = Kind(
    name="evidence",
    holds="questions with sentences to choose from",
    record=EvidenceInstance,
    schema=EVIDENCE_SCHEMA,
    tables=tables,
    instances=partial(arrays.instances, EvidenceInstance),
    keys=keys,
    gold=GoldColumns(("id", "question", "sentences.list.element.held"), gold_side),
    faults=faults,
    views={SENTENCES: lambda instance, text_form, numbering: instance},
    usual_view=SENTENCES,
    candidate_texts=lambda viewed: [sentence.text for sentence in viewed.sentences],
    rows=_ROWS,
    running_text=RunningText(
        lambda instance: (own[0].document for own in instance.documents()),
        _running_text,
    ),
    relevant=lambda instance: instance.retrieval.relevant if instance.retrieval else RelevantItems(),
    withholdings={"sentences": _without_evidence},
    statistics="anagnosis.datasets.evidence_statistics:evidence_statistics",
    layout="jsonl",
)
