"""The fields of an embedded index, whose entries are papers, one a line; and the entry of a paper.

Queries search `content`, and names in fields of their own, of which facets count columns. `stored` is what is read
back (papers/records.StoredPaper), with its CRC-32 in front.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from anagnosis.errors import DamagedError
from anagnosis.language.plain_letters import searchable_parts
from anagnosis.searching.engines.paper_terms import names_of
from anagnosis.searching.filters import NAME_FILTERS, date_number
from anagnosis.searching.papers.bm25 import letters_of
from anagnosis.searching.papers.joined import ShownPaper
from anagnosis.searching.papers.records import AGAIN, StoredPaper, decoded
from anagnosis.searching.queries.tree import ALIAS, NAME_FIELDS
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from pathlib import Path

    from tantivy import Document

ANALYSIS = "biomedical"  # stems
PRINTED_ANALYSIS = "printed"  # words as printed
# Values of `kind`: of every entry, and of those with more than an abstract.
PAPER, FULL_TEXT = "paper", "full text"
# Latest first, then by name: eight digits that fall with the date, and the name (`order_of`).
ORDER = "order"
_LATEST = 99_999_999
_CRC = 4  # bytes
_HEADINGS = 1 << 14  # size of a cache


class Field(NamedTuple):
    """A field of the schema. kind: text, u64 or bytes. options: as in meta.json."""

    kind: str
    options: dict[str, Any]


def _words(tokenizer: str = ANALYSIS, *, scored: bool = True) -> Field:
    record = "position" if tokenizer == ANALYSIS else "basic"
    indexing = {"record": record, "fieldnorms": scored, "tokenizer": tokenizer}
    return Field("text", {"indexing": indexing, "stored": False, "fast": False})


def _name(*, indexed: bool = True, fast: bool = False) -> Field:
    indexing = {"record": "basic", "fieldnorms": False, "tokenizer": "raw"}
    return Field("text", {**({"indexing": indexing} if indexed else {}), "stored": False, "fast": fast})


def _other(kind: str, *, fast: bool = False, stored: bool = False) -> Field:
    return Field(kind, {"indexed": False, "fieldnorms": False, "fast": fast, "stored": stored})


_FACETS = frozenset(one.field for one in NAME_FILTERS)
FIELDS = {
    "name": _name(),
    "key": _name(),
    "content": _words(),  # title, headings and texts
    "title": _words(),
    "abstract": _words(scored=False),  # title and abstract of a full text
    "kind": _name(),
    "section": _name(fast=True),
    # Names, folded.
    **{name: _name(fast=name in _FACETS) for name in NAME_FIELDS if name != ALIAS},
    ORDER: _name(indexed=False, fast=True),
    "date": _other("u64", fast=True),
    "added": _other("u64", fast=True),
    "passages": _other("u64", fast=True),
    "letters": _other("u64", fast=True),  # of all passages together, the title with each
    "printed": _words(PRINTED_ANALYSIS, scored=False),  # words of the title
    "stored": _other("bytes", stored=True),
}

_heading_parts = lru_cache(_HEADINGS)(searchable_parts)


def entry_of(stored: StoredPaper, paper: ShownPaper) -> Document:
    """The entry of a paper, which has at least one passage."""
    entry, passages = library().Document(), paper.passages
    first, facts = passages[0], passages[0].facts
    # Field by field: half the time of a table of them.
    text, unsigned = entry.add_text, entry.add_unsigned
    text("name", stored.name)
    for key in paper.keys:
        text("key", key)
    # Each value by itself: no phrase reaches from one into the next.
    title = searchable_parts(first.title)
    for part in title:
        text("content", part)
        text("title", part)
    text("kind", PAPER)
    # Of a paper without a full text `content` is the abstract.
    is_full = any(one.full_text for one in passages)
    if is_full:
        text("kind", FULL_TEXT)
        if any(not one.full_text and one.section != "title" for one in passages):
            for part in title:
                text("abstract", part)
    heading = ""
    for passage in passages:
        if passage.section == "title":
            continue
        parts = searchable_parts(passage.text)
        if passage.heading != heading:  # once for the parts of a long section
            heading = passage.heading
            parts = [*_heading_parts(heading), *parts]
        for part in parts:
            text("content", part)
        if is_full and not passage.full_text:
            for part in parts:
                text("abstract", part)
    for section in dict.fromkeys(one.section for one in passages):
        text("section", section)
    for field, name in names_of(paper):
        text(field, name)
    date = date_number(first.date)
    text(ORDER, order_of(stored.name, date))
    if date:
        unsigned("date", date)
    if added := date_number(facts.get("added", "")):
        unsigned("added", added)
    unsigned("passages", len(passages))
    unsigned("letters", sum(map(letters_of, passages)))
    text("printed", first.title)
    blob = stored.encoded()
    entry.add_bytes("stored", zlib.crc32(blob).to_bytes(_CRC) + blob)
    return entry


def order_of(name: str, date: int) -> str:
    """What papers are sorted by. date: as filters.date_number, 0 for none, which is last."""
    return f"{_LATEST - date:08}{name}"


def date_and_name(order: str) -> tuple[int, str]:
    """The date and the name in an `order_of`."""
    return _LATEST - int(order[:8]), order[8:]


def stored_in(entry: Document, folder: Path) -> StoredPaper:
    """The paper of an entry of the index in a folder. DamagedError: its checksum differs."""
    data = bytes(entry.get_first("stored") or b"")
    if zlib.crc32(blob := data[_CRC:]) != int.from_bytes(data[:_CRC]):
        raise DamagedError("a paper is not as it was stored", str(folder), AGAIN)
    return decoded(blob, folder)
