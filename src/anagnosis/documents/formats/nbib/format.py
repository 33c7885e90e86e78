"""The MEDLINE text that PubMed exports (.nbib, "PubMed format"): a tag of up to four letters, a hyphen, the value.

    PMID- 27000083
    TI  - Does aspirin prevent stroke? A trial with a title so long that it goes on in
          the next line, behind six blanks.
    AB  - METHODS: We asked 20 people. RESULTS: Ten answered.

A blank line ends a record; so does a second PMID. The document has the sections and facts of `medline/citation.py`. We
find labels in the running text (`text.py`); the format lacks classes of labels and identifiers of MeSH
headings. The tags are those of PubMed's help, "PubMed format field descriptions".
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from typing import BinaryIO

from anagnosis.documents.document import Document
from anagnosis.documents.formats.nbib import record as nbib_record
from anagnosis.documents.formats.nbib.record import TAGS, Field
from anagnosis.documents.io.malformed import FETCH_AGAIN, empty_file, ends_inside_line
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text import tidied
from anagnosis.errors import InputError, TruncatedError

SUFFIXES = (".nbib",)
LONGEST = 64 << 20  # bytes of a record

_FIELD = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}- ?(.*)", re.DOTALL)
_FIRST = re.compile(rb"([A-Z][A-Z0-9]{1,3}) {0,2}-")
_PMID = b"PMID-"
_SOURCE = b"\nSO  -"
_Document = Callable[[list[Field], Repairs, str], Document | None]


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is MEDLINE text."""
    first = _FIRST.match(head.removeprefix(BOM_UTF8).lstrip())
    return first is not None and first[1].decode() in TAGS


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by a record.

    repairs: gets the names of `record.document_with_bibliography`, windows_line_end, nul_character, line_unreadable,
    and by "name:line" the refused records, which are not UTF-8 or have no PMID. TruncatedError, after the documents:
    the stream breaks off or the last record is incomplete.
    """
    return _documents(stream, repairs, name, nbib_record.document_with_bibliography)


def read_texts(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream as from `read`, without the facts of `bibliography.py`."""
    return _documents(stream, repairs, name, nbib_record.document)


def _documents(stream: BinaryIO, repairs: Repairs, name: str, document_of: _Document) -> Iterator[Document]:
    for line, record in _records(stream, name):
        try:
            text = record.decode()
        except UnicodeDecodeError as fault:
            bad = line + record.count(b"\n", 0, fault.start)
            repairs.refuse(f"{name}:{bad}", "not UTF-8; name its encoding with --encoding")
            continue
        repairs.count("nul_character", text.count("\0"))
        fields = _fields(text.replace("\0", " "), line, name, repairs)
        document = document_of(fields, repairs, f"{name}:{line}") if fields else None
        if document is not None:
            yield document


def _records(stream: BinaryIO, name: str) -> Iterator[tuple[int, bytes]]:
    """(line, bytes) of each record: from a non-empty line to an empty one, or to a second PMID."""
    lines: list[bytes] = []
    number = begins = size = 0
    has_begun = has_pmid = has_source = False
    record = b""
    while row := stream.readline(LONGEST + 1):
        number += 1
        row = row.removeprefix(BOM_UTF8) if number == 1 else row
        if not has_begun and row.strip():
            has_begun = True
            _refuse_other_text(row, name)
        is_pmid, is_empty = row.startswith(_PMID), row.rstrip(b"\n") in (b"", b"\r")
        if lines and (is_empty or (is_pmid and has_pmid)):
            has_source = has_source or _SOURCE in record
            record = b"".join(lines)
            yield begins, record
            lines, size, has_pmid = [], 0, False
        if not is_empty:
            begins = begins if lines else number
            lines.append(row)
            size += len(row)
            has_pmid = has_pmid or is_pmid
        if size > LONGEST:
            what = f"a document longer than {LONGEST >> 20} MiB"
            raise InputError(what, f"{name}:{begins}", "split it, or check that this is MEDLINE text")
    if not has_begun:
        raise empty_file(name)
    if lines:
        has_source = has_source or _SOURCE in record
        record = b"".join(lines)
        yield begins, record
        if _breaks_off(record, has_source=has_source):
            raise TruncatedError("the file ends inside a record", f"{name}:{number}", FETCH_AGAIN)


def _fields(text: str, line: int, name: str, repairs: Repairs) -> list[Field]:
    """The fields of a record, each with its lines joined by blanks."""
    fields: list[tuple[str, list[str]]] = []
    repairs.count("windows_line_end", text.count("\r\n") + text.endswith("\r"))
    text = text.replace("\r\n", "\n").removesuffix("\r")
    for number, row in enumerate(text.split("\n"), line):
        if row.startswith(" ") and fields:
            fields[-1][1].append(row)
        elif field := _FIELD.fullmatch(row):
            fields.append((field[1], [field[2]]))
        elif row.strip():
            repairs.count("line_unreadable")
            repairs.note(f"{name}:{number}", "a line that is no field and continues none")
    return [Field(tag, tidied(" ".join(rows))) for tag, rows in fields]


def _breaks_off(record: bytes, *, has_source: bool) -> bool:
    """Whether the last line shows that the text breaks off, since MEDLINE text has no end tag.

    Signs: a line that is no field and continues none, half a character, and a record without the source that PubMed
    puts last if an earlier record has one. has_source: an earlier record has one.
    """
    lacks_source = has_source and _SOURCE not in record
    return ends_inside_line(
        record, lambda line: lacks_source or not (line.startswith(" ") or _FIELD.fullmatch(line))
    )


def _refuse_other_text(line: bytes, name: str) -> None:
    """Raise an error if the first line that is not blank cannot begin MEDLINE text."""
    if not sniff(line):
        raise InputError(
            "no line like `PMID- 27000083`: not MEDLINE text",
            f"{name}:1",
            "check the format, or name it with --format",
        )
