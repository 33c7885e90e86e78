"""Engines store and retrieve passages. An engine is a module with the functions of EngineModule.

An engine of another package is an entry point of the group `anagnosis.engines`; contract.py tests it.

An engine gets one place in the index folder for its files on this machine: a folder, or a settings file with the
address of a server. It gets words and filters, not questions: `words.passage_words` are the words of a passage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from anagnosis.registry import find
from anagnosis.searching.filters import Filters
from anagnosis.searching.records.answers import Counts, Hit
from anagnosis.searching.records.passage import Passage

ENGINES = {"embedded": "anagnosis.searching.engines.embedded"}
GROUP = "anagnosis.engines"
AGAIN = "make the index again"  # what to do about a damaged one


class Engine(Protocol):
    """The interface of engines.

    Additions and deletions become visible with `commit`, all at once. Commits survive the process; later changes are
    lost with it. One process writes at a time, others read; readers see a new commit without a restart.
    """

    @property
    def has_checksums(self) -> bool:
        """Whether passages have checksums, and reading verifies them; those of earlier versions have none."""
        ...

    def begin(self) -> None:
        """Become the writer. InputError: another process writes, or the files cannot be written."""
        ...

    def add(self, passages: Sequence[Passage], mark: str) -> None:
        """Add all passages of a document, numbered from 0. The document is not there, or has been deleted.

        mark: any text, stored with the document.
        """
        ...

    def delete(self, document: str) -> None:
        """Delete all passages of a document, if it is there."""
        ...

    def commit(self) -> None:
        """Write all changes to disk and make them visible."""
        ...

    def search(self, words: Sequence[str], filters: Filters, limit: int) -> list[Hit]:
        """The best passages with any of these words, by falling score, then by id. A filter changes no score."""
        ...

    def document(self, document: str) -> list[Passage]:
        """The passages of a document in order; [] without such a document."""
        ...

    def passages(self, places: Sequence[tuple[str, int]]) -> list[Passage | None]:
        """The passages at these (document, number); None for each that does not exist."""
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

    def frequency(self, words: Sequence[str]) -> list[int]:
        """For each word, the number of passages that have it; deleted passages may count for a while."""
        ...

    def undated(self) -> int:
        """Number of documents without a date."""
        ...

    def journals(self, name: str, limit: int) -> list[str]:
        """The journal of that name as printed, in any case; else at most `limit` similar names (near_names)."""
        ...

    def types(self, name: str, limit: int) -> list[str]:
        """The same for types of publication."""
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
    return find(ENGINES, GROUP, name, "engine")
