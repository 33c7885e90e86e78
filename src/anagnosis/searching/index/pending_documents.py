"""Documents that come to an index or leave it: each becomes a record, and records become papers.

A new record may join two papers into one, or show that an identifier belongs to several papers, so that another record
leaves its own. So with each record the affected papers are divided anew (paper_partition.py), and the papers are the
same whatever the order and the number of calls.

Changed papers wait in memory, so that the engine gets only the last of several states of a paper. Its mark, which the
engine stores with it, has its records (paper_records.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from anagnosis.documents.document import Document
from anagnosis.searching.engines import Engine, documents_with, stored_mark, stored_passages
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.papers.partition import ID, MOST, identifier, name_of, papers_of
from anagnosis.searching.papers.records import (
    Record,
    Slot,
    decoded,
    mark_of,
    outline_of,
    record_of,
    restored,
    updated,
)
from anagnosis.searching.passages import left_out
from anagnosis.searching.records.paper import NO_FACTS

LONGEST_ID = 1000  # bytes
_ADDED, _JOINED, _UNCHANGED = "added", "joined", "unchanged"


class IndexedPaper(msgspec.Struct, frozen=True, gc=False):
    """A paper of an index: its id there, its records, and the keys for which it joins no other paper.

    Without records it is deleted.
    """

    name: str
    records: tuple[Record, ...]
    shared: tuple[str, ...] = ()


class PendingDocuments:
    """The pending documents of one writer. run: the number of the indexing run (paper_records.py).

    passages: how many wait in memory. uncommitted: passages and deletions that the engine got since its last commit.
    """

    def __init__(self, engine: Engine, run: int) -> None:
        self._engine, self.run = engine, run
        self._waiting: dict[str, IndexedPaper] = {}
        self._written: dict[str, IndexedPaper] = {}
        self._names: dict[str, tuple[str, ...]] = {}  # key → names of uncommitted papers that had it
        self._marks: dict[str, str | None] = {}  # of committed papers; a record that joins one needs it often
        # Key of a document that is being added → names of committed papers with it.
        self._known: dict[str, set[str]] = {}
        self.passages = self.uncommitted = 0

    def add(self, documents: Sequence[tuple[str, Document]], counts: Counter[str]) -> None:
        """Add the records of documents, each behind the format that it was read from, "" for none.

        Counted: added, joined, replaced, unchanged, deleted, not_there, without_text, id_too_long, why the version that
        is there stays (paper_records.py), and mentions_left_out.
        """
        outlines = [
            outline_of(document, source, self.run)
            if "deleted" not in document.facts and len(document.id.encode()) <= LONGEST_ID
            else None
            for source, document in documents
        ]
        keys = [key for one in outlines if one is not None for key in one.keys.all]
        self._look_up([document.id for _, document in documents], keys)
        for (_, document), outline in zip(documents, outlines, strict=True):
            if outline is not None:
                self._add(document, outline, counts)
            elif "deleted" in document.facts:
                self.delete([document.id], counts)
            else:
                counts["id_too_long"] += 1

    def _look_up(self, names: Sequence[str], keys: Iterable[str]) -> None:
        """Find committed papers by names and keys: engines on another machine answer many at once sooner."""
        self._known = {key: set() for key in (*keys, *map(identifier, keys), *(ID + name for name in names))}
        # `write` needs the marks of papers that wait; those of all others would grow without end.
        self._marks = {name: mark for name, mark in self._marks.items() if name in self._waiting}
        self._marks |= dict.fromkeys(names)
        for name, mark, aliases in self._engine.marks(names, aliases=list(self._known)):
            self._marks[name] = mark
            for key in aliases:
                if key in self._known:
                    self._known[key].add(name)

    def _add(self, document: Document, outline: Record, counts: Counter[str]) -> None:
        keys = {*outline.keys.all, *map(identifier, outline.keys.all)}
        there = [record for name in self._with_keys(keys) for record in self._records(name)]
        unchanged = any(one.slot == outline.slot and outline.hashes[0] in one.hashes for one in there)
        if unchanged and not document.mentions:  # to cut it into passages would be half of the work
            counts[_UNCHANGED] += 1
            return
        record = record_of(document, outline)
        if not record.passages:
            counts["without_text"] += 1
            return
        if document.mentions and (missed := left_out(document, record.passages)):
            counts["mentions_left_out"] += missed
        if unchanged:
            counts[_UNCHANGED] += 1
        elif there:
            counts[self._combine(record)] += 1
        else:
            self._put(IndexedPaper(document.id, (record,)))
            counts[_ADDED] += 1

    def delete(self, idents: Iterable[str], counts: Counter[str]) -> None:
        """Delete records by id or "source:id", and papers by their id. Counted: deleted, not_there."""
        for ident in idents:
            counts["deleted" if self._delete(ident) else "not_there"] += 1

    def write(self) -> None:
        """Pass the waiting papers on to the engine."""
        for name, paper in self._waiting.items():
            written = self._written.get(name)
            if written.records if written is not None else self._mark(name) is not None:
                self._engine.delete(name)
                self.uncommitted += 1
            if paper.records:
                parts, about = shown(name, paper.records, paper.shared)
                self._engine.add(parts, mark_of(paper.records, parts), about)
                self.uncommitted += len(parts)
            self._written[name] = paper
        self._waiting.clear()
        self.passages = 0

    def committed(self) -> None:
        """Forget the written papers, after a commit of the engine."""
        self._written.clear()
        self._names.clear()
        self._marks.clear()
        self._known.clear()
        self.uncommitted = 0

    def _combine(self, record: Record) -> str:
        """Add a record to papers that share its keys, and return what became of it, as the name of a count."""
        outcome = ""

        def change(records: list[Record]) -> list[Record]:
            nonlocal outcome
            for number, there in enumerate(records):
                if there.slot == record.slot:
                    outcome, records[number] = updated(there, record)
                    return records
            return [*records, record]

        old = [
            key
            for name in self._with_keys([ID + record.id])
            for there in self._paper(name).records
            if there.slot == record.slot
            for key in there.keys.all
        ]
        joined = self._divide((*record.keys.all, *old), change)
        return outcome or (_JOINED if len(joined[record.slot]) > 1 else _ADDED)

    def _delete(self, ident: str) -> bool:
        """Delete the records of an id, or else the paper of this name; whether there were any."""
        source, _, rest = ident.partition(":")
        gone = [
            record
            for name in self._with_keys([ID + ident, *([ID + rest] if rest else ())])
            for record in self._paper(name).records
            if ident == record.id or (source, rest) == (record.source, record.id)
        ] or self._paper(ident).records
        if gone:
            slots = {record.slot for record in gone}
            keys = [key for record in gone for key in record.keys.all]
            self._divide(keys, lambda records: [one for one in records if one.slot not in slots])
        return bool(gone)

    def _divide(
        self, keys: Iterable[str], change: Callable[[list[Record]], list[Record]]
    ) -> dict[Slot, Sequence[Record]]:
        """Change the records of all papers that keys lead to, and divide them into papers anew.

        Returns slot → the records of its paper.
        """
        there, crowded = self._affected(keys)
        records = change([record for paper in there.values() for record in paper.records])
        records.sort(key=lambda record: record.slot)
        groups = papers_of([record.keys for record in records], crowded)
        papers_of_id = Counter(ident for group in groups for ident in {records[n].id for n in group.records})
        elsewhere = {ident for ident, count in papers_of_id.items() if count > 1}
        new: dict[str, IndexedPaper] = {}
        result: dict[Slot, Sequence[Record]] = {}
        for group in groups:
            own = tuple(records[number] for number in group.records)
            name = name_of([record.keys for record in own], elsewhere)
            new[name] = IndexedPaper(name, own, group.shared)
            result |= dict.fromkeys((record.slot for record in own), own)
        for name in there.keys() - new.keys():
            self._put(IndexedPaper(name, ()))
        for name, paper in new.items():
            if name not in there or not _same(paper, there[name]):
                self._put(paper)
        return result

    def _affected(self, keys: Iterable[str]) -> tuple[dict[str, IndexedPaper], set[str]]:
        """The papers with these keys, and those to which records without a PMID lead; and keys of too many papers.

        Records with a PMID lead no further: only their ids matter, since names must differ.
        """
        todo, seen = list(keys), set[str]()
        found, crowded = dict[str, IndexedPaper](), set[str]()
        while todo:
            key = todo.pop()
            if key in seen:
                continue
            seen.add(key)
            names = [self._with_keys([one]) for one in {key, identifier(key)}]
            if max(map(len, names)) > MOST:
                crowded.add(key)
                continue
            for name in set[str]().union(*names) - found.keys():
                paper = self._paper(name)
                if paper.records:
                    found[name] = paper
                for record in paper.records:
                    todo += [ID + record.id] if record.keys.pmid else record.keys.all
        return found, crowded

    def _with_keys(self, keys: Iterable[str]) -> set[str]:
        """The names of papers that have one of these keys, and perhaps of some that no longer have it."""
        keys = list(keys)
        unknown = [key for key in keys if key not in self._known]
        names = set(documents_with(self._engine, unknown)) if unknown else set[str]()
        names.update(*(self._known[key] for key in keys if key in self._known))
        for key in keys:
            names.update(self._names.get(key, ()))
            if key.startswith(ID) and self._is_there(ident := key.removeprefix(ID)):
                names.add(ident)
        return names

    def _is_there(self, name: str) -> bool:
        paper = self._waiting.get(name) or self._written.get(name)
        return self._mark(name) is not None if paper is None else bool(paper.records)

    def _records(self, name: str) -> Sequence[Record]:
        """The records of a paper, perhaps without facts and passages; none without such a paper."""
        paper = self._waiting.get(name) or self._written.get(name)
        if paper is not None:
            return paper.records
        mark = self._mark(name)
        return () if mark is None else [record for record, _ in decoded(mark)]

    def _paper(self, name: str) -> IndexedPaper:
        """A paper, without records where it does not exist."""
        paper = self._waiting.get(name) or self._written.get(name)
        if paper is not None:
            return paper
        mark = self._mark(name)
        if mark is None:
            return IndexedPaper(name, ())
        about = self._engine.papers([name])[0] or NO_FACTS
        return IndexedPaper(
            name, restored(mark, stored_passages(self._engine, name), about), about.joins_none
        )

    def _put(self, paper: IndexedPaper) -> None:
        """Add a paper, or replace the paper of its name."""
        before = self._waiting.get(paper.name)
        self.passages += _size(paper) - (_size(before) if before is not None else 0)
        self._waiting[paper.name] = paper
        for record in paper.records:
            for key in record.keys.all:
                names = self._names.get(key, ())
                if paper.name not in names:
                    self._names[key] = (*names, paper.name)

    def _mark(self, name: str) -> str | None:
        """The mark of a committed paper."""
        if name not in self._marks:
            self._marks[name] = stored_mark(self._engine, name)
        return self._marks[name]


def _size(paper: IndexedPaper) -> int:
    return sum(len(record.passages) for record in paper.records)


def _same(one: IndexedPaper, other: IndexedPaper) -> bool:
    return one.shared == other.shared and {*map(id, one.records)} == {*map(id, other.records)}
