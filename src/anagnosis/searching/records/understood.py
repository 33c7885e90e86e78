"""The record of how a query was understood, which search, ask and the page show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta


class UnderstoodPart(msgspec.Struct, frozen=True):
    """A part of a query. label: all of, any of, best with, without, published, or the name of a field."""

    label: str
    text: str


class Understood(msgspec.Struct, frozen=True):
    """How a query was understood.

    line: the parts in one line, for people; parts: empty for plain words alone. repairs: how malformed parts were read,
    a sentence each. query: the query in normal form. papers: the documents that a query of identifiers alone goes to.
    """

    parts: Sequence[UnderstoodPart] = ()
    repairs: Annotated[Sequence[str], Meta(description="how malformed parts were read")] = ()
    query: str = ""
    papers: Sequence[str] = ()

    @property
    def line(self) -> str:
        """The parts in one line; "" without any."""
        return " \u00b7 ".join(_shown(part) for part in self.parts)


def _shown(part: UnderstoodPart) -> str:
    return f"{part.label} {part.text}" if part.label == "published" else f"{part.label}: {part.text}"
