"""Conversion of a BioC document, in the shape of BioC JSON, into a `Document`.

- A passage becomes a section; its label is its infon `section_type`, else `type`, else `section`, in lower case. Two
  passages without any label are title and abstract (counted), as in PubTator text.
- An annotation becomes a mention if its text stands at its offsets (`mentions.py`); its infons give the identifier, and
  `name` the preferred name of its concept, as in PubTator 3.
- Facts are the document's fields and infons, then the infons of its title passages; the first value counts. Those of
  authors ("Liu WH, Guo SN, "), place and identifiers become the facts of other formats. Of a time in `date` the day is
  kept. id_of is "other" if the id is the number of a PMCID.

Left out: further infons, ids of annotations, and relations (counted).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import listed_people
from anagnosis.documents.dates import iso_day
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.bioc.mentions import (
    Passage,
    Record,
    mentions,
    plain,
    texts,
)
from anagnosis.documents.identifiers import NO_PMID, bare_doi, plain_pmcid, plain_pmid
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import with_states

LABELS = ("section_type", "type", "section")
_NO_FACTS = frozenset(LABELS)
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
) -> Document | None:
    """The document that these fields describe, None if it is refused.

    fields: in the shape of BioC JSON. default_id: for a document without id.
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
    each_text, segments = texts(passages, repairs)
    facts = _facts(fields, passages, labels, repairs)
    # An id that is a PMCID without its letters, as in PMC's collections.
    is_pmcid = ident.isdecimal() and plain_pmcid(facts.get("article-id_pmc", "")) == f"PMC{ident}"
    sections = tuple(map(Section, labels, each_text))
    title = next((section.text for section in sections if section.label == "title"), "")
    facts = {**with_states(facts, title), **(NO_PMID if is_pmcid else {})}
    repairs.count("relations_left_out", sum(len(part.relations or ()) for part in record.each()))
    return Document(ident, sections, mentions(record, each_text, segments, repairs), facts=facts)


def label(infons: Mapping[str, Any]) -> str:
    """The label of a passage in lower case: "title", "abstract", or the source's word; "" without label."""
    return next((word for key in LABELS if (word := plain(infons.get(key)).strip().lower())), "")


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
    """The facts in a document's infons, in their order; those that we make of others come last."""
    facts = dict(infons)
    for key, (name, normal) in _IDENTIFIERS.items():
        if found := normal(facts.get(key, "")):
            facts.setdefault(name, found)
    of_place = bibliography.place(facts, repairs)
    facts = {key: fact for key, fact in facts.items() if key not in bibliography.PLACE or key in of_place}
    authors = bibliography.join_values(listed_people(infons.get("authors", "")), repairs, "author")
    return {**facts, **of_place, **({"authors": authors} if authors else {})}
