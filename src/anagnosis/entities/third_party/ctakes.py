"""cTAKES's output, as XMI or XCAS: the mentions, their UMLS concepts, and the text.

    <refsem:UmlsConcept xmi:id="10" cui="C9100001" preferredText="Heart attack"/>
    <textsem:DiseaseDisorderMention sofa="1" begin="26" end="38" ontologyConceptArr="10" polarity="1"/>
    <cas:Sofa xmi:id="1" sofaString="A 60-year-old woman …"/>

In XCAS elements have the full type as name, `_id` for xmi:id, and `_ref_ontologyConceptArr`, the identifier of a
uima.cas.FSArray. Offsets count UTF-16 units, as Java does; the file's text turns them into characters. A mention of
several concepts is an annotation for each. polarity −1 is negated. No real release was tried.

Source: test sample of the package umlsmatch; for XCAS the program of CliCR, which reads tokens alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents.formats.ctakes_xcas import element_kind, span_of
from anagnosis.documents.io.xml_stream import xml_root
from anagnosis.documents.offsets import characters_of
from anagnosis.entities.third_party import Annotation, Stream
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element

SUFFIXES = (".xmi", ".xml", ".xcas")
SCORE = ""
ORIGINS = (0,)

_ID = "{http://www.omg.org/XMI}id"
_XCAS_ID = "_id"
_MENTION = "Mention"


def sniff(head: bytes) -> bool:
    """Whether the root is an XMI document or a CAS."""
    return b"<xmi:XMI" in head[:1000] or b"<CAS" in head[:1000]


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Stream:
    """The annotations of the file's one text, and the text; "" where there are several.

    Counted: mention_without_concept. InputError: malformed XML, or a mention without the text of its offsets.
    """
    root = xml_root(stream, name)
    by_id = {ident: each for each in root if (ident := each.get(_ID) or each.get(_XCAS_ID))}
    texts = {
        ident: each.get("sofaString", "") for ident, each in by_id.items() if element_kind(each) == "Sofa"
    }
    places = {ident: characters_of(text) for ident, text in texts.items()}
    listed: list[Annotation] = []
    for each in root:
        kind = element_kind(each)
        if not kind.endswith(_MENTION):
            continue
        where = f"{name}:{each.sourceline}"
        sofa = each.get("sofa") or each.get("_ref_sofa") or ""
        if sofa not in texts:
            raise InputError(
                "a mention without its text (Sofa)", where, "write the text with the annotations"
            )
        start, end = span_of(each, places[sofa], name)
        concepts = {c.get("cui", ""): c.get("preferredText", "") for c in _concepts(each, by_id)}
        counts["mention_without_concept"] += not concepts
        listed += (
            Annotation(
                ((start, end),),
                texts[sofa][start:end],
                kind.removesuffix(_MENTION),
                cui,
                preferred,
                is_negated=each.get("polarity") == "-1",
                where=where,
            )
            for cui, preferred in (concepts or {"": ""}).items()
        )
    (text,) = texts.values() if len(texts) == 1 else ("",)
    yield "", listed, text


def _concepts(mention: _Element, by_id: dict[str, _Element]) -> Iterator[_Element]:
    array = by_id.get(mention.get("_ref_ontologyConceptArr", ""))
    names = (mention.get("ontologyConceptArr") or "").split()
    if array is not None:
        names += [(item.text or "").strip() for item in array]
    yield from (by_id[ident] for ident in names if ident in by_id)
