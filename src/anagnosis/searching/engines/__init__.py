"""Engines store and retrieve papers: an entry of an engine is a paper. An engine is a module with the functions of
EngineModule.

An engine gets one place in the index folder for its files on this machine: a folder, or a settings file with the
address of a server. It gets trees of the query language (queries/tree.py) and filters, not questions. What it looks
for in a paper is what `papers.joined.shown` gives; `rank/ranking.py` scores the passages of the papers that it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from anagnosis.registry import find
from anagnosis.searching.filters import Filters
from anagnosis.searching.papers.bm25 import Rarity
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.queries.tree import Query
from anagnosis.searching.records.hits import Counts, Facets

ENGINES = {
    "embedded": "anagnosis.searching.engines.embedded",
    "opensearch": "anagnosis.searching.engines.opensearch",
}
_FOR_TIES, _MOST_TIES = 50, 5_000  # papers beyond the limit, which come in no order
_DIGITS = 4
P = TypeVar("P")
SORTS = BY_SCORE, BY_DATE = ("score", "date")


class Scored(NamedTuple):
    """A paper that a query finds. score: 0 of a query without ranked parts."""

    score: float
    stored: StoredPaper


class Committed(NamedTuple):
    """A commit. version: another one after every change; "" if unknown. counts: of all that is there."""

    version: str
    counts: Counts


class Engine(Protocol):
    """The interface of engines.

    Changes become visible with `commit`, all at once. Commits survive the process; later changes are lost with it. One
    process writes at a time, others read; readers see a new commit without a restart. A cluster promises less while a
    commit becomes visible, and of what was not committed (design/search.md).
    """

    def begin(self) -> None:
        """Become the writer. InputError: another process writes, or the files cannot be written."""
        ...

    def put(self, stored: StoredPaper) -> None:
        """Add a paper, in place of that of its name, if there is one."""
        ...

    def delete(self, name: str) -> None:
        """Delete a paper, if it is there."""
        ...

    def commit(self) -> None:
        """Write all changes to disk and make them visible."""
        ...

    def search(self, query: Query, filters: Filters, limit: int, *, sort: str = BY_SCORE) -> list[Scored]:
        """The best papers of a query, by falling score, then by name. Filters and conditions change no score.

        A paper's score is that of its words, with TITLE_WEIGHT for those of its title.
        sort: one of SORTS. By date: the latest first, undated papers last, those of one day by name, all with the score
        0. So come papers of a query without ranked parts, too.
        """
        ...

    def facets(self, query: Query, filters: Filters, limit: int) -> Facets:
        """The exact counts of a query's papers. limit: most journals and types; 0: their number alone."""
        ...

    def meeting(self, names: Sequence[str], query: Query, filters: Filters) -> set[str]:
        """Which of these papers meet the filters, and the required and excluded parts of a query."""
        ...

    def papers(self, names: Sequence[str]) -> list[StoredPaper | None]:
        """The papers of these names; None for each that does not exist."""
        ...

    def with_keys(self, keys: Sequence[str]) -> list[StoredPaper]:
        """The committed papers with any of these keys (joined.ShownPaper), each once."""
        ...

    def every(self) -> Iterator[StoredPaper]:
        """All papers of the last commit, in no order."""
        ...

    def rarity(self, words: Sequence[str]) -> Rarity:
        """How rare words are; deleted papers may count for a while."""
        ...

    def names(self, field: str, letters: str, limit: int) -> list[str]:
        """Folded names of a field of tree.NAME_FIELDS that begin so, or with TITLE words of titles in small letters.

        Those of most papers come first.
        """
        ...

    def printed(self, field: str, names: Sequence[str]) -> list[str]:
        """Folded names of a field as the latest paper with each prints it; "" for one that no paper has."""
        ...

    def committed(self) -> Committed:
        """What identifies and counts the last commit."""
        ...

    def close(self) -> None:
        """Release the engine for other writers; what was not committed is lost."""
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

    def check(self, place: Path, /) -> Iterator[tuple[str, str]]:
        """Verify the last commit: (file or part, its fault with a remedy, "" if it is sound)."""
        ...

    def remove(self, place: Path, /) -> None:
        """Remove everything that `create` made."""
        ...


def best_first(
    search: Callable[[int], list[tuple[float, P]]], stored: Callable[[P], StoredPaper], limit: int
) -> list[Scored]:
    """The papers with the highest scores, ties by name; of those that tie with the last one _MOST_TIES are compared.

    search: (score, place) of so many, the best first. stored: the paper at a place. Engines add scores up in several
    orders, which may change their last digits: so they are rounded, and ties are broken by name.
    """
    depth, most = limit + _FOR_TIES, limit + _MOST_TIES
    while True:
        found = [(round(score, _DIGITS), place) for score, place in search(depth)]
        if len(found) < depth or found[-1][0] < found[limit - 1][0] or depth >= most:
            least = found[limit - 1][0] if len(found) > limit else 0.0
            best = [Scored(score, stored(place)) for score, place in found if score >= least]
            return sorted(best, key=lambda one: (-one.score, one.stored.name))[:limit]
        depth = min(10 * depth, most)


def engine_module(name: str) -> EngineModule:
    """The module of an engine. InputError: an unknown name."""
    return find(ENGINES, name, "engine")
