"""The fields of an embedded index, whose entries are papers, one a line; and the entry of a paper.

Queries search `content`, and names in fields of their own, of which facets count columns. `stored` is what is read
back (papers/records.StoredPaper), with its CRC-32 in front.
"""

from __future__ import annotations

import zlib
from itertools import chain
from typing import TYPE_CHECKING, Any

from anagnosis.errors import DamagedError
from anagnosis.searching.engines.entries import entry_of
from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.searching.papers.joined import ShownPaper
from anagnosis.searching.papers.records import AGAIN, StoredPaper, decoded
from anagnosis.searching.queries.tree import ALIAS, NAME_FIELDS
from anagnosis.searching.words import joined_parts, library

if TYPE_CHECKING:
    from pathlib import Path

    from tantivy import Document

Json = dict[str, Any]
ANALYSIS = "biomedical"  # stems
PRINTED_ANALYSIS = "printed"  # words as printed
PAPER = "paper"  # a `kind` of every entry
# Latest first, then by name: eight digits that fall with the date, and the name (`order_of`).
ORDER = "order"
_LATEST = 99_999_999
_CRC = 4  # bytes


def _words(tokenizer: str = ANALYSIS, *, scored: bool = True) -> Json:
    record = "position" if tokenizer == ANALYSIS else "basic"
    indexing = {"record": record, "fieldnorms": scored, "tokenizer": tokenizer}
    return {"type": "text", "options": {"indexing": indexing, "stored": False, "fast": False}}


def _name(*, fast: bool = False) -> Json:
    indexing = {"record": "basic", "fieldnorms": False, "tokenizer": "raw"}
    return {"type": "text", "options": {"indexing": indexing, "stored": False, "fast": fast}}


def _other(kind: str, *, fast: bool = False, stored: bool = False) -> Json:
    options = {"indexed": False, "fieldnorms": False, "fast": fast, "stored": stored}
    return {"type": kind, "options": options}


_FACETS = frozenset(one.field for one in NAME_FILTERS)
# Their schema, as in meta.json.
FIELDS = {
    "name": _name(),
    "key": _name(),
    "content": _words(),
    "title": _words(),
    "abstract": _words(scored=False),
    "kind": _name(),
    "section": _name(fast=True),
    **{name: _name(fast=name in _FACETS) for name in NAME_FIELDS if name != ALIAS},
    ORDER: {"type": "text", "options": {"stored": False, "fast": True}},
    "date": _other("u64", fast=True),
    "added": _other("u64", fast=True),
    "passages": _other("u64", fast=True),
    "letters": _other("u64", fast=True),
    "printed": _words(PRINTED_ANALYSIS, scored=False),  # words of the title
    "stored": _other("bytes", stored=True),
}


def document_of(stored: StoredPaper, paper: ShownPaper) -> Document:
    """The entry of a paper, which has at least one passage."""
    document, entry = library().Document(), entry_of(stored.name, paper)
    # Field by field: half the time of a table of them.
    text = document.add_text
    parts = {one: joined_parts(one) for one in dict.fromkeys(chain(*entry.texts.values()))}
    for field, texts in entry.texts.items():
        for one in texts:
            for part in parts[one]:
                text(field, part)
    for field, values in entry.terms.items():
        for value in values:
            text(field, value)
    text("kind", PAPER)
    for field, name in entry.names:
        text(field, name)
    for field, number in entry.numbers.items():
        if number:
            document.add_unsigned(field, number)
    text(ORDER, order_of(stored.name, entry.numbers["date"]))
    text("printed", paper.passages[0].title)
    blob = stored.encoded()
    document.add_bytes("stored", zlib.crc32(blob).to_bytes(_CRC) + blob)
    return document


def order_of(name: str, date: int) -> str:
    """What papers are sorted by. date: as filters.date_number, 0 for none, which is last."""
    return f"{_LATEST - date:08}{name}"


def name_in(order: str) -> str:
    """The name in an `order_of`."""
    return order[len(str(_LATEST)) :]


def stored_in(entry: Document, folder: Path) -> StoredPaper:
    """The paper of an entry of the index in a folder. DamagedError: its checksum differs."""
    data = bytes(entry.get_first("stored") or b"")
    if zlib.crc32(blob := data[_CRC:]) != int.from_bytes(data[:_CRC]):
        raise DamagedError("a paper is not as it was stored", str(folder), AGAIN)
    return decoded(blob, folder)
