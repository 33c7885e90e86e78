"""Plain text, a paper a file, for annotations that other programs keep beside it (brat, Knowtator, MetaMap, …).

The file's name without its ending is the id. Offsets of annotations count its characters, so the text stays as it is,
but for white space at its end. A first line with a blank line below it is the title.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import PurePath
from typing import BinaryIO

from anagnosis.documents.document import Document, Section
from anagnosis.documents.io.malformed import MalformedError, empty_file
from anagnosis.documents.repairs import Repairs
from anagnosis.io.compression import without_compression

SUFFIXES = (".txt",)
LONGEST = 64 << 20


def sniff(head: bytes) -> bool:
    """False: any bytes may be text, so the user names this format."""
    del head
    return False


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The file's one document. Refused: a file that is not UTF-8. MalformedError: an empty file, or over 64 MiB."""
    data = stream.read(LONGEST + 1)
    if not data.strip():
        raise empty_file(name)
    if len(data) > LONGEST:
        raise MalformedError("a text longer than 64 MiB", name, "give a file for each paper")
    data = data.removeprefix(BOM_UTF8)
    try:
        text = data.decode().rstrip()
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        repairs.refuse(f"{name}:{line}", "not UTF-8")
        return
    ident = PurePath(without_compression(name)).name.removesuffix(".txt") or name
    first, newline, rest = text.partition("\n")
    is_title = bool(newline) and rest.split("\n", 1)[0].strip() == "" and first.strip() != ""
    sections = (Section("title", first), Section("body", rest)) if is_title else (Section("body", text),)
    yield Document(ident, sections)
