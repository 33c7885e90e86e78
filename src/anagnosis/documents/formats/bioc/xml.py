"""BioC XML: a collection of documents of passages with annotations, read one document at a time.

    <collection><document><id>27000083</id>
      <passage><infon key="type">title</infon><offset>0</offset><text>Aspirin and stroke.</text>
        <annotation id="0"><infon key="type">Chemical</infon><infon key="MESH">D001241</infon>
          <location offset="0" length="7"/><text>Aspirin</text></annotation></passage></document></collection>

`mentions.py` defines the structure of a document, `conversion.py` converts it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from anagnosis.documents.document import Document
from anagnosis.documents.formats.bioc import conversion as bioc
from anagnosis.documents.io.malformed import until_malformed
from anagnosis.documents.io.xml_stream import NOT_XML, elements, root_of
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element

SUFFIXES = (".xml", ".XML", ".bioc")

# Children that repeat → their list in BioC JSON.
_RECORDS = {
    "passage": "passages",
    "sentence": "sentences",
    "annotation": "annotations",
    "relation": "relations",
}
_LISTS = frozenset((*_RECORDS.values(), "locations", "infons"))  # of BioC JSON, and no elements
_BEGIN = b'<?xml version="1.0" encoding="utf-8"?>\n<collection><source></source><date></date><key></key>\n'


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is BioC XML."""
    return root_of(head) in ("collection", "document")


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by one document; errors as of `until_malformed`."""
    return until_malformed(_documents(stream, repairs, name), repairs)


def write(documents: Iterable[Document], stream: BinaryIO) -> dict[str, int]:
    """Write documents as a collection in XML, one a line. InputError: an id that BioC cannot express.

    A section is a passage with the infons type (its label), section_heading (its title, the first line of the text) and
    section_category. A mention is an annotation of its passage, or of the document where it crosses the border of two.
    Facts are infons of the document. Offsets count characters of `Document.text`. Counted: relation (left out),
    character_replaced (by a blank, since XML does not allow it).
    """
    import lxml.etree as etree

    losses: Counter[str] = Counter()
    stream.write(_BEGIN)
    for document in documents:
        if document.id.strip() != document.id or not document.id or NOT_XML.search(document.id):
            what = "BioC cannot hold this document id"
            raise InputError(what, repr(document.id), "give the document a plain id")
        stream.write(etree.tostring(_written(document, losses), encoding="utf-8") + b"\n")
    stream.write(b"</collection>\n")
    return dict(+losses)


def _written(document: Document, losses: Counter[str]) -> _Element:
    import lxml.etree as etree

    def allowed(text: str) -> str:
        plain, replaced = NOT_XML.subn(" ", text)
        losses["character_replaced"] += replaced
        return plain

    def add(parent: _Element, name: str, text: str, **attributes: str) -> None:
        etree.SubElement(parent, name, attributes).text = allowed(text)

    losses["relation"] += len(document.relations)
    root, starts = etree.Element("document"), [0]
    passages: list[_Element] = []
    add(root, "id", document.id)
    for key, fact in document.facts.items():
        add(root, "infon", fact, key=allowed(key))
    for section in document.sections:
        passages.append(etree.SubElement(root, "passage"))
        infons = {"type": section.label, bioc.HEADING: section.title, bioc.CATEGORY: section.category}
        for key, value in infons.items():
            if value:
                add(passages[-1], "infon", value, key=key)
        text = f"{section.title}\n{section.text}" if section.title else section.text
        add(passages[-1], "offset", str(starts[-1]))
        add(passages[-1], "text", text)
        starts.append(starts[-1] + len(text) + 1)
    for number, mention in enumerate(document.mentions):
        place = bisect_right(starts, mention.start) - 1
        is_inside = 0 <= place < len(passages) and mention.end < starts[place + 1]
        annotation = etree.SubElement(passages[place] if is_inside else root, "annotation", id=str(number))
        for key in ("type", "identifier", "name"):
            if value := getattr(mention, key):
                add(annotation, "infon", value, key=key)
        for start, end in mention.spans:
            etree.SubElement(annotation, "location", offset=str(start), length=str(end - start))
        add(annotation, "text", mention.text)
    return root


def _documents(stream: BinaryIO, repairs: Repairs, name: str) -> Iterator[Document]:
    parent, collection = None, dict[str, str]()
    for number, (where, element) in enumerate(
        elements(stream, ("document",), name, repairs, ("collection",)), 1
    ):
        if element.getparent() is not parent:
            parent, collection = element.getparent(), {}
        # The elements in front of the first document are freed when the next one is read.
        collection |= _of_collection(element)
        document = bioc.document(_fields(element), repairs, where, f"{name}#{number}", collection)
        if document is not None:
            yield document


def _of_collection(document: _Element) -> dict[str, str]:
    """The collection's fields directly in front of this document."""
    before = document.itersiblings(preceding=True)
    return {name: _text(element) for element in before if (name := str(element.tag)) in bioc.COLLECTION}


def _fields(element: _Element) -> dict[str, Any]:
    """An element as the same element in BioC JSON."""
    infons: dict[str, list[str]] = {}
    fields: dict[str, Any] = {}
    if "id" in element.attrib:
        fields["id"] = element.get("id")
    for child in element:
        tag = str(child.tag)
        if tag == "infon":
            infons.setdefault(str(child.get("key", "")), []).append(_text(child))
        elif tag in _RECORDS:
            fields.setdefault(_RECORDS[tag], []).append(_fields(child))
        elif tag == "location":
            fields.setdefault("locations", []).append(dict(child.attrib))
        elif tag not in _LISTS:
            fields[tag] = _text(child)
    return {"infons": {key: ";".join(values) for key, values in infons.items()}, **fields}


def _text(element: _Element) -> str:
    """All characters of an element, without markup inside it (which BioC does not allow)."""
    return "".join(str(part) for part in element.itertext()) if len(element) else element.text or ""
