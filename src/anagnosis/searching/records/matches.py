"""Counts over all results of a query: papers and passages, and papers by year, journal, type and section."""

from __future__ import annotations

from typing import Literal

import msgspec

Sort = Literal["score", "date"]


class Matches(msgspec.Struct, frozen=True):
    """Numbers of papers and of passages that match a query."""

    papers: int
    passages: int


class Facet(msgspec.Struct, frozen=True):
    """One value of a facet. papers: the number of matching papers with this value."""

    name: str
    papers: int


class Facets(msgspec.Struct, frozen=True):
    """Counts of the papers that match a query.

    years: in rising order; undated papers have none. journals, types: as printed, the commonest first, ties by name, at
    most as many as asked for. sections: of section_names.SECTIONS, the commonest first; a paper counts once in each
    section in which a passage matches.
    """

    matches: Matches
    years: tuple[Facet, ...] = ()
    journals: tuple[Facet, ...] = ()
    types: tuple[Facet, ...] = ()
    sections: tuple[Facet, ...] = ()


class PrintedWord(msgspec.Struct, frozen=True):
    """A word as papers print it, in lower case, with the number of passages that have it or another form of it."""

    text: str
    passages: int
