"""Engines: where passages are kept and found. Each module has `create(folder)` and `open(folder)`, giving an Engine.

The promise knows nothing of any engine's own query language: a question is words, and filters say which passages count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

from anagnosis.searching.passages import Passage

_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
ENGINES = {"embedded": "anagnosis.searching.engines.embedded"}


class Filters(msgspec.Struct, frozen=True):
    """Which passages count; of several words in one field any will do.

    sections: names of sections. since, until: ISO dates, whole or of a year or month, both included; a document without
    a date does not count where one is given. journals, types: whole, whatever the case. documents: ids.
    """

    sections: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    journals: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def is_date(text: str) -> bool:
    """Whether it is a year, a month or a day, as Filters take them."""
    return _DATE.fullmatch(text) is not None


class Hit(msgspec.Struct, frozen=True):
    """A passage and how well it fits the question: higher is better, and says nothing beside another question's."""

    passage: Passage
    score: float


class Counts(NamedTuple):
    """Of what has been committed."""

    documents: int
    passages: int


class Engine(Protocol):
    """What every engine does. Nothing that was added or deleted is seen before `commit`, and then all of it is.

    A commit survives the process; what came after the last one is lost with it. One process writes at a time, others
    read; they see a commit without being started again.
    """

    def add(self, passages: Sequence[Passage], mark: str) -> None:
        """All passages of a document, which is not there or has been deleted since. mark: kept with it."""
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

    def count(self) -> Counts:
        """Documents and passages."""
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
