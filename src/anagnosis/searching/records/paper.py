"""A paper: what is stored once for all of its passages (authors, keywords, MeSH terms, other ids, its records)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from anagnosis.showing import WithReport


class Paper(msgspec.Struct, frozen=True, gc=False):
    """A paper of an index, without its text.

    authors: "Family, Given", in the paper's order; a collective has no comma. keywords, mesh: as printed. aliases: all
    ids by which it can be retrieved, as `papers.alias` normalises them. volume, issue, pages: as printed, for
    citations. sources: its records, "medline:31", the fullest first; () for a paper of one record. joins_none: the
    identifiers that it shares with several papers, of which it joins none.
    """

    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    mesh: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    volume: str = ""
    issue: str = ""
    pages: str = ""
    sources: tuple[str, ...] = ()
    joins_none: tuple[str, ...] = ()


NO_FACTS = Paper()


class Unjoined(msgspec.Struct, frozen=True):
    """A paper that might be part of one of several others, and is part of none. shared: their identifiers."""

    document: str
    shared: Sequence[str]


class IndexPapers(WithReport, msgspec.Struct, frozen=True, kw_only=True):
    """What an index holds.

    joined: number of papers of several records. joins_none: papers whose identifiers belong to several other papers, in
    the order of their ids.
    """

    record: Literal["indexpapers"] = "indexpapers"
    documents: int
    passages: int
    joined: int
    joins_none: Sequence[Unjoined]

    def __repr__(self) -> str:
        return f"<IndexPapers: {self.documents} documents, {self.passages} passages>"
