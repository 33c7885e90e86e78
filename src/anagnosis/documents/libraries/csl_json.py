"""CSL JSON, the items of citation styles, as Zotero, Mendeley and pandoc export them.

    [{"id": "hellinger2016", "type": "article-journal", "title": "Does aspirin prevent stroke?",
      "author": [{"family": "Hellinger", "given": "Frank R"}, {"literal": "STRATIS Investigators"}],
      "issued": {"date-parts": [[2016, 3, 23]]}, "DOI": "10.1000/x", "PMID": "27000083"}]

"article" is a preprint; Crossref says "posted-content", and has the day when it was posted and the `name` of a group.
The format has no files.
Source: citation-style-language/schema, csl-data.json; "Citation Style Language 1.0.2", appendix III.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from anagnosis.documents.bibliography import person
from anagnosis.documents.io.whole import JSON_FAULTS, decoded_json, strict_json, whole
from anagnosis.documents.libraries.entry import Entry, entry, listed, names
from anagnosis.documents.repairs import Repairs

KIND = "csl-json"
_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*\{")
_TYPE = re.compile(
    rb'"type"\s*:\s*"(?:(?:journal-)?article(?:-[a-z]+)?|book|chapter|dataset|document|entry(?:-[a-z]+)?|manuscript'
    rb'|paper-conference|post(?:-weblog|ed-content)?|report|review|review-book|software|speech|standard|thesis|webpage)"'
)
# BioC's documents have types of their own.
_BIOC = re.compile(rb'"passages"\s*:')
_NAMES = names(
    journal="container-title",
    date="issued posted",
    pages="page",
    doi="DOI",
    pmid="PMID",
    pmcid="PMCID",
    keywords="keyword",
    tags="categories",
    extra="note",
    citation_key="citation-key",
)
_TYPES = {
    "article-journal": "Journal Article",
    "journal-article": "Journal Article",
    "article": "Preprint",
    "dataset": "Dataset",
}


class _Name(msgspec.Struct, rename="kebab"):
    family: str = ""
    given: str = ""
    suffix: str = ""
    literal: str = ""
    name: str | None = ""
    non_dropping_particle: str = ""
    dropping_particle: str = ""


class _Date(msgspec.Struct, frozen=True, rename="kebab"):
    date_parts: list[list[str | int | None]] = []
    raw: str = ""
    literal: str = ""


class _Item(msgspec.Struct):
    """The fields with a type of their own."""

    id: str | int = ""
    type: str = ""
    author: list[_Name] = []
    issued: _Date = _Date()
    posted: _Date | None = None


def sniff(head: bytes) -> bool:
    return bool(_BEGINS.match(head) and _TYPE.search(head)) and not _BIOC.search(head)


def entries(stream: BinaryIO, repairs: Repairs, name: str = "", folder: Path = Path()) -> Iterator[Entry]:
    items: list[msgspec.Raw] = decoded_json(whole(stream, name), name, list[msgspec.Raw])
    for number, raw in enumerate(items, 1):
        where = f"{name}, item {number}"
        try:
            given = strict_json(raw)
            item = msgspec.convert(given, _Item)
        except JSON_FAULTS as fault:
            repairs.refuse(where, f"no item of CSL: {fault}")
        else:
            yield from entry(KIND, str(item.id), _fields(item, given), _NAMES, repairs, where)


def _fields(item: _Item, given: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(name in _NAMES, value)."""
    yield "types", _TYPES.get(item.type, item.type)
    for name, date in (("issued", item.issued), ("posted", item.posted or _Date())):
        for parts in date.date_parts[:1]:
            yield name, "-".join(f"{part:0>2}" for part in parts if part is not None)
        yield name, date.raw or date.literal
    for one in item.author:
        if group := one.literal or one.name:
            yield "corporate_authors", group
        else:
            particles = (one.dropping_particle, one.non_dropping_particle, one.family)
            yield "authors", person(" ".join(filter(None, particles)), one.given, one.suffix)
    for name, value in given.items():
        if name == "keyword" and isinstance(value, str):
            yield from ((name, each) for each in listed(value))
        elif name not in ("type", "author", "issued", "posted"):
            values = cast("list[Any]", value if isinstance(value, list) else [value])
            yield from ((name, _words(each)) for each in values)


def _words(value: Any) -> str:
    """A value as text; of an object its JSON, so that it is counted where it is left out."""
    if value is None:
        return ""
    return str(value) if isinstance(value, str | int | float) else json.dumps(value)
