"""A query as its user wrote it: what belongs together, before its words are those of the index (meaning.py)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct


class Words(Struct, frozen=True, tag=True):
    """Plain words, verbatim."""

    text: str


class Quoted(Struct, frozen=True, tag=True):
    """A phrase, verbatim and without quotes."""

    text: str


class Begins(Struct, frozen=True, tag=True):
    """A word with a star behind it, verbatim and without the star."""

    text: str


class Tagged(Struct, frozen=True, tag=True):
    """A part with a field. name: of fields.FIELDS. narrower: narrower MeSH terms, any of which counts as this one."""

    name: str
    part: Words | Quoted | Begins
    narrower: tuple[str, ...] = ()


class Between(Struct, frozen=True, tag=True):
    """Dates of publication, ISO, both inclusive; "" is open."""

    since: str
    until: str


class Either(Struct, frozen=True, tag=True):
    """Parts joined by OR, two or more."""

    parts: tuple[Syntax, ...]


class Both(Struct, frozen=True, tag=True):
    """Parts joined by AND, two or more."""

    parts: tuple[Syntax, ...]


class Without(Struct, frozen=True, tag=True):
    """A part that is excluded."""

    part: Syntax


Leaf = Words | Quoted | Begins | Tagged | Between
Syntax = Words | Quoted | Begins | Tagged | Between | Either | Both | Without


def with_leaves(part: Syntax, change: Callable[[Leaf], Syntax]) -> Syntax:
    """A part whose leaves are changed."""
    match part:
        case Either(parts):
            return Either(tuple(with_leaves(each, change) for each in parts))
        case Both(parts):
            return Both(tuple(with_leaves(each, change) for each in parts))
        case Without(inner):
            return Without(with_leaves(inner, change))
        case _:
            return change(part)


class Parsed(Struct, frozen=True):
    """A parsed query. parts: side by side; Words among them are optional, all others are conditions.

    repairs: how malformed parts were read, one sentence each.
    """

    parts: tuple[Syntax, ...]
    repairs: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it has only plain words."""
        return all(isinstance(part, Words) for part in self.parts)
