"""Conversion of a BioC document, in the shape of BioC JSON, into a `Document` and back.

- A passage becomes a section; its label is its infon `section_type`, else `type`, else `section`, in lower case. Two
  passages without any label are title and abstract (counted), as in PubTator text.
- An annotation becomes a mention if its text stands at its offsets (`mentions.py`); its infons give the identifier, and
  `name` the preferred name of its concept, as in PubTator 3.
- A relation's type is its infon `type` or `relation`. Its arguments are the identifiers in the infons `role1`, …, else
  those of the annotations that its nodes name (if one has none, its text, counted), then its other infons. An infon
  with the value of an annotation's identifier gets that identifier's spelling.
- Facts are the document's fields and infons, then the infons of its title passages; the first value counts. Those of
  authors, pages and identifiers become the facts of other formats, from PMC's `name_0: "surname:Cui;given-names:Y"`,
  `fpage: "12"`, `lpage: "19"`, or PubTator's `authors: "Liu WH, Guo SN, "`. Of a time in `date` the day is kept. id_of
  is "other" if the id is the number of a PMCID. collection_source, _date and _key come from the collection.

Left out: further infons, roles of nodes, keys of a relation's infons, ids of annotations and relations.

We write a section as a passage; its infons are type (the label) and, if there are any, section_heading (the first line
of the passage's text) and section_category. A mention is an annotation of its passage, or of the document where it
crosses the border of two. A relation has its arguments as infons role1, role2, …, as in PubTator 3. Facts are infons of
the document. Offsets count characters of `Document.text`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate
from types import MappingProxyType
from typing import Any

import msgspec

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import listed_people
from anagnosis.documents.dates import iso_day
from anagnosis.documents.document import Document, Mention, Relation, Section
from anagnosis.documents.formats.bioc.mentions import (
    Annotation,
    Node,
    Passage,
    Record,
    identifier,
    mentions,
    parts,
    plain,
)
from anagnosis.documents.identifiers import NO_PMID, bare_doi, plain_pmcid, plain_pmid
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import with_states
from anagnosis.errors import InputError

LABELS = ("section_type", "type", "section")
HEADING, CATEGORY = "section_heading", "section_category"
"""Infons of passages that our writer adds: a section's title, which begins the passage's text, and its category."""
COLLECTION = ("source", "date", "key")
"""The fields that describe a collection."""
_NO_FACTS = frozenset((*LABELS, HEADING, CATEGORY))
_NAME = re.compile(r"name_\d+")
_PAGES = ("fpage", "lpage", "elocation-id")
# Infon → fact, and the function that normalises it.
_IDENTIFIERS = {
    "article-id_pmid": ("pmid", plain_pmid),
    "article-id_pmc": ("pmcid", plain_pmcid),
    "article-id_doi": ("doi", bare_doi),
}


def document(
    fields: Mapping[str, Any],
    repairs: Repairs,
    where: str,
    default_id: str,
    collection: Mapping[str, Any] = MappingProxyType({}),
) -> Document | None:
    """The document that these fields describe, None if it is refused.

    fields: in the shape of BioC JSON. default_id: for a document without id. collection: the fields of the collection
    around it, by the names in COLLECTION.
    Counted: document_without_id, passage_label_by_position, fact_given_twice, relation_argument_unknown,
    relation_argument_without_identifier, and what `mentions` and `normalised` count.
    """
    try:
        record = msgspec.convert(fields, Record, strict=False)
    except msgspec.ValidationError as fault:
        repairs.refuse(where, f"not a BioC document: {fault}")
        return None
    stated = plain(record.id).strip()
    repairs.count("document_without_id", not stated)
    ident = stated or default_id
    passages = record.passages or ()
    labels = [label(passage.infons or {}) for passage in passages]
    if len(labels) == 2 and not any(labels):
        repairs.count("passage_label_by_position")
        labels = ["title", "abstract"]
    texts = parts(passages, repairs)
    facts = _facts(fields, passages, labels, repairs)
    # An id that is a PMCID without its letters, as in PMC's collections.
    is_pmcid = ident.isdecimal() and plain_pmcid(facts.get("article-id_pmc", "")) == f"PMC{ident}"
    of_collection = {f"collection_{name}": plain(collection.get(name)) for name in COLLECTION}
    sections = tuple(map(_section, passages, labels, (part.text for part in texts)))
    title = next((section.text for section in sections if section.label == "title"), "")
    facts = {
        **with_states(facts, title),
        **(NO_PMID if is_pmcid else {}),
        **{name: fact for name, fact in of_collection.items() if fact.strip()},
    }
    found = mentions(texts, record.annotations or (), repairs)
    return Document(ident, sections, found, tuple(_relations(record, repairs)), facts)


def label(infons: Mapping[str, Any]) -> str:
    """The label of a passage in lower case: "title", "abstract", or the source's word; "" without label."""
    return next((word for key in LABELS if (word := plain(infons.get(key)).strip().lower())), "")


def _section(passage: Passage, name: str, text: str) -> Section:
    infons = passage.infons or {}
    heading, category = plain(infons.get(HEADING)), plain(infons.get(CATEGORY))
    rest = text.removeprefix(f"{heading}\n") if heading else text
    return Section(name, rest, heading if len(rest) < len(text) else "", category)


def _relations(record: Record, repairs: Repairs) -> Iterator[Relation]:
    links = [link for part in record.each() for link in part.relations or ()]
    if not links:
        return
    annotations = [each for part in record.each() for each in part.annotations or ()]
    named = {plain(each.id): each for each in annotations if plain(each.id)}
    # Value of an infon → its identifiers; a value that gave the same one everywhere is spelled as it.
    identifiers: dict[str, set[str]] = {}
    for annotation in annotations:
        value, linked = identifier(annotation.infons or {})
        identifiers.setdefault(value, set()).add(linked)
    spellings = {value: min(each) for value, each in identifiers.items() if value and len(each) == 1}
    for link in links:
        infons = dict(link.infons or {})
        kind = plain(infons.pop("type" if "type" in infons else "relation", None))
        # PubTator 3 puts its arguments into infons, and something else into its nodes.
        values = [infons.pop(key) for key in list(infons) if key.lower().startswith("role")]
        arguments = [identifier(each)[1] if isinstance(each, dict) else plain(each) for each in values]
        if not values:
            arguments = [_argument(node, named, repairs) for node in link.nodes or ()]
        others = [plain(value) for value in infons.values()]
        yield Relation(kind, (*arguments, *(spellings.get(value, value) for value in others)))


def _argument(node: Node, named: Mapping[str, Annotation], repairs: Repairs) -> str:
    if (annotation := named.get(plain(node.refid))) is None:
        repairs.count("relation_argument_unknown")
        return plain(node.refid)
    _, linked = identifier(annotation.infons or {})
    repairs.count("relation_argument_without_identifier", not linked)
    return linked or annotation.text or ""


def _facts(
    fields: Mapping[str, Any], passages: tuple[Passage, ...], labels: list[str], repairs: Repairs
) -> dict[str, str]:
    unknown_fields = {key: value for key, value in fields.items() if key not in Record.__struct_fields__}
    titles = (passage.infons or {} for passage, name in zip(passages, labels, strict=True) if name == "title")
    facts: dict[str, str] = {}
    for source in (unknown_fields, fields.get("infons") or {}, *titles):
        for key, value in source.items():
            text = "" if key in _NO_FACTS else plain(value)
            text = iso_day(text) if key == "date" else text
            if text and facts.setdefault(key, text) != text:
                repairs.count("fact_given_twice")
    return normalised(facts, repairs)


def normalised(infons: dict[str, str], repairs: Repairs) -> dict[str, str]:
    """The facts in a document's infons, in their order; those that we make of others come last.

    Counted: value_left_out, semicolon_in_value (bibliography.py).
    """
    names = [fact for key, fact in infons.items() if _NAME.fullmatch(key)]
    people = listed_people(infons.get("authors", "")) or [_person(name) for name in names]
    first, last, number = (infons.get(name, "") for name in _PAGES)
    pages = infons.get("pages") or bibliography.page_range(first, last) or number
    facts = {key: fact for key, fact in infons.items() if key not in _PAGES and not _NAME.fullmatch(key)}
    for key, (name, normal) in _IDENTIFIERS.items():
        if found := normal(facts.get(key, "")):
            facts.setdefault(name, found)
    of_place = bibliography.place({**facts, "pages": pages}, repairs)
    facts = {key: fact for key, fact in facts.items() if key not in bibliography.PLACE or key in of_place}
    authors = bibliography.join_values(people, repairs, "author")
    return {**facts, **of_place, **({"authors": authors} if authors else {})}


def _person(name: str) -> str:
    """An author of PMC's collections as the fact spells it."""
    parts = {key: value.strip() for key, _, value in (part.partition(":") for part in name.split(";"))}
    return bibliography.person(*(parts.get(key, "") for key in ("surname", "given-names", "suffix")))


def fields(document: Document) -> dict[str, Any]:
    """The fields of a document in BioC JSON. InputError: an id that is empty or has blanks around it."""
    if document.id.strip() != document.id or not document.id:
        what = "BioC cannot hold this document id"
        raise InputError(what, repr(document.id), "give the document a plain id")
    texts = [f"{each.title}\n{each.text}" if each.title else each.text for each in document.sections]
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
    passages: list[dict[str, Any]] = [
        {
            "infons": _given({"type": each.label, HEADING: each.title, CATEGORY: each.category}),
            "offset": start,
            "text": text,
            "annotations": [],
            "relations": [],
        }
        for each, text, start in zip(document.sections, texts, starts, strict=False)
    ]
    across: list[dict[str, Any]] = []
    for number, mention in enumerate(document.mentions):
        place = bisect_right(starts, mention.start, hi=len(texts)) - 1
        is_inside = place >= 0 and mention.end <= starts[place] + len(texts[place])
        (passages[place]["annotations"] if is_inside else across).append(_annotation(number, mention))
    return {
        "id": document.id,
        "infons": dict(document.facts),
        "passages": passages,
        "annotations": across,
        "relations": [_relation(number, relation) for number, relation in enumerate(document.relations)],
    }


def _given(infons: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in infons.items() if value}


def _annotation(number: int, mention: Mention) -> dict[str, Any]:
    return {
        "id": str(number),
        "infons": _given({"type": mention.type, "identifier": mention.identifier, "name": mention.name}),
        "locations": [{"offset": start, "length": end - start} for start, end in mention.spans],
        "text": mention.text,
    }


def _relation(number: int, relation: Relation) -> dict[str, Any]:
    roles = {f"role{place}": argument for place, argument in enumerate(relation.arguments, 1)}
    return {"id": f"R{number}", "infons": {"type": relation.type, **roles}, "nodes": []}
