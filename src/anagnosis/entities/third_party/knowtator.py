"""Knowtator's XML, versions 1 and 2, the format of the CRAFT corpus.

    <annotations textSource="1.txt"><annotation><mention id="i1"/><span start="6" end="14"/>           version 1
      <spannedText>platelet</spannedText></annotation>
      <classMention id="i1"><mentionClass id="CL:0000233">platelet</mentionClass></classMention></annotations>
    <knowtator-project><document id="1"><annotation><class id="http://…/obo/MONDO_0000490" label="x"/>    version 2
      <span start="6" end="14">platelet</span></annotation></document></knowtator-project>

The type of an annotation is the prefix of its class ("CL"). Source: files of CRAFT 5.0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents.io.xml_stream import elements
from anagnosis.entities.third_party import Annotation, Stream, whole_number

if TYPE_CHECKING:
    from lxml.etree import _Element

SUFFIXES = (".knowtator.xml", ".xml")
ORIGINS = (0,)


def sniff(head: bytes) -> bool:
    """Whether the root is Knowtator's."""
    return b"<knowtator-project" in head[:1000] or b"<annotations textSource" in head[:1000]


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Stream:
    """Each document's annotations. Counted: annotation_without_class, annotation_without_span (both left out)."""
    for _, document in elements(stream, ("annotations", "document"), name):
        classes = {each.get("id"): each.find("mentionClass") for each in document.iterfind("classMention")}
        ident = (document.get("textSource") or document.get("id") or "").removesuffix(".txt")
        yield ident, list(_annotations(document.iterfind("annotation"), classes, counts, name))


def _annotations(
    annotations: Iterable[_Element],
    classes: dict[str | None, _Element | None],
    counts: Counter[str],
    name: str,
) -> Iterator[Annotation]:
    for each in annotations:
        mention = each.find("mention")
        its_class = each.find("class") if mention is None else classes.get(mention.get("id"))
        if its_class is None:
            counts["annotation_without_class"] += 1
            continue
        identifier = (its_class.get("id") or "").rpartition("/")[2]
        if mention is None:
            identifier = identifier.replace("_", ":", 1)
        where = f"{name}:{each.sourceline}"
        places = each.findall("span")
        if not places:
            counts["annotation_without_span"] += 1
            continue
        spans = tuple(
            (whole_number(place.get("start"), where, "start"), whole_number(place.get("end"), where, "end"))
            for place in places
        )
        text = each.findtext("spannedText") or " ".join(place.text or "" for place in places)
        name = (its_class.text or "").strip() or (its_class.get("label") or "").strip("'")
        yield Annotation(spans, text, identifier.partition(":")[0], identifier, name, where=where)
