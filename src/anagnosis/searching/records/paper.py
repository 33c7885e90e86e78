"""A paper: what is stored once for all of its passages (authors, keywords, MeSH terms, other ids, its records)."""

from __future__ import annotations

import msgspec


class Source(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A record that a paper is made of, and what only it gave.

    record: its format and id, "medline:31". passages: the number of those shown. mentions: of those in other records'
    passages. facts: their names.
    """

    record: str
    passages: int
    mentions: int
    facts: tuple[str, ...]


class Value(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A value of a fact, and the records that have it."""

    value: str
    records: tuple[str, ...]


class Conflict(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A fact in which a paper's records contradict each other. values: the shown one first."""

    fact: str
    values: tuple[Value, ...]


class Paper(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A paper of an index, without its text.

    authors: "Family, Given", in the paper's order; a collective has no comma. keywords, mesh: as printed. aliases: all
    ids by which it can be retrieved, as `papers.alias` normalises them. volume, issue, pages: as printed, for
    citations. sources: its records, the fullest first; () for a paper of one record. conflicts: between its records.
    joins_none: the identifiers that it shares with several papers, of which it joins none.
    """

    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    mesh: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    volume: str = ""
    issue: str = ""
    pages: str = ""
    sources: tuple[Source, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    joins_none: tuple[str, ...] = ()


NO_FACTS = Paper()
