"""Engines store and retrieve passages. An engine is a module with the functions of EngineModule.

An engine gets one place in the index folder for its files on this machine: a folder, or a settings file with the
address of a server. It gets trees of the query language (queries/tree.py) and filters, not questions:
`words.passage_words` are the words of a passage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from anagnosis.registry import find
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.tree import Phrase, Query, Together
from anagnosis.searching.records.expansion import Definition
from anagnosis.searching.records.hits import Counts, Facets, Hit, PrintedWord
from anagnosis.searching.records.paper import NO_FACTS, Paper
from anagnosis.searching.records.passage import Passage

ENGINES = {"embedded": "anagnosis.searching.engines.embedded"}
PassageKey = tuple[str, int]  # a document, and the number of a passage in it
SORTS = BY_SCORE, BY_DATE = ("score", "date")
AGAIN = "make the index again"  # what to do about a damaged one


class Engine(Protocol):
    """The interface of engines.

    Additions and deletions become visible with `commit`, all at once. Commits survive the process; later changes are
    lost with it. One process writes at a time, others read; readers see a new commit without a restart.
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

    def meeting(self, query: Query, places: Sequence[PassageKey]) -> list[PassageKey]:
        """The passages among these that are results by the conditions of a query alone: required and excluded parts."""
        ...

    def document(self, document: str) -> list[Passage]:
        """The passages of a document in order; [] without such a document."""
        ...

    def passages(self, places: Sequence[PassageKey]) -> list[Passage | None]:
        """The passages at these places; None for each that does not exist."""
        ...

    def papers(self, documents: Sequence[str]) -> list[Paper | None]:
        """The papers of these documents; None for each that does not exist."""
        ...

    def with_alias(self, aliases: Sequence[str]) -> list[str]:
        """The documents whose papers have any of these aliases, sorted."""
        ...

    def mark(self, document: str) -> str | None:
        """The mark of a committed document; None without such a document."""
        ...

    def marks(self) -> Iterator[tuple[str, str]]:
        """(document, mark) of every document."""
        ...

    def count(self) -> Counts:
        """Numbers of committed documents and passages."""
        ...

    def frequency(self, words: Sequence[str | Phrase | Together]) -> list[int]:
        """For each word or part, the number of passages that have it; of a word deleted ones may count for a while."""
        ...

    def alike(self, field: str, name: str, limit: int) -> list[str]:
        """The name as printed, in any case, if papers have it; else at most `limit` similar names.

        field: of tree.NAME_FIELDS.
        """
        ...

    def names(self, field: str, prefix: str, limit: int) -> list[str]:
        """Names as printed that begin so, in any case; those of most passages first. field: of tree.NAME_FIELDS."""
        ...

    def printed(self, prefix: str, limit: int) -> list[PrintedWord]:
        """Words of titles that begin with these letters, as printed; those of most papers first."""
        ...

    def near_words(self, word: str, limit: int) -> list[PrintedWord]:
        """Other words, as printed, within one or two letters of this one: the nearest first, of these the commonest."""
        ...

    def definitions(self, *, short: str = "", long: str = "") -> list[Definition]:
        """What papers define (synonyms/abbreviations.py), by falling number of papers, which is exact.

        short: an abbreviation as printed; or long: the key of a long form (synonyms/names.py). Many may be left out.
        """
        ...

    def version(self) -> str:
        """A text that identifies the last commit: it changes with every addition or deletion; "" if unknown."""
        ...

    def close(self) -> None:
        """Release the engine for other writers; what was not committed is lost."""
        ...


class EngineModule(Protocol):
    """The functions of an engine's module. place: for the engine's files; nothing is there before `create`."""

    def create(self, place: Path, settings: Path | None = None, /) -> Engine:
        """Create an empty engine, also where an earlier `create` was killed. settings: `--engine-settings`."""
        ...

    def open(self, place: Path, /) -> Engine:
        """Open an existing engine. InputError: it cannot be read or reached."""
        ...

    def is_empty(self, place: Path, /) -> bool:
        """Whether nothing was committed: also True if `create` was not called, or was killed."""
        ...

    def check(self, place: Path, /) -> Iterator[tuple[str, str]]:
        """Verify the last commit: (file or part, its fault, "" if it is sound)."""
        ...

    def remove(self, place: Path, /) -> None:
        """Remove everything that `create` made."""
        ...


def engine_module(name: str) -> EngineModule:
    """The module of an engine. InputError: an unknown name."""
    return find(ENGINES, name, "engine")
