"""The papers of an index as its writer sees them: those of the engine, and those that are not committed yet.

Changed papers wait in memory, so that the engine gets only the last of several states of one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from anagnosis.searching.engines import Engine
from anagnosis.searching.index.paper_display import ShownPaper, shown
from anagnosis.searching.index.paper_marks import IndexedPaper, Mark, decoded, encoded, restored
from anagnosis.searching.index.paper_partition import ID, MOST
from anagnosis.searching.records.paper import NO_FACTS


class _Change(msgspec.Struct, frozen=True, gc=False):
    """A paper that is not committed. shown: what the engine gets; None where it is deleted."""

    paper: IndexedPaper
    shown: ShownPaper | None


class StoredPapers:
    """The papers of one writer. passages: how many wait in memory. uncommitted: passages and deletions written."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: dict[str, _Change] = {}
        self._written: dict[str, _Change] = {}
        self._names: dict[str, set[str]] = defaultdict(set)  # key → names of uncommitted papers that had it
        self._marks: dict[str, str | None] = {}  # of committed papers; a record that joins one needs it often
        self.passages = self.uncommitted = 0

    def named(self, key: str) -> set[str]:
        """The names of papers that have a key, and perhaps of some that no longer have it."""
        return self.with_keys([key])

    def with_keys(self, keys: Iterable[str]) -> set[str]:
        """The names of papers that have one of these keys, and perhaps of some that no longer have it."""
        keys = list(keys)
        names = set(self._engine.with_alias(keys))
        names.update(*(self._names.get(key, ()) for key in keys))
        names.update(
            ident for key in keys if key.startswith(ID) and self._there(ident := key.removeprefix(ID))
        )
        return names

    def mark(self, name: str) -> Mark | None:
        """The mark of a paper; None without such a paper."""
        change = self._change(name)
        if change is not None:
            paper = change.paper
            return Mark(tuple(one.mark for one in paper.records), paper.shared) if change.shown else None
        mark = self._committed_mark(name)
        return None if mark is None else decoded(mark)

    def paper(self, name: str) -> IndexedPaper | None:
        """A paper; None without such a paper."""
        change = self._change(name)
        if change is not None:
            return change.paper if change.shown else None
        mark = self._committed_mark(name)
        if mark is None:
            return None
        (about,) = self._engine.papers([name])
        return restored(name, decoded(mark), self._engine.document(name), about or NO_FACTS)

    def put(self, paper: IndexedPaper) -> None:
        """Add a paper, or replace the one of its name."""
        self._set(paper, shown(paper.name, paper.records, paper.shared))

    def delete(self, paper: IndexedPaper) -> None:
        """Delete a paper."""
        self._set(paper, None)

    def write(self) -> None:
        """Pass the waiting papers on to the engine."""
        for name, change in self._waiting.items():
            if self._in_engine(name):
                self._engine.delete(name)
                self.uncommitted += 1
            if change.shown is not None:
                passages, about = change.shown
                self._engine.add(passages, encoded(change.paper, change.shown), about)
                self.uncommitted += len(passages)
            self._written[name] = change
        self._waiting.clear()
        self._marks.clear()
        self.passages = 0

    def committed(self) -> None:
        """Forget the written papers, after a commit of the engine."""
        self._written.clear()
        self._names.clear()
        self._marks.clear()
        self.uncommitted = 0

    def _set(self, paper: IndexedPaper, new: ShownPaper | None) -> None:
        before = self._waiting.get(paper.name)
        self.passages += _size(new) - _size(before.shown if before else None)
        self._waiting[paper.name] = _Change(paper, new)
        if new is not None:
            for key in _keys(paper):
                self._names[key].add(paper.name)

    def _committed_mark(self, name: str) -> str | None:
        if name not in self._marks:
            self._marks[name] = self._engine.mark(name)
        return self._marks[name]

    def _change(self, name: str) -> _Change | None:
        return self._waiting.get(name) or self._written.get(name)

    def _there(self, name: str) -> bool:
        change = self._change(name)
        return change.shown is not None if change is not None else self._committed_mark(name) is not None

    def _in_engine(self, name: str) -> bool:
        written = self._written.get(name)
        return written.shown is not None if written is not None else self._committed_mark(name) is not None


class Affected(msgspec.Struct, frozen=True):
    """The papers that a change of a record may change. crowded: keys of more papers than were read."""

    papers: dict[str, IndexedPaper]
    crowded: set[str]


def affected(papers: StoredPapers, keys: Iterable[str]) -> Affected:
    """The papers with these keys, and those to which records without a PMID lead from there.

    Records with a PMID lead no further: only their ids matter, since names must differ.
    """
    todo, seen = list(keys), set[str]()
    found: dict[str, IndexedPaper] = {}
    crowded = set[str]()
    while todo:
        key = todo.pop()
        if key in seen:
            continue
        seen.add(key)
        names = papers.named(key)
        if len(names) > MOST:
            crowded.add(key)
            continue
        for name in names - found.keys():
            if (paper := papers.paper(name)) is not None:
                found[name] = paper
                for record in paper.records:
                    todo += [ID + record.mark.id] if record.keys.pmid else record.keys.all
    return Affected(found, crowded)


def _keys(paper: IndexedPaper) -> Iterator[str]:
    return (key for record in paper.records for key in record.keys.all)


def _size(one: ShownPaper | None) -> int:
    return len(one.passages) if one is not None else 0
