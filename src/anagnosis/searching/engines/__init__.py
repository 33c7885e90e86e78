"""Engines: where passages are kept and found. An engine is a module with the functions of EngineModule.

An engine of another package is an entry point of the group `anagnosis.engines`, and contract.py says what it must do.

What an engine keeps on this machine lies at one place in the index folder: a folder, or a file of settings that says
how to reach a server. An engine gets words and filters, no question: a passage's words are `words.passage_words`.
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
    """What every engine does. Nothing that was added or deleted is seen before `commit`, and then all of it is.

    A commit survives the process; what came after the last one is lost with it. One process writes at a time, others
    read; they see a commit without being started again.
    """

    @property
    def has_checksums(self) -> bool:
        """Whether each passage has one, and is verified when it is read: those of earlier versions have none."""
        ...

    def begin(self) -> None:
        """Be the one who writes. Refused (InputError): where another process is, or nobody may."""
        ...

    def add(self, passages: Sequence[Passage], mark: str) -> None:
        """All passages of a document, numbered from 0, which is not there or has been deleted since.

        mark: kept with it.
        """
        ...

    def delete(self, document: str) -> None:
        """All passages of a document, if it is there."""
        ...

    def commit(self) -> None:
        """Make everything since the last commit seen and safe."""
        ...

    def search(self, words: Sequence[str], filters: Filters, limit: int) -> list[Hit]:
        """The best passages with any of these words, by falling score, then by id. A filter changes no score."""
        ...

    def document(self, document: str) -> list[Passage]:
        """Its passages in order."""
        ...

    def passages(self, places: Sequence[tuple[str, int]]) -> list[Passage | None]:
        """Those of (document, number); None where there is none."""
        ...

    def mark(self, document: str) -> str | None:
        """What a committed document was added with; None where there is none."""
        ...

    def marks(self) -> Iterator[tuple[str, str]]:
        """(document, mark) of every document."""
        ...

    def count(self) -> Counts:
        """Documents and passages."""
        ...

    def frequency(self, words: Sequence[str]) -> list[int]:
        """In how many passages each word of `words` occurs; deleted ones may count for a while."""
        ...

    def undated(self) -> int:
        """How many documents have no date."""
        ...

    def journals(self, name: str, limit: int) -> list[str]:
        """The journal of that name, whatever the case, as printed; else names near it (near_names)."""
        ...

    def types(self, name: str, limit: int) -> list[str]:
        """The type of publication of that name, alike."""
        ...

    def version(self) -> str:
        """Of the last commit: another one where anything was added or deleted; "" where it is unknown."""
        ...

    def close(self) -> None:
        """Let other writers in; what was not committed is lost."""
        ...


class EngineModule(Protocol):
    """What an engine's module has. place: where its files may lie; nothing is there before `create`."""

    def create(self, place: Path, settings: Path | None = None, /) -> Engine:
        """An empty one, also where `create` was killed. settings: the file of `--engine-settings`."""
        ...

    def open(self, place: Path, /) -> Engine:
        """One that is there. Refused (InputError): one that cannot be read or reached."""
        ...

    def is_empty(self, place: Path, /) -> bool:
        """Whether `create` was not called, or was killed, or nothing was committed since."""
        ...

    def check(self, place: Path, /) -> Iterator[tuple[str, str]]:
        """(file or part, what is wrong with it, "" where nothing is) of the last commit, each verified whole."""
        ...

    def remove(self, place: Path, /) -> None:
        """Remove all that `create` made."""
        ...


def engine_module(name: str) -> EngineModule:
    """The module of an engine; refused (InputError): an unknown name."""
    return find(ENGINES, GROUP, name, "engine")
