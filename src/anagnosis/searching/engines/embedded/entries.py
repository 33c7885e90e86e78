"""The entries of a document: one a passage, with the fields of fields.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from anagnosis.language.plain_letters import searchable_parts
from anagnosis.searching.engines.embedded.definitions import abbreviation_terms
from anagnosis.searching.engines.embedded.fields import ABSTRACT, CHECKSUM, FULL_TEXT, TITLE, checksum
from anagnosis.searching.engines.embedded.slot_fields import slot_values
from anagnosis.searching.filters import date_number
from anagnosis.searching.queries.names import author_keys, folded
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import Document

_NAMES = 1 << 16  # size of the caches
_ENCODER = msgspec.msgpack.Encoder()


def entries(passages: Sequence[Passage], mark: str, paper: Paper, slot: int) -> Iterator[Document]:
    """The entries of a document, which has at least one passage. slot: of the first one (slots.py)."""
    document, first = library().Document, passages[0]
    ident, facts, of_paper = first.document, first.facts, key(first.document)
    title, names = searchable_parts(first.title), _names(first, paper)
    date = date_number(first.date)
    buffer = bytearray()
    for passage in passages:
        # Field by field: half the time of a table of them.
        entry = document()
        entry.add_text("document", ident)
        # Each value by itself: no phrase reaches from one into the next.
        for part in title:
            entry.add_text("content", part)
            entry.add_text("title", part)
        for part in _heading_parts(passage.heading):
            entry.add_text("content", part)
        for part in searchable_parts(passage.text):
            entry.add_text("content", part)
        entry.add_text("section", passage.section)
        entry.add_text("part", _part(passage))
        for field, name in names:
            entry.add_text(field, name)
        if date:
            entry.add_unsigned("date", date)
        entry.add_unsigned("number", passage.number)
        entry.add_unsigned("passages", len(passages))
        entry.add_unsigned("paper", of_paper)
        for field, value in slot_values(slot + passage.number):
            entry.add_unsigned(field, value)
        _ENCODER.encode_into(passage, buffer)
        stored, of_document, about = bytes(buffer), b"", b""
        if passage.number == 0:
            of_document, about = mark.encode(), _ENCODER.encode(paper)
            entry.add_unsigned("journal_key", key(_folded(facts.get("journal", ""))))
            entry.add_unsigned("types_key", key(facts.get("types", "")))
            entry.add_text("printed", first.title)
            for one in abbreviation_terms(passages):
                entry.add_text("abbreviation", one)
            for one in paper.aliases:
                entry.add_text("alias", one)
            entry.add_bytes("mark", of_document)
            entry.add_bytes("about", about)
        entry.add_bytes("stored", stored)
        entry.add_unsigned(CHECKSUM, checksum(stored, of_document, about))
        yield entry


@lru_cache(maxsize=_NAMES)
def key(name: str) -> int:
    """A number of 64 bits for a name, the same everywhere; 0 for none."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest()) if name else 0


def _names(first: Passage, paper: Paper) -> list[tuple[str, str]]:
    """(field, folded name) of all names of a paper, each once. first: its first passage."""
    fields = (
        ("journal", map(_folded, [first.journal])),
        ("type", map(_folded, first.types)),
        ("author", [one for each in paper.authors for one in _author_keys(each)]),
        ("mesh", map(_folded, paper.mesh)),
        ("keyword", map(_folded, paper.keywords)),
    )
    return [(field, name) for field, names in fields for name in dict.fromkeys(names) if name]


def _part(passage: Passage) -> str:
    return FULL_TEXT if passage.full_text else TITLE if passage.section == "title" else ABSTRACT


_folded = lru_cache(maxsize=_NAMES)(folded)
_author_keys = lru_cache(maxsize=_NAMES)(author_keys)
_heading_parts = lru_cache(maxsize=_NAMES)(searchable_parts)
