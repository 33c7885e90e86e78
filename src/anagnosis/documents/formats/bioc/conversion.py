"""Conversion of a BioC document, in the shape of BioC JSON, into a `Document` and back.

- A passage becomes a section; its label is its infon `section_type`, else `type`, else `section`, in lower case. The
  infons `section_heading` (the first line of its text) and `section_category` are our writer's. Two passages without
  any label are title and abstract (counted), as in PubTator text.
- An annotation becomes a mention if its text stands at its offsets (`mentions.py`); its infons give the
  identifier (`infons.py`), and `name` the preferred name of its concept, as in PubTator 3.
- A relation's type is its infon `type` or `relation`. Its arguments are the identifiers in the infons
  `role1`, …, else those of the annotations that its nodes name (if one has none, its text, counted), then
  its other infons. An infon with the value of an annotation's identifier gets that identifier's spelling.
- Facts are the document's fields and infons, then the infons of its title passages; the first value counts. Those of
  authors, pages and identifiers become the facts of other formats (`bibliography.py`).
  Of a time in `date` the day is kept. id_of is "other" if the id is the number of a PMCID.
  collection_source, collection_date and collection_key come from the collection.

Left out: further infons of annotations, infons of other passages and of sentences, roles of nodes, and keys of a
relation's infons (the values are arguments). Ids of annotations and relations have meaning only inside the file.

We write a section as a passage; its infons are type (the label) and, if there are any, section_heading (the first line
of the passage's text) and section_category. A mention is an annotation of its passage, or of the document where it
crosses the border of two; its infons are type, identifier and name. A relation has its arguments as infons role1,
role2, …, as in PubTator 3. Facts are infons of the document. Offsets count characters of `Document.text`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from anagnosis.documents.dates import iso_day
from anagnosis.documents.document import Document, Mention, Relation, Section, count_losses
from anagnosis.documents.formats.bioc import infons as bioc_bibliography
from anagnosis.documents.formats.bioc.infons import (
    CATEGORY,
    HEADING,
    LABELS,
    identifier,
    label,
    plain,
)
from anagnosis.documents.formats.bioc.mentions import (
    Annotation,
    Node,
    Part,
    Passage,
    Record,
    all_annotations,
    all_links,
    mentions,
    parts,
)
from anagnosis.documents.identifiers import NO_PMID, plain_pmcid
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import with_states
from anagnosis.errors import InputError
from anagnosis.wording import reworded

# The infons that name a relation.
_KINDS = ("type", "relation")
_NO_FACTS = frozenset((*LABELS, HEADING, CATEGORY))
COLLECTION = ("source", "date", "key")
"""The fields that describe a collection."""


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
    relation_argument_without_identifier, and what `mentions` and `bibliography.normalised` count.
    """
    try:
        record = msgspec.convert(fields, Record, strict=False)
    except msgspec.ValidationError as fault:
        repairs.refuse(where, f"not a BioC document: {reworded(fault)}")
        return None
    ident = plain(record.id).strip()
    if not ident:
        repairs.count("document_without_id")
        ident = default_id
    passages = record.passages or ()
    labels = _labels(passages, repairs)
    texts = parts(passages, repairs)
    facts = _facts(fields, passages, labels, repairs)
    # An id that is a PMCID without its letters, as in PMC's collections.
    is_pmcid = ident.isdecimal() and plain_pmcid(facts.get("article-id_pmc", "")) == f"PMC{ident}"
    of_collection = {f"collection_{name}": plain(collection.get(name)) for name in COLLECTION}
    sections = tuple(map(_section, passages, labels, texts))
    title = next((section.text for section in sections if section.label == "title"), "")
    converted = Document(
        ident,
        sections,
        tuple(mentions(texts, record.annotations or (), repairs)),
        tuple(_relations(record, repairs)),
        {
            **with_states(facts, title),
            **(NO_PMID if is_pmcid else {}),
            **{name: fact for name, fact in of_collection.items() if fact.strip()},
        },
    )
    if not _is_valid_unicode(converted):
        repairs.refuse(where, "half of a surrogate pair (\\ud800 to \\udfff), which is no character")
        return None
    return converted


def _section(passage: Passage, name: str, part: Part) -> Section:
    infons = passage.infons or {}
    heading, category = plain(infons.get(HEADING)), plain(infons.get(CATEGORY))
    if heading and part.text.startswith(f"{heading}\n"):
        return Section(name, part.text[len(heading) + 1 :], heading, category)
    return Section(name, part.text, "", category)


def _labels(passages: tuple[Passage, ...], repairs: Repairs) -> list[str]:
    labels = [label(passage.infons or {}) for passage in passages]
    if len(labels) == 2 and not any(labels):
        repairs.count("passage_label_by_position")
        return ["title", "abstract"]
    return labels


def _relations(record: Record, repairs: Repairs) -> Iterator[Relation]:
    links = list(all_links(record))
    if not links:
        return
    named = {plain(a.id): a for a in all_annotations(record) if plain(a.id)}
    spellings = _spellings(record)
    for link in links:
        infons = dict(link.infons or {})
        kind = plain(infons.pop("type" if "type" in infons else "relation", None))
        # PubTator 3 puts its arguments into infons, and something else into its nodes.
        roles = [key for key in infons if key.lower().startswith("role")]
        values = [infons.pop(key) for key in roles]
        arguments = [identifier(each)[1] if isinstance(each, dict) else plain(each) for each in values]
        if not roles:
            arguments = [_argument(node, named, repairs) for node in link.nodes or ()]
        others = [plain(value) for value in infons.values()]
        yield Relation(kind, (*arguments, *(spellings.get(value, value) for value in others)))


def _spellings(record: Record) -> dict[str, str]:
    """Value of an infon → its identifier, for values that gave the same identifier everywhere."""
    identifiers: dict[str, set[str]] = {}
    for annotation in all_annotations(record):
        value, linked = identifier(annotation.infons or {})
        identifiers.setdefault(value, set()).add(linked)
    return {value: next(iter(linked)) for value, linked in identifiers.items() if value and len(linked) == 1}


def _argument(node: Node, named: Mapping[str, Annotation], repairs: Repairs) -> str:
    annotation = named.get(plain(node.refid))
    if annotation is None:
        repairs.count("relation_argument_unknown")
        return plain(node.refid)
    _, linked = identifier(annotation.infons or {})
    if not linked:
        repairs.count("relation_argument_without_identifier")
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
    return bioc_bibliography.normalised(facts, repairs)


def _is_valid_unicode(document: Document) -> bool:
    try:
        msgspec.json.encode(document)
    except UnicodeEncodeError:
        return False
    return True


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
        infons = _given({"type": section.label, HEADING: section.title, CATEGORY: section.category})
        passages.append({"infons": infons, "offset": start, "text": text, "annotations": [], "relations": []})
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


def count_unwritten(whole: Document, written: Mapping[str, Any], losses: Counter[str]) -> None:
    """Count what `whole` has and the fields as a reader gets them lack, named as in `count_losses`."""
    read_back = document(written, Repairs(), "", whole.id)
    count_losses(whole, read_back or Document(whole.id, ()), losses)


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
