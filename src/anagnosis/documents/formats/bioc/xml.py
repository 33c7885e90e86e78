"""BioC XML: a collection of documents of passages with annotations, read one document at a time.

    <collection><document><id>27000083</id>
      <passage><infon key="type">title</infon><offset>0</offset><text>Aspirin and stroke.</text>
        <annotation id="0"><infon key="type">Chemical</infon><infon key="MESH">D001241</infon>
          <location offset="0" length="7"/><text>Aspirin</text></annotation></passage></document></collection>

`mentions.py` defines the structure of a document, `conversion.py` converts it and back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, cast

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
_ATTRIBUTES = {"location": "locations", "node": "nodes"}
_LISTED = {listed: name for name, listed in _RECORDS.items()}
_WITH_ID_ATTRIBUTE = frozenset(("annotation", "relation"))
_BEGIN = b'<?xml version="1.0" encoding="utf-8"?>\n<collection><source></source><date></date><key></key>\n'


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is BioC XML."""
    return root_of(head) in ("collection", "document")


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by one document.

    repairs: gets the names of `conversion.document`, and the refused documents by "name:line". TruncatedError, with
    its line: XML breaks off; the documents before the break come first.
    """
    return until_malformed(_documents(stream, repairs, name), repairs)


def write(documents: Iterable[Document], stream: BinaryIO) -> dict[str, int]:
    """Write documents as a collection in XML, one a line. InputError: an id that BioC cannot express.

    Characters that XML does not allow become blanks, each counted (character_replaced).
    """
    import lxml.etree as etree

    losses: Counter[str] = Counter()
    stream.write(_BEGIN)
    for document in documents:
        if NOT_XML.search(document.id):
            raise InputError("XML cannot hold this document id", repr(document.id), "give it a plain id")
        element = _element("document", bioc.fields(document), losses)
        stream.write(etree.tostring(element, encoding="utf-8") + b"\n")
    stream.write(b"</collection>\n")
    return dict(losses)


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
    infons: dict[str, str] = {}
    fields: dict[str, Any] = {"infons": infons}
    if "id" in element.attrib:
        fields["id"] = element.get("id")
    for child in element:
        tag = str(child.tag)
        if tag == "infon":
            key, value = str(child.get("key", "")), _text(child)
            infons[key] = f"{infons[key]};{value}" if key in infons else value
        elif tag in _RECORDS:
            fields.setdefault(_RECORDS[tag], []).append(_fields(child))
        elif tag in _ATTRIBUTES:
            fields.setdefault(_ATTRIBUTES[tag], []).append(dict(child.attrib))
        else:
            fields[tag] = _text(child)
    return fields


def _element(name: str, fields: Mapping[str, Any], losses: Counter[str]) -> _Element:
    """The element of an object of BioC JSON; the reverse of `_fields`."""
    import lxml.etree as etree

    def plain(text: str) -> str:
        plain, replaced = NOT_XML.subn(" ", text)
        losses.update({"character_replaced": replaced} if replaced else {})
        return plain

    element = etree.Element(name)
    if name in _WITH_ID_ATTRIBUTE:
        element.set("id", fields["id"])
    for key, value in fields.items():
        if key == "infons":
            for infon, words in value.items():
                etree.SubElement(element, "infon", key=plain(infon)).text = plain(words)
        elif key in _LISTED:
            element.extend([_element(_LISTED[key], each, losses) for each in value])
        elif isinstance(value, list):
            for each in cast("list[dict[str, Any]]", value):
                etree.SubElement(element, key.removesuffix("s"), {at: str(n) for at, n in each.items()})
        elif key != "id" or name not in _WITH_ID_ATTRIBUTE:
            etree.SubElement(element, key).text = plain(str(value))
    return element


def _text(element: _Element) -> str:
    """All characters of an element, without markup inside it (which BioC does not allow)."""
    return "".join(str(part) for part in element.itertext()) if len(element) else element.text or ""
