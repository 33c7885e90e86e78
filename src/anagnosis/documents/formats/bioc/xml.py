"""BioC XML: a collection of documents of passages with annotations, read one document at a time.

    <collection><document><id>27000083</id>
      <passage><infon key="type">title</infon><offset>0</offset><text>Aspirin and stroke.</text>
        <annotation id="0"><infon key="type">Chemical</infon><infon key="MESH">D001241</infon>
          <location offset="0" length="7"/><text>Aspirin</text></annotation></passage></document></collection>

`mentions.py` defines the structure of a document, `conversion.py` converts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from anagnosis.documents.document import Document
from anagnosis.documents.formats.bioc import conversion as bioc
from anagnosis.documents.io.malformed import until_malformed
from anagnosis.documents.io.xml_stream import elements, root_of
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
_LISTS = frozenset((*_RECORDS.values(), "locations", "infons"))  # of BioC JSON, and no elements


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is BioC XML."""
    return root_of(head) in ("collection", "document")


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by one document; errors as of `until_malformed`."""
    return until_malformed(_documents(stream, repairs, name), repairs)


def _documents(stream: BinaryIO, repairs: Repairs, name: str) -> Iterator[Document]:
    found = elements(stream, ("document",), name, repairs, ("collection",))
    for number, (where, element) in enumerate(found, 1):
        document = bioc.document(_fields(element), repairs, where, f"{name}#{number}")
        if document is not None:
            yield document


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
