"""cTAKES's output as XMI: the mentions, their UMLS concepts, and the text.

    <refsem:UmlsConcept xmi:id="10" cui="C9100001" preferredText="Heart attack"/>
    <textsem:DiseaseDisorderMention sofa="1" begin="26" end="38" ontologyConceptArr="10" polarity="1"/>
    <cas:Sofa xmi:id="1" sofaString="A 60-year-old woman …"/>

Offsets count UTF-16 units, as Java does; the file's text turns them into characters. A mention of several concepts is
an annotation for each. polarity −1 is negated. No real release was tried.

Source: test sample of the package umlsmatch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents.io.malformed import MalformedError
from anagnosis.documents.io.xml_stream import elements
from anagnosis.documents.offsets import characters_of
from anagnosis.entities.third_party import Annotation, Stream
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element

SUFFIXES = (".xmi", ".xml")
ORIGINS = (0,)

_ID = "{http://www.omg.org/XMI}id"
_MENTION = "Mention"


def sniff(head: bytes) -> bool:
    """Whether the root is an XMI document."""
    return b"<xmi:XMI" in head[:1000]


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Stream:
    """The annotations of the file's one text, and the text; "" where there are several.

    Counted: mention_without_concept. InputError: malformed XML, or a mention without the text of its offsets.
    """
    for _, root in elements(stream, ("{*}XMI",), name):
        by_id = {ident: each for each in root if (ident := each.get(_ID))}
        texts = {ident: each.get("sofaString", "") for ident, each in by_id.items() if _kind(each) == "Sofa"}
        places = {ident: characters_of(text) for ident, text in texts.items()}
        listed: list[Annotation] = []
        for each in root:
            kind = _kind(each)
            if not kind.endswith(_MENTION):
                continue
            where = f"{name}:{each.sourceline}"
            sofa = each.get("sofa", "")
            if sofa not in texts:
                raise InputError(
                    "a mention without its text (Sofa)", where, "write the text with the annotations"
                )
            start, end = _span(each, places[sofa], where)
            named = [by_id[it] for it in each.get("ontologyConceptArr", "").split() if it in by_id]
            concepts = {c.get("cui", ""): c.get("preferredText", "") for c in named}
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


def _kind(element: _Element) -> str:
    """The last part of an element's type: "textsem:SignSymptomMention" is "SignSymptomMention"."""
    return str(element.tag).rpartition("}")[2].rpartition(".")[2]


def _span(element: _Element, places: Callable[[int], int], where: str) -> tuple[int, int]:
    """The begin and end of an annotation in characters. MalformedError: they are no offsets."""
    begin, end = element.get("begin", ""), element.get("end", "")
    if not (begin.isascii() and begin.isdigit() and end.isascii() and end.isdigit()) or len(begin + end) > 36:
        what = f"offsets {begin[:20]!r} and {end[:20]!r}"
        raise MalformedError(what, where, "write the text with the annotations")
    return places(int(begin)), places(int(end))
