"""The record of what an index holds: its numbers, papers that stand alone, and facts that contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from anagnosis.searching.records.paper import Conflict
from anagnosis.showing import WithReport


class Unjoined(msgspec.Struct, frozen=True):
    """A paper that might be part of one of several others, and is part of none. shared: their identifiers."""

    document: str
    shared: Sequence[str]


class Contradicted(msgspec.Struct, frozen=True):
    """A paper whose records contradict each other, and in which facts."""

    document: str
    conflicts: Sequence[Conflict]


class IndexPapers(WithReport, msgspec.Struct, frozen=True, kw_only=True):
    """What an index holds.

    joined: number of papers of several records. joins_none: papers whose identifiers belong to several other papers.
    contradicted: papers in whose facts records contradict each other. Both are in the order of the documents' ids.
    """

    record: Literal["indexpapers"] = "indexpapers"
    documents: int
    passages: int
    joined: int
    joins_none: Sequence[Unjoined]
    contradicted: Sequence[Contradicted]

    def __repr__(self) -> str:
        return f"<IndexPapers: {self.documents} documents, {self.passages} passages>"
