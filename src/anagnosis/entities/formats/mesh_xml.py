"""MeSH in XML: descriptors (desc2025.xml) and supplementary records (supp2025.xml).

    <DescriptorRecord><DescriptorUI>D009203</DescriptorUI><DescriptorName><String>…</String></DescriptorName>
      <TreeNumberList/> <ConceptList><Concept PreferredConceptYN="Y"> … <TermList><Term>

Terms of another than the preferred concept are narrower, broader or related names by its relation (NRW, BRD, REL).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents.io.xml_stream import elements
from anagnosis.entities.concepts import Synonym, Term
from anagnosis.entities.formats.mesh_categories import RECORD_CLASSES, categories
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element

SUFFIXES = (".xml",)
# Record → the elements with its identifier and its name.
_RECORDS = {
    "DescriptorRecord": ("DescriptorUI", "DescriptorName/String"),
    "SupplementalRecord": ("SupplementalRecordUI", "SupplementalRecordName/String"),
}
# Relation of a concept to the preferred one → the rules that leave out its names.
_RULES = {"NRW": (), "BRD": ("broad_scope",)}


def sniff(head: bytes) -> bool:
    """Whether the text has a root element of MeSH's."""
    return re.search(rb"<(?:DescriptorRecordSet|SupplementalRecordSet)[\s>]", head) is not None


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Iterator[Term]:
    """The term of each record. InputError: malformed XML, declared entities, a record without identifier."""
    for where, record in elements(stream, tuple(_RECORDS), name):
        tag = str(record.tag)
        ui, heading = _RECORDS[tag]
        identifier = (record.findtext(ui) or "").strip()
        if not identifier:
            raise InputError(f"a <{tag}> without <{ui}>", where, "check the file")
        preferred = (record.findtext(heading) or "").strip()
        numbers = [number.text or "" for number in record.iterfind("TreeNumberList/TreeNumber")]
        mapped = [
            (ui.text or "").strip().lstrip("*")
            for ui in record.iterfind("HeadingMappedToList/HeadingMappedTo/DescriptorReferredTo/DescriptorUI")
        ]
        by_class = RECORD_CLASSES.get(record.get("SCRClass", ""))
        yield Term(
            identifier,
            preferred,
            tuple(s for s in _synonyms(record) if s.text and s.text != preferred),
            categories(numbers) or ((by_class,) if by_class else ()),
            mapped_to=tuple(mapped),
            tree_numbers=tuple(numbers),
        )


def _synonyms(record: _Element) -> Iterator[Synonym]:
    for concept in record.iterfind("ConceptList/Concept"):
        rules: tuple[str, ...] = ()
        if concept.get("PreferredConceptYN") == "N":
            relation = concept.find("ConceptRelationList/ConceptRelation")
            name = "" if relation is None else relation.get("RelationName", "")
            rules = _RULES.get(name, ("related_scope",))
        for term in concept.iterfind("TermList/Term"):
            yield Synonym((term.findtext("String") or "").strip(), rules)
