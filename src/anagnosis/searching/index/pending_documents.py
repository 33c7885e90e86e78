"""Documents that an index has taken in and not yet committed.

They wait in memory for a while, so that of one id that comes again soon only the last is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from anagnosis.documents.document import Document
from anagnosis.searching.engines import Engine
from anagnosis.searching.index.paper_versions import Mark, decoded, joined, mark_of, why_kept, with_others
from anagnosis.searching.passages import left_out, passages
from anagnosis.searching.records.passage import Passage

LONGEST_ID = 1000  # bytes


class _Pending(msgspec.Struct, frozen=True, gc=False):
    """A document. stored: the mark of the version that the engine has, None where it has none."""

    passages: list[Passage]
    mark: Mark
    stored: Mark | None


class PendingDocuments:
    """Of one writer. run: the number of the call that writes (paper_versions.py).

    passages: how many wait in memory. uncommitted: passages and deletions that the engine got since its
    last commit.
    """

    def __init__(self, engine: Engine, run: int) -> None:
        self._engine, self.run = engine, run
        self._waiting: dict[str, _Pending] = {}
        self._written: dict[str, _Pending | None] = {}
        self.passages = self.uncommitted = 0

    def add(self, document: Document, counts: Counter[str]) -> None:
        """Take a document in, or what it adds to the stored version (paper_versions.py), or skip it.

        Counted: added, replaced, unchanged, deleted, not_there, without_text, id_too_long, and why a text is not taken;
        mentions_left_out.
        """
        ident = document.id
        if "deleted" in document.facts:
            self.delete([ident], counts)
            return
        if len(ident.encode()) > LONGEST_ID:
            counts["id_too_long"] += 1
            return
        new = passages(document)
        if not new:
            counts["without_text"] += 1
            return
        if document.mentions and (missed := left_out(document, new)):
            counts["mentions_left_out"] += missed
        mark = mark_of(document, self.run)
        waiting = self._waiting.get(ident)
        stored = waiting.stored if waiting else self._stored(ident)
        there = waiting.mark if waiting else stored
        if there is None:
            counts["added"] += 1
        elif mark.records[0] in there.records:
            counts["unchanged"] += 1
            return
        else:
            before = waiting.passages if waiting else self._passages_of(ident)
            kept = why_kept(there, mark)
            first, second = (before, new) if kept else (new, before)
            last = "" if there.run == self.run else "others" if kept else "passages"
            merged = with_others(first, second, last)
            counts[kept or "replaced"] += 1
            if kept and merged is first and there.run != self.run:
                return
            if kept or there.run == self.run:
                mark = joined(there, mark) if kept else joined(mark, there)
            new = merged
        self._waiting[ident] = _Pending(new, mark, stored)
        self.passages += len(new)

    def delete(self, ids: Iterable[str], counts: Counter[str]) -> None:
        """Take documents out. Counted: deleted, not_there."""
        for ident in ids:
            waiting = self._waiting.pop(ident, None)
            stored = waiting.stored if waiting else self._stored(ident)
            counts["deleted" if waiting or stored else "not_there"] += 1
            if stored is not None:
                self._engine.delete(ident)
                self._written[ident] = None
                self.uncommitted += 1

    def write(self) -> None:
        """Give the engine what waits."""
        for ident, waiting in self._waiting.items():
            if waiting.stored is not None:
                self._engine.delete(ident)
            self._engine.add(waiting.passages, waiting.mark.encoded())
            self._written[ident] = waiting
            self.uncommitted += len(waiting.passages)
        self._waiting.clear()
        self.passages = 0

    def committed(self) -> None:
        """Forget what was written: the engine has committed it."""
        self._written.clear()
        self.uncommitted = 0

    def _stored(self, ident: str) -> Mark | None:
        """The mark of what is there, or has been written since the last commit."""
        if ident in self._written:
            written = self._written[ident]
            return written.mark if written else None
        mark = self._engine.mark(ident)
        return decoded(mark) if mark is not None else None

    def _passages_of(self, ident: str) -> list[Passage]:
        written = self._written.get(ident)
        return written.passages if written else self._engine.document(ident)
