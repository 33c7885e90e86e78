"""RIS, which reference managers import (EndNote, Zotero, Mendeley, RefWorks): a tag, two blanks, a hyphen, the value.

    TY  - JOUR
    AU  - Hellinger, Frank R, Jr
    TI  - Does aspirin prevent stroke?
    ER  -

A record begins with TY and ends with ER. A value is one line; lines end in CR LF.
Source: "RIS Format Specifications", Research Information Systems 2011; PubMed's export (AN is the PMID, C2 the PMCID);
EndNote's help on names of groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anagnosis.documents.bibliography import NO_BREAK, name_parts, printed_name
from anagnosis.searching.citing.reference import Reference, first_and_last_page, is_group

# Type of publication, in lower case → the type of a reference; all others are papers of a journal.
_TYPES = {"preprint": "UNPB", "dataset": "DATA"}
_JOURNAL = "JOUR"


def lines(references: Iterable[Reference]) -> Iterator[str]:
    """One record a piece, with an empty line behind it."""
    for reference in references:
        fields = (f"{tag}  - {value}\r\n" for tag, value in _fields(reference) if value)
        yield "".join((*fields, "ER  - \r\n\r\n"))


def _fields(one: Reference) -> Iterator[tuple[str, str]]:
    """(tag, value) in the order of the specification; the caller leaves out empty values."""
    yield "TY", next((_TYPES[kind.lower()] for kind in one.types if kind.lower() in _TYPES), _JOURNAL)
    yield from (("AU", author_field(author)) for author in one.authors)
    yield "TI", one.title
    yield "T2", one.journal
    yield "PY", one.year
    yield "DA", _date(one.date)
    yield "VL", one.volume
    yield "IS", one.issue
    first, last = first_and_last_page(one.pages)
    yield "SP", first
    yield "EP", last
    yield "DO", one.doi
    yield "AN", one.pmid
    yield "C2", one.pmcid
    yield "LA", one.language
    yield from (("KW", word) for word in dict.fromkeys((*one.keywords, *one.mesh)))
    yield "AB", one.abstract
    yield from (("N1", notice) for notice in one.notes)
    yield "UR", one.address
    yield "ID", one.citation_key or one.id


def author_field(author: str) -> str:
    """ "Hellinger, Frank R, Jr"; a group ends in a comma, and the first inside is two: "Salt,, Soup Group,"."""
    if is_group(author):
        return printed_name(author.replace(f",{NO_BREAK}", ",, ", 1)) + ","
    return ", ".join(filter(None, name_parts(author)))


def _date(date: str) -> str:
    """A date as the format writes it, "2016/03/23/": always three slashes."""
    year, month, day, *_ = (*date.split("-"), "", "", "")
    return f"{year}/{month}/{day}/" if year else ""
