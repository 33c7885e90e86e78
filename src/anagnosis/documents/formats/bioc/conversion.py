"""A BioC document becomes one of ours, whether it came as XML or as JSON.

- A passage becomes a section; its label is its infon `section_type`, else `type`, else `section`, in lower
  case. Two passages without any label are title and abstract (counted), as in PubTator text.
- An annotation becomes a mention if its text stands where it says (`bioc_mentions.py`); what it is linked
  to is told by its infons (`bioc_infons.py`).
- A relation's type is its infon `type` or `relation`. Its arguments are the identifiers in the infons
  `role1`, …, else those of the annotations that its nodes name (the text of one that has none, counted),
  then its other infons. An infon that equals the one an annotation's identifier was made of is spelled as
  that identifier.
- Facts are the document's own fields and infons, then the infons of its title passages; the first value
  stands. Of a time in `date` the day is kept. id_of is "other" where the id is the number of a PMCID.
  collection_source, collection_date and collection_key are what the file says of the collection.

Not held, and counted: further infons of annotations, infons of other passages and of sentences, roles of nodes and keys
of a relation's infons, whose values are arguments. Ids of annotations and relations are handles inside the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from anagnosis.documents.dates import iso_day
from anagnosis.documents.document import Document, Relation, Section
from anagnosis.documents.formats.bioc.infons import LABELS, identifier, label, not_held, plain
from anagnosis.documents.formats.bioc.mentions import mentions, parts
from anagnosis.documents.formats.bioc.record import (
    Annotation,
    Link,
    Node,
    Passage,
    Record,
    all_annotations,
    all_links,
)
from anagnosis.documents.identifiers import NO_PMID, plain_pmcid
from anagnosis.documents.repairs import Repairs
from anagnosis.wording import reworded

# The infons that name a relation.
_KINDS = ("type", "relation")
COLLECTION = ("source", "date", "key")
"""What a collection says of itself."""


def document(
    fields: Mapping[str, Any],
    repairs: Repairs,
    where: str,
    otherwise: str,
    collection: Mapping[str, Any] = MappingProxyType({}),
) -> Document | None:
    """The document that these fields of a BioC document describe, None if it is refused.

    fields: in the shape of BioC JSON. otherwise: the id of a document that has none. collection: what is around it
    says, by the names in COLLECTION.
    Counted: document_without_id, passage_label_by_position, fact_given_twice, relation_argument_unknown,
    relation_argument_without_identifier, passage_infon_left_out, annotation_infon_left_out, relation_role_left_out, and
    what `bioc_mentions` counts.
    """
    try:
        record = msgspec.convert(fields, Record, strict=False)
    except msgspec.ValidationError as fault:
        repairs.refuse(where, f"not a BioC document: {reworded(fault)}")
        return None
    ident = plain(record.id).strip()
    if not ident:
        repairs.count("document_without_id")
        ident = otherwise
    passages = record.passages or ()
    labels = _labels(passages, repairs)
    laid = parts(passages, repairs)
    facts = _facts(fields, passages, labels, repairs)
    found = Document(
        ident,
        tuple(Section(name, part.text) for name, part in zip(labels, laid, strict=True)),
        tuple(mentions(laid, record.annotations or (), repairs)),
        tuple(_relations(record, repairs)),
        {**facts, **_number(ident, facts), **_of_collection(collection)},
    )
    if not _is_text(found):
        repairs.refuse(where, "half of a surrogate pair (\\ud800 to \\udfff), which is no character")
        return None
    _count_left_out(record, labels, repairs)
    return found


def _of_collection(collection: Mapping[str, Any]) -> dict[str, str]:
    told = {f"collection_{name}": plain(collection.get(name)) for name in COLLECTION}
    return {name: fact for name, fact in told.items() if fact.strip()}


def _count_left_out(record: Record, labels: list[str], repairs: Repairs) -> None:
    """Count the infons and roles that a document of ours has no place for."""
    infons = 0
    for passage, name in zip(record.passages or (), labels, strict=True):
        # All others of a title's are facts.
        its = passage.infons or {}
        its = {key: its[key] for key in LABELS if key in its} if name == "title" else its
        infons += not_held(its, name)
        infons += sum(not_held(sentence.infons) for sentence in passage.sentences or ())
    repairs.count("passage_infon_left_out", infons)
    of_annotations = 0
    for annotation in all_annotations(record):
        its = annotation.infons or {}
        of_annotations += not_held(its, *identifier(its), plain(its.get("type")))
    repairs.count("annotation_infon_left_out", of_annotations)
    repairs.count("relation_role_left_out", sum(map(_unnamed_arguments, all_links(record))))


def _unnamed_arguments(link: Link) -> int:
    """How many of a relation's arguments have a name beside it: the role of a node, the key of an infon."""
    found = sum(bool(plain(node.role).strip()) for node in link.nodes or ())
    for key, value in (link.infons or {}).items():
        if not _is_role(key):
            found += key not in _KINDS
        elif isinstance(value, dict):
            found += not_held(value, *identifier(value))
    return found


def _is_role(key: str) -> bool:
    """ "role1": an argument, known by its place."""
    return key.lower().startswith("role")


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
    spelled = _spelled(record)
    for link in links:
        infons = dict(link.infons or {})
        kind = plain(infons.pop("type" if "type" in infons else "relation", None))
        # PubTator 3 puts its arguments into infons, and something else into its nodes.
        roles = [key for key in infons if _is_role(key)]
        arguments = [_role(infons.pop(key)) for key in roles]
        if not roles:
            arguments = [_argument(node, named, repairs) for node in link.nodes or ()]
        others = [plain(value) for value in infons.values()]
        yield Relation(kind, (*arguments, *(spelled.get(value, value) for value in others)))


def _spelled(record: Record) -> dict[str, str]:
    """The identifier that an infon became, for each that became one and the same everywhere."""
    made: dict[str, set[str]] = {}
    for annotation in all_annotations(record):
        value, linked = identifier(annotation.infons or {})
        made.setdefault(value, set()).add(linked)
    return {value: next(iter(linked)) for value, linked in made.items() if value and len(linked) == 1}


def _role(value: Any) -> str:
    return identifier(value)[1] if isinstance(value, dict) else plain(value)


def _argument(node: Node, named: Mapping[str, Annotation], repairs: Repairs) -> str:
    found = named.get(plain(node.refid))
    if found is None:
        repairs.count("relation_argument_unknown")
        return plain(node.refid)
    _, linked = identifier(found.infons or {})
    if not linked:
        repairs.count("relation_argument_without_identifier")
    return linked or found.text or ""


def _facts(
    fields: Mapping[str, Any], passages: tuple[Passage, ...], labels: list[str], repairs: Repairs
) -> dict[str, str]:
    own = {key: value for key, value in fields.items() if key not in Record.__struct_fields__}
    titles = (passage.infons or {} for passage, name in zip(passages, labels, strict=True) if name == "title")
    facts: dict[str, str] = {}
    for source in (own, fields.get("infons") or {}, *titles):
        for key, value in source.items():
            text = "" if key in LABELS else plain(value)
            text = iso_day(text) if key == "date" else text
            if text and facts.setdefault(key, text) != text:
                repairs.count("fact_given_twice")
    return facts


def _number(ident: str, facts: dict[str, str]) -> dict[str, str]:
    """PMC's own collections have PMCIDs for ids, without the letters in front."""
    is_pmcid = ident.isdecimal() and plain_pmcid(facts.get("article-id_pmc", "")) == f"PMC{ident}"
    return NO_PMID if is_pmcid else {}


def _is_text(found: Document) -> bool:
    try:
        msgspec.json.encode(found)
    except UnicodeEncodeError:
        return False
    return True
