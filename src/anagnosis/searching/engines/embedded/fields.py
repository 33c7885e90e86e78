"""The fields of an embedded index's entries, one a line, and how their text becomes words.

A passage is an entry. Queries search `content`; `stored` is the complete passage, `mark` its document's mark, and
`checksum` the CRC-32 of both. The checksums are in a separate file (.fast), which is verified as a whole; so they also
show that a passage is the one of this place, and not another valid one.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import Schema

ANALYSIS = "biomedical"
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
    "content": _text(ANALYSIS, "freq"),
    "title": _text(ANALYSIS, "freq"),
    "section": _text("raw", "basic"),
    "journal": _text("raw", "basic"),
    "type": _text("raw", "basic"),
    "date": _other("u64", fast=True),
    "number": _other("u64", indexed=True),
    "mark": _other("bytes", stored=True),
    "stored": _other("bytes", stored=True),
    CHECKSUM: _other("u64", fast=True),
}
WITHOUT_CHECKSUMS = {
    name: field for name, field in FIELDS.items() if name != CHECKSUM
}  # until index format 3
# Every entry has exactly one value of this field, so the frequencies of its values add up to the number of entries.
OF_EVERY_ENTRY = "section"


def schema() -> Schema:
    """The fields as a schema of the library."""
    builder = library().SchemaBuilder()
    for name, (kind, options) in FIELDS.items():
        if kind == "text":
            indexing = options["indexing"]
            builder.add_text_field(
                name, tokenizer_name=indexing["tokenizer"], index_option=indexing["record"]
            )
        elif kind == "u64":
            builder.add_unsigned_field(name, indexed=options["indexed"], fast=options["fast"])
        else:
            builder.add_bytes_field(name, stored=options["stored"], indexed=options["indexed"])
    return builder.build()


def checksum(stored: bytes, mark: bytes = b"") -> int:
    """The checksum of an entry. mark: of the first passage of a document, b"" for others."""
    return zlib.crc32(mark, zlib.crc32(stored))
