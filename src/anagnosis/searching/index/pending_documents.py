"""Documents that come to an index or leave it: each becomes a record, and records become papers.

A new record may join two papers into one, or show that an identifier belongs to several papers, so that another record
leaves its own. So with each record the affected papers are divided anew (papers/partition.py), and the papers are the
same whatever the order and the number of calls.

An engine finds what is committed. What changed since then waits here too, so that later records find it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from anagnosis.documents.document import Document
from anagnosis.searching.engines import Engine
from anagnosis.searching.papers.partition import ID, MOST, identifier, name_of, papers_of
from anagnosis.searching.papers.records import Record, Slot, StoredPaper, has_text, kept, record_of

LONGEST_ID = 1000  # bytes
_ADDED, _JOINED, _UNCHANGED = "added", "joined", "unchanged"


class PendingDocuments:
    """What one writer has changed since the last commit. run: the number of the indexing run (papers/records.py).

    letters: of the papers that changed.
    """

    def __init__(self, engine: Engine, run: int) -> None:
        self._engine, self.run = engine, run
        self._changed = dict[str, StoredPaper | None]()  # by name; None: deleted
        self._of_key = dict[str, tuple[str, ...]]()  # key → names of changed papers that have it, or had it
        self._unwritten = dict[str, None]()
        # Of the documents that come together: what is committed of them.
        self._there = dict[str, StoredPaper]()
        self._asked = dict[str, set[str]]()  # key → names of committed papers with it
        self.letters = 0

    @property
    def papers(self) -> int:
        """How many papers have changed."""
        return len(self._changed)

    def add(self, documents: Sequence[tuple[str, Document]], counts: Counter[str]) -> None:
        """Add the records of documents, each behind the format that it was read from, "" for none.

        Counted: added, joined, replaced, unchanged, deleted, not_there, without_text, id_too_long, and why the version
        that is there stays (papers/records.py).
        """
        records: list[tuple[Record, set[str]] | str] = []  # a record with its keys, or an id that is deleted
        keys = set[str]()
        for source, document in documents:
            if "deleted" in document.facts:
                records.append(document.id)
                keys.add(ID + document.id)
            elif _is_kept(document, counts):
                record = record_of(document, source, self.run)
                own = {*record.keys.all}
                records.append((record, own))
                keys |= _with_identifiers(own)
        self._begin(keys)
        for one in records:
            if isinstance(one, str):
                counts["deleted" if self._delete(one) else "not_there"] += 1
            else:
                counts[self._add(*one)] += 1
        self._write()

    def delete(self, idents: Iterable[str], counts: Counter[str]) -> None:
        """Delete records by id or "source:id", and papers by their id. Counted: deleted, not_there."""
        every = [*idents]
        self._begin([ID + one for ident in every for one in (ident, ident.partition(":")[2])])
        for ident in every:
            counts["deleted" if self._delete(ident) else "not_there"] += 1
        self._write()

    def committed(self) -> None:
        """Forget what has changed, after a commit of the engine."""
        for waiting in (self._changed, self._of_key, self._there, self._asked):
            waiting.clear()
        self.letters = 0

    def _begin(self, keys: Iterable[str]) -> None:
        self._there.clear()
        self._asked.clear()
        self._look_up(keys)

    def _look_up(self, keys: Iterable[str]) -> None:
        """Find the committed papers with these keys, all in one request."""
        new = [key for key in keys if key not in self._asked]
        if not new:
            return
        self._asked |= {key: set() for key in new}
        for stored in self._engine.with_keys(new):
            self._there[stored.name] = stored
            for key in _keys_of(stored):
                if key in self._asked:
                    self._asked[key].add(stored.name)

    def _write(self) -> None:
        """Pass on to the engine what has changed."""
        for name in self._unwritten:
            stored = self._changed[name]
            if stored is None:
                self._engine.delete(name)
            else:
                self._engine.put(stored)
                self.letters += sum(record.weight[1] for record in stored.records)
        self._unwritten.clear()

    def _add(self, record: Record, keys: set[str]) -> str:
        """Add a record with these keys, and return what became of it, as the name of a count."""
        outcome = ""
        if not any(key in self._of_key or self._asked[key] for key in _with_identifiers(keys)):
            self._put(StoredPaper(record.id, (record,)), keys)
            return _ADDED
        every = (there for name in self._with_keys([ID + record.id]) for there in self._paper(name).records)
        same = [there for there in every if there.slot == record.slot]
        if any(record.digests[-1] in there.digests for there in same):
            return _UNCHANGED

        def change(records: list[Record]) -> list[Record]:
            nonlocal outcome
            for number, there in enumerate(records):
                if there.slot == record.slot:
                    outcome, records[number] = kept(there, record)
                    return records
            return [*records, record]

        joined = self._divide((*keys, *(key for there in same for key in there.keys.all)), change)
        return outcome or (_JOINED if len(joined[record.slot]) > 1 else _ADDED)

    def _delete(self, ident: str) -> bool:
        """Delete the records of an id, or else the paper of this name; whether there were any."""
        source, _, rest = ident.partition(":")
        papers = map(self._paper, self._with_keys([ID + ident, *([ID + rest] if rest else ())]))
        every = [(paper.name, record) for paper in papers for record in paper.records]
        gone = [
            record
            for _, record in every
            if ident == record.id or (source, rest) == (record.source, record.id)
        ] or [record for name, record in every if name == ident]
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
        of_records = [record.keys for record in records]
        groups = papers_of(of_records, crowded)
        papers_of_id = Counter(ident for group in groups for ident in {records[n].id for n in group.records})
        elsewhere = {ident for ident, count in papers_of_id.items() if count > 1}
        new: dict[str, StoredPaper] = {}
        result: dict[Slot, Sequence[Record]] = {}
        for group in groups:
            own = tuple([records[number] for number in group.records])
            name = name_of([of_records[number] for number in group.records], elsewhere)
            new[name] = StoredPaper(name, own, group.shared)
            result |= dict.fromkeys((record.slot for record in own), own)
        for name in there.keys() - new.keys():
            self._changed[name] = self._unwritten[name] = None
        for name, paper in new.items():
            if paper != there.get(name):
                self._put(paper, _keys_of(paper))
        return result

    def _affected(self, keys: Iterable[str]) -> tuple[dict[str, StoredPaper], set[str]]:
        """The papers with these keys, and those to which records without a PMID lead; and keys of too many papers.

        Records with a PMID lead no further: only their ids matter, since names must differ.
        """
        todo, seen = {*keys}, set[str]()
        found, crowded = dict[str, StoredPaper](), set[str]()
        while todo:
            self._look_up(_with_identifiers(todo))
            seen |= todo
            names = set[str]()
            for key in todo:
                of_key = self._with_keys([key]), self._with_keys([identifier(key)])
                if max(map(len, of_key)) > MOST:
                    crowded.add(key)
                else:
                    names.update(*of_key)
            new = {name: self._paper(name) for name in sorted(names - found.keys())}
            found |= new
            todo = set()
            for record in (record for paper in new.values() for record in paper.records):
                every = record.keys
                todo.update([ID + record.id] if every.pmid else every.all)
            todo -= seen
        return found, crowded

    def _with_keys(self, keys: Iterable[str]) -> set[str]:
        """The names of the papers that have one of these keys, and perhaps of some that no longer have it."""
        keys = [*keys]
        self._look_up(keys)
        names = set[str]()
        for key in keys:
            names |= self._asked[key] - self._changed.keys()
            names.update(name for name in self._of_key.get(key, ()) if self._changed[name])
        return names

    def _paper(self, name: str) -> StoredPaper:
        """A paper that a key has led to."""
        return self._changed.get(name) or self._there[name]

    def _put(self, paper: StoredPaper, keys: set[str]) -> None:
        """Add a paper with these keys, or replace the paper of its name."""
        self._changed[paper.name] = paper
        self._unwritten[paper.name] = None
        for key in keys:
            names = self._of_key.get(key, ())
            if paper.name not in names:
                self._of_key[key] = (*names, paper.name)


def _is_kept(document: Document, counts: Counter[str]) -> bool:
    """Whether an index can have a document. Counted: without_text, id_too_long."""
    if len(document.id.encode()) > LONGEST_ID:
        counts["id_too_long"] += 1
        return False
    if not has_text(document):
        counts["without_text"] += 1
        return False
    return True


def _with_identifiers(keys: Iterable[str]) -> set[str]:
    """Keys, and the identifiers in them."""
    return {one for key in keys for one in (key, identifier(key))}


def _keys_of(paper: StoredPaper) -> set[str]:
    """All keys of a paper's records, and its name as one."""
    return {ID + paper.name}.union(*(record.keys.all for record in paper.records))
