"""Engines store and retrieve passages. An engine is a module with the functions of EngineModule.

An engine gets one place in the index folder for its files on this machine: a folder, or a settings file with the
address of a server. It gets trees of the query language (queries/tree.py) and filters, not questions:
`words.passage_words` are the words of a passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from anagnosis.registry import find
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.tree import Query
from anagnosis.searching.records.expansion import Defined, Definition
from anagnosis.searching.records.hits import Counts, Facets, Hit, PrintedTerm
from anagnosis.searching.records.paper import NO_FACTS, Paper
from anagnosis.searching.records.passage import Passage

ENGINES = {
    "embedded": "anagnosis.searching.engines.embedded",
    "opensearch": "anagnosis.searching.engines.opensearch",
}
PassageKey = tuple[str, int]  # a document, and the number of a passage in it
SORTS = BY_SCORE, BY_DATE = ("score", "date")
NOTE = "note"
# Weights of a match in a title, and of a group's typed words apart; chosen on SciFact's training queries
# (design/search.md).
TITLE_WEIGHT, APART = 0.2, 0.8
AGAIN = "make the index again"  # what to do about a damaged one
_AT_ONCE = 32  # passages to ask for; most papers have fewer


class Marked(NamedTuple):
    """A committed document with its mark and the aliases of its paper."""

    document: str
    mark: str
    aliases: Sequence[str]


class Committed(NamedTuple):
    """A commit. version: another one after every addition or deletion; "" if unknown. counts: of all that is there."""

    version: str
    counts: Counts


class Engine(Protocol):
    """The interface of engines.

    Additions and deletions become visible with `commit`, all at once. Commits survive the process; later changes are
    lost with it. One process writes at a time, others read; readers see a new commit without a restart. A
    cluster promises less while a commit becomes visible, and of what was not committed (design/search.md).
    """

    def begin(self) -> None:
        """Become the writer. InputError: another process writes, or the files cannot be written."""
        ...

    def add(self, passages: Sequence[Passage], mark: str, paper: Paper = NO_FACTS) -> None:
        """Add all passages of a document, numbered from 0. The document is not there, or has been deleted.

        mark: any text, stored with the document, as its paper is.
        """
        ...

    def delete(self, document: str) -> None:
        """Delete all passages of a document, if it is there."""
        ...

    def commit(self) -> None:
        """Write all changes to disk and make them visible."""
        ...

    def search(self, query: Query, filters: Filters, limit: int, *, sort: str = BY_SCORE) -> list[Hit]:
        """The best passages of a query, by falling score, then by id. Filters change no score.

        Papers meet the conditions of a query, and filters are of passages (queries/paper_conditions.py).
        sort: one of SORTS. By date: the latest first, then as by score; undated papers last. Passages of a query
        without ranked parts have the score 0 and come by date, those of one day in an order of the engine's that
        depends on ids alone.
        """
        ...

    def facets(self, query: Query, filters: Filters, limit: int) -> Facets:
        """The exact counts of a query's papers. limit: most journals and types; 0: numbers alone."""
        ...

    def passages(self, places: Sequence[PassageKey], meeting: Query | None = None) -> list[Passage | None]:
        """The passages at these places; None for each that does not exist.

        meeting: None also for each that is no result by the conditions of this query, its required and excluded parts.
        """
        ...

    def papers(self, documents: Sequence[str]) -> list[Paper | None]:
        """The papers of these documents; None for each that does not exist."""
        ...

    def marks(
        self, documents: Iterable[str] | None = None, *, aliases: Sequence[str] = ()
    ) -> Iterator[Marked]:
        """The marks of these committed documents, and of those whose papers have any of these aliases.

        Without either of every document.
        """
        ...

    def frequency(self, words: Sequence[str]) -> list[int]:
        """For each word, the number of passages that have it; deleted ones may count for a while."""
        ...

    def terms(self, field: str, letters: str, limit: int, *, near: bool = False) -> list[PrintedTerm]:
        """Terms of a field as printed that begin so, in any case; those of most passages first.

        field: TITLE for words of titles, or one of tree.NAME_FIELDS. near: instead terms like this one, the nearest
        first: of TITLE other words within one or two letters, of these the commonest first; of names the name itself
        where papers have it, else similar ones.
        """
        ...

    def definitions(self, names: Sequence[Defined]) -> list[list[Definition]]:
        """What papers define (synonyms/abbreviations.py) of each name, by falling number of papers, which is exact.

        Of one that many papers define, many may be left out.
        """
        ...

    def committed(self) -> Committed:
        """What identifies and counts the last commit."""
        ...

    def close(self) -> None:
        """Release the engine for other writers; what was not committed is lost."""
        ...


class Rebuilt(Engine, Protocol):
    """A second, empty engine beside one that is searched meanwhile; only its own methods see what it gets."""

    def swap(self) -> None:
        """Put what is committed in the place of what is searched, in one step. InputError: that has changed."""
        ...


class EngineModule(Protocol):
    """The functions of an engine's module. place: for the engine's files; nothing is there before `create`."""

    def create(self, place: Path, connection: Path | None = None, /) -> Engine:
        """Create an empty engine, also where an earlier `create` was killed. connection: `--connection`."""
        ...

    def open(self, place: Path, connection: Path | None = None, /) -> Engine:
        """Open an existing engine. connection: in place of that of `create`.

        InputError: it cannot be read or reached; or the connection is to another index.
        """
        ...

    def rebuilt(self, place: Path, /) -> Rebuilt:
        """Become the writer of an engine, and begin a second one; what a killed command left of one is removed."""
        ...

    def drop_old(self, place: Path, /) -> list[str]:
        """Remove what `swap` has replaced; returns the names."""
        ...

    def unlock(self, place: Path, /) -> str:
        """Let others write, though a stopped process has not ended; returns which one, "" for none."""
        ...

    def about(self, place: Path, /) -> Iterator[tuple[str, str]]:
        """(name, value) of what a user may want to know of a server; a NOTE is what to look at."""
        ...

    def is_empty(self, place: Path, /) -> bool:
        """Whether nothing was committed: also True if `create` was not called, or was killed."""
        ...

    def check(self, place: Path, /) -> Iterator[tuple[str, str]]:
        """Verify the last commit: (file or part, its fault with a remedy, "" if it is sound)."""
        ...

    def remove(self, place: Path, /) -> None:
        """Remove everything that `create` made."""
        ...


def engine_module(name: str) -> EngineModule:
    """The module of an engine. InputError: an unknown name."""
    return find(ENGINES, name, "engine")


def stored_passages(engine: Engine, document: str) -> list[Passage]:
    """The passages of a committed document in order, all of one commit; [] without such a document."""
    there = _from(engine, document, 0)
    while len(there) >= _AT_ONCE:
        version, there = engine.committed().version, list[Passage]()
        while more := _from(engine, document, len(there)):
            there += more
        if version == engine.committed().version:
            break
    return there


def _from(engine: Engine, document: str, first: int) -> list[Passage]:
    """The next _AT_ONCE passages of a document."""
    found = engine.passages([(document, number) for number in range(first, first + _AT_ONCE)])
    return [one for one in found if one is not None]


def stored_mark(engine: Engine, document: str) -> str | None:
    """The mark of a committed document; None without such a document."""
    return next((one.mark for one in engine.marks([document])), None)


def documents_with(engine: Engine, aliases: Sequence[str]) -> list[str]:
    """The committed documents whose papers have any of these aliases, sorted."""
    return sorted({one.document for one in engine.marks([], aliases=aliases)})
