"""Documents added to an index and not yet committed.

They wait in memory for a while, so that the engine gets only the last of several documents with one id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from anagnosis.documents.document import Document
from anagnosis.searching.engines import Engine
from anagnosis.searching.index.paper_versions import IndexedPaper, Mark, combined, decoded, mark_of
from anagnosis.searching.papers import paper_of
from anagnosis.searching.passages import left_out, passages
from anagnosis.searching.records.paper import NO_FACTS

LONGEST_ID = 1000  # bytes


class _Pending(msgspec.Struct, frozen=True, gc=False):
    """A waiting document. stored: the mark of the engine's version, None if the engine has none."""

    paper: IndexedPaper
    stored: Mark | None


class PendingDocuments:
    """The pending documents of one writer.

    run: the number of the indexing run (paper_versions.py). passages: how many wait in memory. uncommitted: passages
    and deletions that the engine got since its last commit.
    """

    def __init__(self, engine: Engine, run: int) -> None:
        self._engine, self.run = engine, run
        self._waiting: dict[str, _Pending] = {}
        self._written: dict[str, IndexedPaper | None] = {}
        self.passages = self.uncommitted = 0

    def add(self, document: Document, counts: Counter[str]) -> None:
        """Add a new document, or combine it with the version in the index (paper_versions.py).

        Counted: added, replaced, unchanged, deleted, not_there, without_text, id_too_long, why the text that is there
        stays, and mentions_left_out.
        """
        ident = document.id
        if "deleted" in document.facts:
            self.delete([ident], counts)
            return
        if len(ident.encode()) > LONGEST_ID:
            counts["id_too_long"] += 1
            return
        paper = IndexedPaper(passages(document), mark_of(document, self.run), paper_of(document))
        if not paper.passages:
            counts["without_text"] += 1
            return
        if document.mentions and (missed := left_out(document, paper.passages)):
            counts["mentions_left_out"] += missed
        waiting = self._waiting.get(ident)
        stored = waiting.stored if waiting else self._stored(ident)
        mark_there = waiting.paper.mark if waiting else stored
        if mark_there is None:
            counts["added"] += 1
        elif paper.mark.records[0] in mark_there.records:
            counts["unchanged"] += 1
            return
        else:
            there = waiting.paper if waiting else self._paper_of(ident, mark_there)
            outcome, paper = combined(there, paper)
            counts[outcome] += 1
            if paper is there:
                return
        self._waiting[ident] = _Pending(paper, stored)
        self.passages += len(paper.passages)

    def delete(self, ids: Iterable[str], counts: Counter[str]) -> None:
        """Delete documents. Counted: deleted, not_there."""
        for ident in ids:
            waiting = self._waiting.pop(ident, None)
            stored = waiting.stored if waiting else self._stored(ident)
            counts["deleted" if waiting or stored else "not_there"] += 1
            if stored is not None:
                self._engine.delete(ident)
                self._written[ident] = None
                self.uncommitted += 1

    def write(self) -> None:
        """Pass the waiting documents on to the engine."""
        for ident, waiting in self._waiting.items():
            if waiting.stored is not None:
                self._engine.delete(ident)
            self._engine.add(waiting.paper.passages, waiting.paper.mark.encoded(), waiting.paper.about)
            self._written[ident] = waiting.paper
            self.uncommitted += len(waiting.paper.passages)
        self._waiting.clear()
        self.passages = 0

    def committed(self) -> None:
        """Forget the written documents, after a commit of the engine."""
        self._written.clear()
        self.uncommitted = 0

    def _stored(self, ident: str) -> Mark | None:
        """The mark of the engine's document, committed or written since the last commit."""
        if ident in self._written:
            written = self._written[ident]
            return written.mark if written else None
        mark = self._engine.mark(ident)
        return decoded(mark) if mark is not None else None

    def _paper_of(self, ident: str, mark: Mark) -> IndexedPaper:
        if written := self._written.get(ident):
            return written
        (about,) = self._engine.papers([ident])
        return IndexedPaper(self._engine.document(ident), mark, about or NO_FACTS)
