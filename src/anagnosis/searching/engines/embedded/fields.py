"""The fields of an embedded index's entries, one a line, and how their text becomes words.

A passage is an entry. Queries search `content`, and names in fields of their own; `stored` is what is read back
(entries.Entry), and `checksum` its CRC-32. The checksums are in a separate file (.fast), which is verified as a whole;
so they also show that a passage is the one of this place, and not another valid one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from anagnosis.searching.filters import NAME_FILTERS, NameFilter
from anagnosis.searching.queries.tree import ALIAS, NAME_FIELDS

ANALYSIS = "biomedical"  # stems
PRINTED_ANALYSIS = "printed"  # words as printed
CHECKSUM, SLOT, BITS = "checksum", "slot", "bits"
PER_SUM = 52  # bits of a floating-point number, as the library adds it up
FIRST, ALONE, FULL_TEXT = "first", "alone", "full text"  # values of `kind`


class Field(NamedTuple):
    """A field of the schema. kind: text, u64 or bytes. options: as in meta.json."""

    kind: str
    options: dict[str, Any]


def _text(tokenizer: str, record: str) -> Field:
    indexing = {"record": record, "fieldnorms": tokenizer == ANALYSIS, "tokenizer": tokenizer}
    return Field("text", {"indexing": indexing, "stored": False, "fast": False})


def _other(kind: str, *, fast: bool = False, stored: bool = False) -> Field:
    return Field(kind, {"indexed": False, "fieldnorms": False, "fast": fast, "stored": stored})


def key_field(names: NameFilter) -> str:
    """The field with the key (entries.key) of a paper's journal as folded, or of the fact with its several names."""
    return f"{names.field}_key"


FIELDS = {
    "document": _text("raw", "basic"),
    "content": _text(ANALYSIS, "position"),  # title, heading and text
    "title": _text(ANALYSIS, "position"),
    "section": _text("raw", "basic"),
    # Whether a passage is the first of its paper, its only one, and outside of title and abstract.
    "kind": _text("raw", "basic"),
    # Names, folded: of every passage, those of the paper.
    **{name: _text("raw", "basic") for name in NAME_FIELDS if name != ALIAS},
    "date": _other("u64", fast=True),
    "added": _other("u64", fast=True),
    # For sets of papers (paper_numbers.py).
    SLOT: _other("u64", fast=True),
    BITS: _other("u64", fast=True),
    "paper": _other("u64", fast=True),  # the key of the document (entries.key), for an order by ids alone
    # Of a document's first passage.
    **{key_field(one): _other("u64", fast=True) for one in NAME_FILTERS},
    ALIAS: _text("raw", "basic"),
    "printed": _text(PRINTED_ANALYSIS, "basic"),  # words of the title
    "abbreviation": _text("raw", "basic"),  # that the paper defines (entries.py)
    "stored": _other("bytes", stored=True),
    CHECKSUM: _other("u64", fast=True),
}
# Every entry has exactly one value of this field, so the frequencies of its values add up to the number of entries.
OF_EVERY_ENTRY = "section"
