"""The entries of a document: one a passage, with the fields of fields.py; and what they store, verified when read."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import astuple

from anagnosis.errors import DamagedError
from anagnosis.language.plain_letters import searchable_parts
from anagnosis.searching.engines import AGAIN
from anagnosis.searching.engines.embedded.fields import (
    ALONE,
    BITS,
    CHECKSUM,
    FIRST,
    FULL_TEXT,
    PER_SUM,
    SLOT,
    key_field,
)
from anagnosis.searching.engines.embedded.library_faults import without_panic_message
from anagnosis.searching.engines.paper_terms import definition_terms, folded_name, names_of
from anagnosis.searching.filters import NAME_FILTERS, date_number
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import DocAddress, Document, Searcher

_NAMES = 1 << 16  # size of the caches


class Entry(NamedTuple):
    """What an entry stores. mark, paper: of the document, "" and None unless this is its first passage."""

    passage: Passage
    mark: str
    paper: Paper | None


def _values(record: type[msgspec.Struct]) -> Any:
    """The type of a record's values, without the names of its fields."""
    return tuple[tuple(field.type for field in msgspec.structs.fields(record))]


# (values of the passage, mark, values of the paper): the names of fields would be some sixty bytes of each.
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(tuple[_values(Passage), str, _values(Paper) | None])


def entries(passages: Sequence[Passage], mark: str, paper: Paper, slot: int) -> Iterator[Document]:
    """The entries of a document, which has at least one passage. slot: of the first one (paper_numbers.py)."""
    document, first = library().Document, passages[0]
    ident, facts, of_paper = first.document, first.facts, key(first.document)
    title, names = searchable_parts(first.title), names_of(passages, paper)
    date, added = date_number(first.date), date_number(facts.get("added", ""))
    for passage in passages:
        # Field by field: half the time of a table of them.
        entry = document()
        text, unsigned = entry.add_text, entry.add_unsigned
        text("document", ident)
        # Each value by itself: no phrase reaches from one into the next.
        for part in title:
            text("content", part)
            text("title", part)
        for part in _heading_parts(passage.heading):
            text("content", part)
        for part in searchable_parts(passage.text):
            text("content", part)
        text("section", passage.section)
        if passage.full_text:
            text("kind", FULL_TEXT)
        for field, name in names:
            text(field, name)
        if date:
            unsigned("date", date)
        if added:
            unsigned("added", added)
        unsigned("paper", of_paper)
        unsigned(SLOT, slot)
        unsigned(BITS, 1 << slot % PER_SUM)
        slot += 1
        if passage is first:
            text("kind", FIRST)
            if len(passages) == 1:
                text("kind", ALONE)
            for one in NAME_FILTERS:
                if value := facts.get(one.fact, ""):
                    unsigned(key_field(one), key(value if one.several else folded_name(value)))
            text("printed", first.title)
            for one in definition_terms(passages):
                text("abbreviation", one)
            for one in paper.aliases:
                text("alias", one)
            stored = _ENCODER.encode((astuple(passage), mark, astuple(paper)))
        else:
            stored = _ENCODER.encode((astuple(passage), "", None))
        entry.add_bytes("stored", stored)
        unsigned(CHECKSUM, zlib.crc32(stored))
        yield entry


class Entries:
    """The stored parts of an index's entries."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, searcher: Searcher, places: Sequence[DocAddress]) -> list[Entry]:
        """The entries at these places. DamagedError: the checksum of an entry differs."""
        places, found = [*places], list[Entry]()
        sums = searcher.fast_field_values(CHECKSUM, places)
        with without_panic_message():
            for place, expected in zip(places, sums, strict=True):
                stored = bytes(searcher.doc(place).get_first("stored") or b"")
                if zlib.crc32(stored) != expected:
                    raise DamagedError("a passage is not as it was stored", str(self._folder), AGAIN)
                passage, mark, paper = _DECODER.decode(stored)
                found.append(Entry(Passage(*passage), mark, None if paper is None else Paper(*paper)))
        return found


@lru_cache(maxsize=_NAMES)
def key(name: str) -> int:
    """A number of 64 bits for a name, the same everywhere; 0 for none."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest()) if name else 0


_heading_parts = lru_cache(maxsize=_NAMES)(searchable_parts)
