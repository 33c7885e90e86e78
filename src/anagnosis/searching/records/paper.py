"""A paper: what is stored once for all of its passages (authors, keywords, MeSH terms, other ids)."""

from __future__ import annotations

import msgspec


class Paper(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A paper of an index, without its text.

    authors: "Family, Given", in the paper's order; a collective has no comma. keywords, mesh: as printed. aliases: all
    ids by which it can be retrieved, as `papers.alias` normalises them. volume, issue, pages: as printed, for
    citations.
    """

    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    mesh: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    volume: str = ""
    issue: str = ""
    pages: str = ""


NO_FACTS = Paper()
