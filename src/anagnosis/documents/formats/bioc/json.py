"""BioC JSON: the documents of BioC XML, in any of several wrappers.

    {"source": …, "documents": [DOCUMENT, …]}      a collection
    {"PubTator3": [DOCUMENT, …]}                   PubTator 3's API
    [DOCUMENT, …]   [[NOTICE, …], [DOCUMENT, …]]   a list; LitCovid's notice and list
    DOCUMENT                                       one document
    DOCUMENT ⏎ DOCUMENT ⏎ …                        JSON lines

    DOCUMENT = {"id": "27000083", "passages": [{"infons": {"type": "title"}, "offset": 0, "text": "Aspirin …",
      "annotations": [{"infons": {"type": "Chemical", "identifier": "MESH:D001241"}, "text": "Aspirin",
        "locations": [{"offset": 0, "length": 7}]}]}], "relations": []}

An object is a document when it has "passages", a wrapper when it has a list "documents" or "PubTator3";
anything else is counted as `not_a_document`. Wrappers may be nested. `conversion.py` converts a document and back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import msgspec

from anagnosis.documents.document import Document
from anagnosis.documents.formats.bioc import conversion as bioc
from anagnosis.documents.io.json_stream import LONGEST_VALUE, JsonText
from anagnosis.documents.io.malformed import empty_file, until_malformed
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

SUFFIXES = (".json", ".jsonl", ".ndjson")

_Item = tuple[int, dict[str, Any], dict[str, Any]]
"""The line of a document, its fields, and the fields of the collection around it."""
_WRAPPERS = ("documents", "PubTator3")
_DEEPEST = 4


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is BioC JSON."""
    if not head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"[")):
        return False
    # BioASQ's questions have a list "documents" too.
    return (
        b'"passages"' in head
        or b'"PubTator3"' in head
        or (b'"documents"' in head and b'"questions"' not in head)
    )


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by one document.

    repairs: gets the names of `conversion.document`, `not_a_document` for other values, and the refused documents
    by "name:line". TruncatedError, with its line: JSON breaks off; the documents before the break come first.
    """
    return until_malformed(_documents(stream, repairs, name), repairs)


def write(documents: Iterable[Document], stream: BinaryIO) -> dict[str, int]:
    """Write documents as a collection in JSON, one a line; returns counts of what BioC cannot express.

    Counted as in `count_losses`; "document": one with half of a surrogate pair, which JSON cannot express. InputError:
    an id that BioC cannot express.
    """
    losses: Counter[str] = Counter()
    stream.write(b'{"source": "", "date": "", "key": "", "documents": [')
    behind = b"\n"
    for document in documents:
        fields = bioc.fields(document)
        try:
            line = msgspec.json.encode(fields)
        except UnicodeEncodeError:
            losses["document"] += 1
            continue
        bioc.count_unwritten(document, fields, losses)
        stream.write(behind + line)
        behind = b",\n"
    stream.write(b"\n]}\n")
    return dict(losses)


def _documents(stream: BinaryIO, repairs: Repairs, name: str) -> Iterator[Document]:
    text = JsonText(stream, name)
    if not text.peek():
        raise empty_file(name)
    number = 0
    others = repairs.counts["not_a_document"]
    while text.peek():
        for line, raw, collection in _records(text, repairs, 1):
            number += 1
            document = bioc.document(raw, repairs, f"{name}:{line}", f"{name}#{number}", collection)
            repairs.count("repeated_key", text.repeated)
            text.repeated = 0
            if document is not None:
                yield document
    if not number and repairs.counts["not_a_document"] > others:
        raise InputError(
            'no object with "passages": not BioC JSON', name, "check the format, or name it with --format"
        )


def _records(text: JsonText, repairs: Repairs, depth: int) -> Iterator[_Item]:
    """Every document of the next value, itself or inside it."""
    if depth > _DEEPEST:
        raise text.fault(f"lists in lists, more than {_DEEPEST} deep")
    if text.take("["):
        yield from _items(text, repairs, depth)
    elif text.peek() == "{":
        yield from _object(text, repairs, depth)
    else:
        text.value()
        repairs.count("not_a_document")


def _items(text: JsonText, repairs: Repairs, depth: int) -> Iterator[_Item]:
    if text.take("]"):
        return
    while True:
        yield from _records(text, repairs, depth + 1)
        if text.demand(",]", "a comma or the list's end") == "]":
            return


def _object(text: JsonText, repairs: Repairs, depth: int) -> Iterator[_Item]:
    line, start = text.line, text.passed
    fields: dict[str, Any] = {}
    wraps = False
    text.take("{")
    while not text.take("}"):
        if text.peek() != '"':
            raise text.fault("a name in double quotes expected")
        key = text.value()
        text.demand(":", "a colon")
        if key in _WRAPPERS and text.take("["):
            wraps = True
            collection = {name: fields.pop(name) for name in bioc.COLLECTION if name in fields}
            for line_of_it, raw, inner in _items(text, repairs, depth):
                yield line_of_it, raw, {**collection, **inner}
        else:
            text.repeated += key in fields
            fields[key] = text.value()
            if not wraps and text.passed - start > LONGEST_VALUE:
                raise text.fault(f"a document longer than {LONGEST_VALUE >> 20} MiB")
        if text.demand(",}", "a comma or the object's end") == "}":
            break
    if "passages" in fields:
        yield line, fields, {}
    elif not wraps:
        repairs.count("not_a_document")
