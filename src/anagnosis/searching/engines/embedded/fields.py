"""The fields of an embedded index's entries, one a line, and how their text becomes words.

A passage is an entry. `content` is what is searched, `stored` the whole passage, `mark` its document's, and `checksum`
the CRC-32 of both. The checksum lies in a file of its own (.fast), which is verified whole; so it also shows that
what was read is the passage that stands at this place, and not another sound one.
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
    """kind: text, u64 or bytes. options: as meta.json has them."""

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
# Every entry has exactly one; so their frequencies add up to all entries.
OF_EVERY_ENTRY = "section"


def schema() -> Schema:
    """The fields as the library takes them."""
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
    """Of an entry. mark: of the entry that has one, number 0 of its document."""
    return zlib.crc32(mark, zlib.crc32(stored))
