"""Documents that come to an index or leave it: each becomes a record, and records become papers.

A new record may join two papers into one, or show that an identifier belongs to several papers, so that another record
leaves its own. So with each record the affected papers are divided anew (paper_partition.py), and the papers are the
same whatever the order and the number of calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from anagnosis.documents.document import Document
from anagnosis.searching.engines import Engine
from anagnosis.searching.index.paper_marks import IndexedPaper, Mark
from anagnosis.searching.index.paper_partition import ID, name_of, papers_of
from anagnosis.searching.index.paper_records import Record, Slot, record_of, updated
from anagnosis.searching.index.stored_papers import StoredPapers, affected
from anagnosis.searching.passages import left_out

LONGEST_ID = 1000  # bytes
_ADDED, _JOINED, _UNCHANGED = "added", "joined", "unchanged"


class PendingDocuments:
    """The pending documents of one writer. run: the number of the indexing run (paper_records.py)."""

    def __init__(self, engine: Engine, run: int) -> None:
        self.run = run
        self._papers = StoredPapers(engine)

    @property
    def passages(self) -> int:
        """How many wait in memory."""
        return self._papers.passages

    @property
    def uncommitted(self) -> int:
        """Passages and deletions that the engine got since its last commit."""
        return self._papers.uncommitted

    def add(self, document: Document, counts: Counter[str], source: str = "") -> None:
        """Add the record of a document. source: the format that it was read from.

        Counted: added, joined, replaced, unchanged, deleted, not_there, without_text, id_too_long, why the version that
        is there stays (paper_records.py), and mentions_left_out.
        """
        if "deleted" in document.facts:
            self.delete([document.id], counts)
            return
        if len(document.id.encode()) > LONGEST_ID:
            counts["id_too_long"] += 1
            return
        record = record_of(document, source, self.run)
        if not record.passages:
            counts["without_text"] += 1
            return
        if document.mentions and (missed := left_out(document, record.passages)):
            counts["mentions_left_out"] += missed
        names = self._papers.with_keys(record.keys.all)
        marks = [mark for name in names if (mark := self._papers.mark(name)) is not None]
        if not marks:
            self._papers.put(IndexedPaper(document.id, (record,)))
            counts[_ADDED] += 1
        elif _is_there(record, marks):
            counts[_UNCHANGED] += 1
        else:
            counts[self._combine(record)] += 1

    def delete(self, idents: Iterable[str], counts: Counter[str]) -> None:
        """Delete records by id or "source:id", and papers by their id. Counted: deleted, not_there."""
        for ident in idents:
            counts["deleted" if self._delete(ident) else "not_there"] += 1

    def write(self) -> None:
        """Pass the waiting documents on to the engine."""
        self._papers.write()

    def committed(self) -> None:
        """Forget the written documents, after a commit of the engine."""
        self._papers.committed()

    def _combine(self, record: Record) -> str:
        """Add a record to papers that share its keys, and return what became of it, as the name of a count."""
        outcome = ""

        def change(records: list[Record]) -> list[Record]:
            nonlocal outcome
            for number, there in enumerate(records):
                if there.mark.slot == record.mark.slot:
                    outcome, records[number] = updated(there, record)
                    return records
            return [*records, record]

        old = self._old_version(record)
        joined = self._divide((*record.keys.all, *(old.keys.all if old else ())), change)
        return outcome or (_JOINED if len(joined[record.mark.slot]) > 1 else _ADDED)

    def _old_version(self, record: Record) -> Record | None:
        for name in self._papers.named(ID + record.mark.id):
            paper = self._papers.paper(name)
            for there in paper.records if paper is not None else ():
                if there.mark.slot == record.mark.slot:
                    return there
        return None

    def _delete(self, ident: str) -> bool:
        """Delete the records of an id, or else the paper of this name; whether there were any."""
        source, _, rest = ident.partition(":")
        names = self._papers.with_keys([ID + ident, *([ID + rest] if rest else ())])
        gone = [
            record
            for name in names
            if (paper := self._papers.paper(name)) is not None
            for record in paper.records
            if ident == record.mark.id or (source, rest) == (record.mark.source, record.mark.id)
        ]
        if not gone and (paper := self._papers.paper(ident)) is not None:
            gone = list(paper.records)
        if gone:
            slots = {record.mark.slot for record in gone}
            keys = [key for record in gone for key in record.keys.all]
            self._divide(keys, lambda records: [one for one in records if one.mark.slot not in slots])
        return bool(gone)

    def _divide(
        self, keys: Iterable[str], change: Callable[[list[Record]], list[Record]]
    ) -> dict[Slot, Sequence[Record]]:
        """Change the records of all papers that keys lead to, and divide them into papers anew.

        Returns slot → the records of its paper.
        """
        there = affected(self._papers, keys)
        records = change([record for paper in there.papers.values() for record in paper.records])
        records.sort(key=lambda record: record.mark.slot)
        groups = papers_of([record.keys for record in records], there.crowded)
        papers_of_id = Counter(
            ident for group in groups for ident in {records[n].mark.id for n in group.records}
        )
        elsewhere = {ident for ident, count in papers_of_id.items() if count > 1}
        new: dict[str, IndexedPaper] = {}
        result: dict[Slot, Sequence[Record]] = {}
        for group in groups:
            own = tuple(records[number] for number in group.records)
            name = name_of([record.keys for record in own], elsewhere)
            new[name] = IndexedPaper(name, own, group.shared)
            result |= dict.fromkeys((record.mark.slot for record in own), own)
        for name, paper in there.papers.items():
            if name not in new:
                self._papers.delete(paper)
        for name, paper in new.items():
            if name not in there.papers or not _same(paper, there.papers[name]):
                self._papers.put(paper)
        return result


def _is_there(record: Record, marks: Collection[Mark]) -> bool:
    """Whether the marks have this very record."""
    return any(
        one.slot == record.mark.slot and record.mark.hashes[0] in one.hashes
        for mark in marks
        for one in mark.records
    )


def _same(one: IndexedPaper, other: IndexedPaper) -> bool:
    return one.shared == other.shared and {id(record) for record in one.records} == {
        id(record) for record in other.records
    }
