"""BioC XML: a collection of documents of passages with annotations, read one document at a time.

    <collection><document><id>27000083</id>
      <passage><infon key="type">title</infon><offset>0</offset><text>Aspirin and stroke.</text>
        <annotation id="0"><infon key="type">Chemical</infon><infon key="MESH">D001241</infon>
          <location offset="0" length="7"/><text>Aspirin</text></annotation></passage></document></collection>

`record.py` defines the structure of a document, `conversion.py` converts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from anagnosis.documents.document import Document
from anagnosis.documents.formats.bioc import conversion as bioc
from anagnosis.documents.io.malformed import MalformedError, until_malformed
from anagnosis.documents.io.xml_prolog import read_prolog
from anagnosis.documents.io.xml_stream import elements, undefined_entity
from anagnosis.documents.repairs import Repairs

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


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is BioC XML."""
    return read_prolog(head).root in ("collection", "document")


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by one document.

    repairs: gets the names of `conversion.document`, and the refused documents by "name:line". TruncatedError, with
    its line: XML breaks off; the documents before the break come first.
    """
    return until_malformed(_documents(stream, repairs, name), repairs)


def _documents(stream: BinaryIO, repairs: Repairs, name: str) -> Iterator[Document]:
    number = 0
    collected = False
    collection: dict[str, str] = {}
    for element in elements(stream, ("document", "collection"), name, repairs):
        if element.tag == "collection":
            collected = True
            collection = {}
            continue
        number += 1
        where = f"{name}:{element.sourceline}"
        entity = undefined_entity(element)
        if entity:
            repairs.refuse(where, f"document {number}: the entity {entity} is not defined")
            continue
        # The elements in front of the first document are freed when the next one is read.
        collection |= _of_collection(element, repairs)
        document = bioc.document(_fields(element), repairs, where, f"{name}#{number}", collection)
        if document is not None:
            yield document
    if not number and not collected:
        raise MalformedError(
            "no BioC <collection> or <document> in this XML",
            name,
            "check the format, or name it with --format",
        )


def _of_collection(document: _Element, repairs: Repairs) -> dict[str, str]:
    """The collection's fields directly in front of this document. Counted: collection_infon_left_out."""
    fields: dict[str, str] = {}
    for element in document.itersiblings(preceding=True):
        name = str(element.tag)
        if name in bioc.COLLECTION:
            fields[name] = _text(element)
        elif name == "infon":
            repairs.count("collection_infon_left_out")
    return fields


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


def _text(element: _Element) -> str:
    """All characters of an element, without markup inside it (which BioC does not allow)."""
    return "".join(str(part) for part in element.itertext()) if len(element) else element.text or ""
