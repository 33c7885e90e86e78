"""Documents as BioC: the fields of each, in the shape of BioC JSON, and counts of what BioC cannot express.

A section is a passage; its infons are type (the label) and, if there are any, section_heading (the first line of the
passage's text) and section_category. A mention is an annotation of its passage, or of the document where it crosses the
border of two; its infons are type, identifier and name. A relation has its arguments as infons role1, role2, …, as in
PubTator 3. Facts are infons of the document.

Offsets count characters of `Document.text`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from anagnosis.documents.document import Document, Mention, Relation, Section, count_losses
from anagnosis.documents.formats.bioc import conversion as bioc
from anagnosis.documents.formats.bioc.infons import CATEGORY, HEADING
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError


def fields(document: Document) -> dict[str, Any]:
    """The fields of a document in BioC JSON. InputError: an id that is empty or has blanks around it."""
    if document.id.strip() != document.id or not document.id:
        raise InputError(
            "BioC cannot hold this document id", repr(document.id), "give the document a plain id"
        )
    passages: list[dict[str, Any]] = []
    start = 0
    for section in document.sections:
        text = f"{section.title}\n{section.text}" if section.title else section.text
        passages.append(
            {"infons": _infons(section), "offset": start, "text": text, "annotations": [], "relations": []}
        )
        start += len(text) + 1
    across: list[dict[str, Any]] = []
    starts = [passage["offset"] for passage in passages]
    for number, mention in enumerate(document.mentions):
        place = bisect_right(starts, mention.start) - 1
        is_inside = place >= 0 and mention.end <= starts[place] + len(passages[place]["text"])
        (passages[place]["annotations"] if is_inside else across).append(_annotation(number, mention))
    return {
        "id": document.id,
        "infons": dict(document.facts),
        "passages": passages,
        "annotations": across,
        "relations": [_relation(number, relation) for number, relation in enumerate(document.relations)],
    }


def count_unwritten(document: Document, written: Mapping[str, Any], losses: Counter[str]) -> None:
    """Count what `document` has and the fields as a reader gets them lack, named as in `count_losses`."""
    read_back = bioc.document(written, Repairs(), "", document.id)
    count_losses(document, read_back or Document(document.id, ()), losses)


def _infons(section: Section) -> dict[str, str]:
    infons = {"type": section.label, HEADING: section.title, CATEGORY: section.category}
    return {key: value for key, value in infons.items() if value}


def _annotation(number: int, mention: Mention) -> dict[str, Any]:
    infons = {"type": mention.type, "identifier": mention.identifier, "name": mention.name}
    return {
        "id": str(number),
        "infons": {key: value for key, value in infons.items() if value},
        "locations": [{"offset": start, "length": end - start} for start, end in mention.spans],
        "text": mention.text,
    }


def _relation(number: int, relation: Relation) -> dict[str, Any]:
    roles: Iterator[tuple[str, str]] = (
        (f"role{place}", argument) for place, argument in enumerate(relation.arguments, 1)
    )
    return {"id": f"R{number}", "infons": {"type": relation.type, **dict(roles)}, "nodes": []}
