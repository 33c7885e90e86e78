"""Engines: where passages are kept and found. Each module has `create(folder)` and `open(folder)`, giving an Engine.

`create` may be killed and called again; `is_empty(folder)` tells whether anything was committed since. `check(folder)`
verifies every file of the last commit whole, and gives (its name, what is wrong with it, "" where nothing is).

The promise knows nothing of any engine's own query language: a question is words, and filters say which passages count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from anagnosis.errors import unknown_name
from anagnosis.searching.filters import Filters
from anagnosis.searching.records.answers import Counts, Hit
from anagnosis.searching.records.passage import Passage

ENGINES = {"embedded": "anagnosis.searching.engines.embedded"}
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

    def mark(self, document: str) -> str | None:
        """What a committed document was added with; None where there is none."""
        ...

    def delete(self, document: str) -> None:
        """All passages of a document, if it is there."""
        ...

    def commit(self) -> None:
        """Make everything since the last commit seen and safe."""
        ...

    def search(self, question: str, filters: Filters, limit: int) -> list[Hit]:
        """The best passages by falling score, then by id; none for a question without a word that is known."""
        ...

    def document(self, document: str) -> list[Passage]:
        """Its passages in order."""
        ...

    def passages(self, places: Sequence[tuple[str, int]]) -> list[Passage | None]:
        """Those of (document, number); None where there is none."""
        ...

    def marks(self) -> Iterator[tuple[str, str]]:
        """(document, mark) of every document."""
        ...

    def count(self) -> Counts:
        """Documents and passages."""
        ...

    def undated(self) -> int:
        """How many documents have no date."""
        ...

    def journals(self, name: str, limit: int) -> list[str]:
        """The journal of that name, whatever the case, as printed; where it is not there those of names near it."""
        ...

    def types(self, name: str, limit: int) -> list[str]:
        """The type of publication of that name, alike."""
        ...

    def version(self) -> str:
        """Of the last commit: another one where anything was added or deleted; "" where that cannot be told."""
        ...

    def frequency(self, words: Sequence[str]) -> list[int]:
        """In how many passages each word of `words` occurs."""
        ...

    def words(self, text: str) -> list[str]:
        """The words of a text as the engine knows them, in order, repeated ones too."""
        ...

    def close(self) -> None:
        """Give the folder back to other writers; what was not committed is lost."""
        ...


class EngineModule(Protocol):
    """What an engine's module has (at the top of this one)."""

    def create(self, folder: Path) -> Engine: ...
    def open(self, folder: Path) -> Engine: ...
    def is_empty(self, folder: Path) -> bool: ...
    def check(self, folder: Path) -> Iterator[tuple[str, str]]: ...


def engine_module(name: str) -> EngineModule:
    """The module of an engine of ENGINES; refused (InputError): another name."""
    if name not in ENGINES:
        raise unknown_name("engine", name, ENGINES)
    return cast(EngineModule, import_module(ENGINES[name]))
