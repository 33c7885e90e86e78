"""The MEDLINE text that PubMed exports (.nbib, "PubMed format"): a tag of up to four letters, a hyphen, the value.

    PMID- 27000083
    TI  - Does aspirin prevent stroke? A trial with a title so long that it goes on in
          the next line, behind six blanks.
    AB  - METHODS: We asked 20 people. RESULTS: Ten answered.

A blank line ends a record; so does a second PMID. The document has the sections and facts of `medline/citation.py`. We
find labels in the running text (`text.py`); the format lacks classes of labels and identifiers of MeSH
headings. The tags are those of PubMed's help, "PubMed format field descriptions".

Reading has two steps, as for MEDLINE XML: `blocks` cuts a stream between records, `documents` reads one block.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from anagnosis.documents.document import Document
from anagnosis.documents.formats.nbib import bibliography as nbib_bibliography
from anagnosis.documents.formats.nbib import record as nbib_record
from anagnosis.documents.formats.nbib.record import TAGS, Field
from anagnosis.documents.formats.nbib.writing import write
from anagnosis.documents.io.blocks import BLOCK, Block, cut
from anagnosis.documents.io.malformed import FETCH_AGAIN, empty_file, ends_inside_line
from anagnosis.documents.io.xml_prolog import BOM
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text import tidied
from anagnosis.errors import InputError, TruncatedError

__all__ = ["BLOCK", "SUFFIXES", "Block", "blocks", "documents", "read", "read_texts", "sniff", "write"]

SUFFIXES = (".nbib",)

_FIELD = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}- ?(.*)", re.DOTALL)
_FIRST = re.compile(rb"([A-Z][A-Z0-9]{1,3}) {0,2}-")
_PMID = b"PMID-"
_SOURCE = b"\nSO  -"


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is MEDLINE text."""
    first = _FIRST.match(head.removeprefix(BOM).lstrip())
    return first is not None and first[1].decode() in TAGS


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by a block.

    repairs: gets the names of `documents` and `bibliography.document`, and the refused records by "name:line".
    """
    for block in blocks(stream, name):
        yield from _documents(block, repairs, nbib_bibliography.document)


def read_texts(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The same documents as from `documents`, without the facts of `bibliography`."""
    for block in blocks(stream, name):
        yield from documents(block, repairs)


def blocks(stream: BinaryIO, name: str = "", size: int = BLOCK) -> Iterator[Block]:
    """Cut a stream between records into blocks of about `size` bytes; the cuts depend on the bytes alone.

    Raises TruncatedError after the last block if the stream breaks off or the last record is incomplete.
    """
    last, has_source = None, False
    for block in cut(
        stream,
        name,
        size,
        end_of_last=_end_of_last,
        refuse_other=lambda head, is_all: _refuse_other_text(head, name, is_all=is_all),
        what="MEDLINE text",
    ):
        # A break can remove the source of the last record only.
        has_source = has_source or (last is not None and _SOURCE in last.data)
        last = block
        yield block
    if last is not None and _breaks_off(last.data, has_source=has_source):
        line = last.line + last.data.count(b"\n")
        raise TruncatedError("the file ends inside a record", f"{name}:{line}", FETCH_AGAIN)


def documents(block: Block, repairs: Repairs) -> Iterator[Document]:
    """The documents of a block, without the facts of `bibliography`.

    A record that is not UTF-8 or has no PMID is refused by its line. Counted: windows_line_end, nul_character,
    line_unreadable, and the names of `record.document`.
    """
    return _documents(block, repairs, nbib_record.document)


def _documents(
    block: Block, repairs: Repairs, document_of: Callable[[list[Field], Repairs, str], Document | None]
) -> Iterator[Document]:
    for line, record in _records(block):
        try:
            text = record.decode()
        except UnicodeDecodeError as fault:
            bad = line + record.count(b"\n", 0, fault.start)
            repairs.refuse(f"{block.name}:{bad}", "not UTF-8; name its encoding with --encoding")
            continue
        repairs.count("nul_character", text.count("\0"))
        fields = _fields(text.replace("\0", " "), line, block.name, repairs)
        document = document_of(fields, repairs, f"{block.name}:{line}") if fields else None
        if document is not None:
            yield document


def _records(block: Block) -> Iterator[tuple[int, bytes]]:
    """(line, bytes) of each record: from a non-empty line to an empty one, or to a second PMID."""
    lines: list[bytes] = []
    begins, has_pmid = 0, False
    for number, row in enumerate(block.data.removeprefix(BOM).split(b"\n"), block.line):
        is_pmid, is_empty = row.startswith(_PMID), row in (b"", b"\r")
        if lines and (is_empty or (is_pmid and has_pmid)):
            yield begins, b"\n".join(lines)
            lines, has_pmid = [], False
        if not is_empty:
            begins = begins if lines else number
            lines.append(row)
            has_pmid = has_pmid or is_pmid
    if lines:
        yield begins, b"\n".join(lines)


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


def _end_of_last(data: bytes) -> int:
    """Where the last record begins, which may continue behind these bytes: after an empty line, or at a second PMID."""
    end = max(data.rfind(b"\n\n") + 2, data.rfind(b"\n\r\n") + 3)
    end = end if end > 2 else 0
    last = data.rfind(b"\n" + _PMID, end) + 1
    first = end if data.startswith(_PMID, end) else data.find(b"\n" + _PMID, end) + 1
    return last if last > first else end


def _breaks_off(data: bytes, *, has_source: bool) -> bool:
    """Whether the last line shows that the text breaks off, since MEDLINE text has no end tag.

    Signs: a line that is no field and continues none, half a character, and a record without the source that PubMed
    puts last if an earlier record has one. has_source: an earlier block has one.
    """
    last = max(data.rfind(b"\n" + _PMID, 0, data.rfind(b"\n")), 0)
    lacks_source = (has_source or _SOURCE in data[:last]) and _SOURCE not in data[last:]
    return ends_inside_line(
        data, lambda line: lacks_source or not (line.startswith(" ") or _FIELD.fullmatch(line))
    )


def _refuse_other_text(head: bytes, name: str, *, is_all: bool) -> None:
    """Raise an error if the first bytes cannot be MEDLINE text."""
    if not head.strip():
        if is_all:
            raise empty_file(name)
    elif not sniff(head):
        raise InputError(
            "no line like `PMID- 27000083`: not MEDLINE text",
            f"{name}:1",
            "check the format, or name it with --format",
        )
