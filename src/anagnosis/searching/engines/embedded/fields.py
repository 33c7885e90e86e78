"""The fields of an embedded index's entries, one a line, and how their text becomes words.

A passage is an entry. Queries search `content`, and names in fields of their own; `stored` is the complete passage. The
first passage of a document also has its mark and its Paper. `checksum` is the CRC-32 of the three. The checksums are in
a separate file (.fast), which is verified as a whole; so they also show that a passage is the one of this place, and
not another valid one.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from anagnosis.searching.engines.embedded.slot_fields import BITS, SLOT
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import Schema

ANALYSIS = "biomedical"  # stems
PRINTED_ANALYSIS = "printed"  # words as printed
CHECKSUM = "checksum"


class Field(NamedTuple):
    """A field of the schema. kind: text, u64 or bytes. options: as in meta.json."""

    kind: str
    options: dict[str, Any]


def _text(tokenizer: str, record: str) -> Field:
    indexing = {"record": record, "fieldnorms": True, "tokenizer": tokenizer}
    return Field("text", {"indexing": indexing, "stored": False, "fast": False})


def _other(kind: str, *, indexed: bool = False, fast: bool = False, stored: bool = False) -> Field:
    return Field(kind, {"indexed": indexed, "fieldnorms": False, "fast": fast, "stored": stored})


FIELDS = {
    "document": _text("raw", "basic"),
    "content": _text(ANALYSIS, "position"),  # title, heading and text
    "title": _text(ANALYSIS, "position"),
    "section": _text("raw", "basic"),
    "part": _text("raw", "basic"),  # of PARTS
    # Names, folded: of every passage, those of the paper.
    "journal": _text("raw", "basic"),
    "type": _text("raw", "basic"),
    "author": _text("raw", "basic"),
    "mesh": _text("raw", "basic"),
    "keyword": _text("raw", "basic"),
    "date": _other("u64", fast=True),
    "number": _other("u64", indexed=True),
    # Of the document: the engine decides about one passage by itself.
    "passages": _other("u64", indexed=True),
    # For sets of papers (slots.py).
    SLOT: _other("u64", fast=True),
    **{name: _other("u64", fast=True) for name in BITS},
    "paper": _other("u64", fast=True),  # the key of the document (entries.key), for an order by ids alone
    # Of a document's first passage.
    "journal_key": _other("u64", fast=True),
    "types_key": _other("u64", fast=True),
    "alias": _text("raw", "basic"),
    "printed": _text(PRINTED_ANALYSIS, "basic"),  # words of the title
    "abbreviation": _text("raw", "basic"),  # that the paper defines (definitions.py)
    "mark": _other("bytes", stored=True),
    "about": _other("bytes", stored=True),  # the Paper
    "stored": _other("bytes", stored=True),
    CHECKSUM: _other("u64", fast=True),
}
# Every entry has exactly one value of this field, so the frequencies of its values add up to the number of entries.
OF_EVERY_ENTRY = "section"
TITLE, ABSTRACT, FULL_TEXT = PARTS = ("title", "abstract", "full text")


def schema() -> Schema:
    """The fields as a schema of the library."""
    builder = library().SchemaBuilder()
    for name, (kind, options) in FIELDS.items():
        if kind == "text":
            indexing = options["indexing"]
            builder.add_text_field(
                name,
                tokenizer_name=indexing["tokenizer"],
                index_option=indexing["record"],
            )
        elif kind == "u64":
            builder.add_unsigned_field(name, indexed=options["indexed"], fast=options["fast"])
        else:
            builder.add_bytes_field(name, stored=options["stored"], indexed=options["indexed"])
    return builder.build()


def checksum(stored: bytes, mark: bytes = b"", about: bytes = b"") -> int:
    """The checksum of an entry. mark, about: of the first passage of a document, b"" for others."""
    return zlib.crc32(about, zlib.crc32(mark, zlib.crc32(stored)))
