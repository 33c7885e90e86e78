"""BioC JSON: the documents of BioC XML, in any of several wrappers.

    {"source": …, "documents": [DOCUMENT, …]}      a collection, or a list of them
    {"PubTator3": [DOCUMENT, …]}                   PubTator 3's API
    [DOCUMENT, …]   [[NOTICE, …], [DOCUMENT, …]]   a list; LitCovid's notice and list
    DOCUMENT                                       one document, or one a line

    DOCUMENT = {"id": "27000083", "passages": [{"infons": {"type": "title"}, "offset": 0, "text": "Aspirin …",
      "annotations": [{"infons": {"type": "Chemical", "identifier": "MESH:D001241"}, "text": "Aspirin",
        "locations": [{"offset": 0, "length": 7}]}]}], "relations": []}

An object without "passages" is counted as `not_a_document`. `conversion.py` converts a document and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import msgspec

from anagnosis.documents.document import Document
from anagnosis.documents.formats.bioc import conversion as bioc
from anagnosis.documents.io.malformed import MalformedError, until_malformed
from anagnosis.documents.io.whole import JSON_FAULTS, decoded_json, strict_json, whole
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

SUFFIXES = (".json", ".jsonl", ".ndjson")
_DEEPEST = 4  # lists in lists


class _Wrapper(msgspec.Struct):
    """A collection."""

    source: Any = None
    date: Any = None
    key: Any = None
    documents: msgspec.Raw = msgspec.Raw()
    pubtator3: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="PubTator3")


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is BioC JSON."""
    is_json = head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"["))
    # BioASQ's questions have a list "documents" too.
    is_collection = b'"documents"' in head and b'"questions"' not in head
    return is_json and (is_collection or b'"passages"' in head or b'"PubTator3"' in head)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by the file, or by a line of one document a line.

    repairs: gets the names of `conversion.document`, `not_a_document` for other values, and the refused documents
    by "name, document 3". TruncatedError: JSON breaks off, of which only whole lines give documents.
    """
    return until_malformed(_documents(stream, repairs, name), repairs)


def write(documents: Iterable[Document], stream: BinaryIO) -> dict[str, int]:
    """Write documents as a collection in JSON, one a line; returns counts of what BioC cannot express.

    "document": one with half of a surrogate pair. InputError: an id that BioC cannot express.
    """
    lost = 0
    stream.write(b'{"source": "", "date": "", "key": "", "documents": [')
    behind = b"\n"
    for document in documents:
        try:
            stream.write(behind + msgspec.json.encode(bioc.fields(document)))
            behind = b",\n"
        except UnicodeEncodeError:
            lost += 1
    stream.write(b"\n]}\n")
    return {"document": lost} if lost else {}


def _documents(stream: BinaryIO, repairs: Repairs, name: str) -> Iterator[Document]:
    number = others = 0
    for value in _values(whole(stream, name), name):
        for raw, collection in _records(value, {}, 1):
            number += 1
            where = f"{name}, document {number}"
            try:
                fields = strict_json(raw)
            except JSON_FAULTS as fault:
                repairs.refuse(where, f"not a BioC document: {fault}")
                continue
            if not isinstance(fields, dict) or "passages" not in fields:
                others += 1
                repairs.count("not_a_document")
                continue
            document = bioc.document(fields, repairs, where, f"{name}#{number}", collection)
            if document is not None:
                yield document
    if number == others > 0:
        what = 'no object with "passages": not BioC JSON'
        raise InputError(what, name, "check the format, or name it with --format")


def _values(data: bytes, name: str) -> Iterator[bytes]:
    """The value of a file, or those of its lines."""
    try:
        yield decoded_json(data, name, msgspec.Raw)
    except MalformedError as fault:
        if "trailing" not in fault.what:
            raise
        for number, line in enumerate(data.splitlines(), 1):
            if line.strip():
                yield decoded_json(line, f"{name}:{number}", msgspec.Raw)


def _records(value: bytes, collection: dict[str, Any], depth: int) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """(a value that may be a document, the fields of the collection around it) of each inside a value."""
    begins = memoryview(value)[:1].tobytes()
    if begins == b"[" and depth < _DEEPEST:
        for each in msgspec.json.decode(value, type=list[msgspec.Raw]):
            yield from _records(each, collection, depth + 1)
        return
    wrapper = msgspec.json.decode(value, type=_Wrapper) if begins == b"{" else _Wrapper()
    given = {name: found for name in bioc.COLLECTION if (found := getattr(wrapper, name)) is not None}
    lists = [one for one in (wrapper.documents, wrapper.pubtator3) if memoryview(one)[:1].tobytes() == b"["]
    for each in lists:
        yield from _records(each, collection | given, depth)
    if not lists:
        yield value, collection
