"""BioC JSON: the documents of BioC XML, in any of several wrappers.

    {"source": …, "documents": [DOCUMENT, …]}      a collection, or a list of them
    {"PubTator3": [DOCUMENT, …]}                   PubTator 3's API
    [DOCUMENT, …]   [[NOTICE, …], [DOCUMENT, …]]   a list; LitCovid's notice and list
    DOCUMENT                                       one document, or one a line

    DOCUMENT = {"id": "27000083", "passages": [{"infons": {"type": "title"}, "offset": 0, "text": "Aspirin …",
      "annotations": [{"infons": {"type": "Chemical", "identifier": "MESH:D001241"}, "text": "Aspirin",
        "locations": [{"offset": 0, "length": 7}]}]}], "relations": []}

An object without "passages" is counted as `not_a_document`. `conversion.py` converts a document.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

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
    """The documents of a collection."""

    documents: msgspec.Raw = msgspec.Raw()
    pubtator3: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="PubTator3")


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is BioC JSON."""
    is_json = head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"["))
    # BioASQ's questions have a list "documents" too.
    is_collection = b'"documents"' in head and b'"questions"' not in head
    return is_json and (is_collection or b'"passages"' in head or b'"PubTator3"' in head)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by the file.

    repairs: gets `not_a_document` for other values, and the refused documents by "name, document 3". TruncatedError:
    JSON breaks off, of which only whole lines give documents.
    """
    return until_malformed(_documents(stream, repairs, name), repairs)


def _documents(stream: BinaryIO, repairs: Repairs, name: str) -> Iterator[Document]:
    number = others = 0
    for value in _values(whole(stream, name), name):
        try:
            records = list(_records(value, 1))
        except JSON_FAULTS as fault:
            number += 1
            repairs.refuse(f"{name}, document {number}", f"not BioC JSON: {fault}")
            continue
        for raw in records:
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
            document = bioc.document(fields, repairs, where, f"{name}#{number}")
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


def _records(value: bytes, depth: int) -> Iterator[bytes]:
    """Each value inside a value that may be a document. One of JSON_FAULTS: a list or a collection is none."""
    begins = memoryview(value)[:1].tobytes()
    if begins == b"[" and depth < _DEEPEST:
        for each in msgspec.json.decode(value, type=list[msgspec.Raw]):
            yield from _records(each, depth + 1)
        return
    wrapper = msgspec.json.decode(value, type=_Wrapper) if begins == b"{" else _Wrapper()
    lists = [
        bytes(one) for one in (wrapper.documents, wrapper.pubtator3) if bytes(memoryview(one)[:1]) == b"["
    ]
    if not lists:
        yield value
    for each in lists:
        yield from _records(each, depth)
