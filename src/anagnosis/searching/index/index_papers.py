"""Find what an index holds: papers that stand alone, and papers whose records contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from anagnosis.searching.engines import Engine
from anagnosis.searching.index.index import Index
from anagnosis.searching.index.paper_names import unjoined
from anagnosis.searching.records.index_papers import Contradicted, IndexPapers

_TOGETHER = 1_000  # papers that are read at once


def index_papers(index: Index) -> IndexPapers:
    """What an index holds. InputError: it is damaged."""
    size, joined = index.count(), 0
    contradicted: list[Contradicted] = []
    for documents in _in_batches(index.engine):
        for document, paper in zip(documents, index.engine.papers(documents), strict=True):
            if paper is None:
                continue
            joined += len(paper.sources) > 1
            if paper.conflicts:
                contradicted.append(Contradicted(document, paper.conflicts))
    return IndexPapers(
        documents=size.documents,
        passages=size.passages,
        joined=joined,
        joins_none=unjoined(index.engine),
        contradicted=sorted(contradicted, key=lambda one: one.document),
    )


def _in_batches(engine: Engine) -> Iterator[list[str]]:
    documents = iter([document for document, _ in engine.marks()])
    while batch := list(islice(documents, _TOGETHER)):
        yield batch
