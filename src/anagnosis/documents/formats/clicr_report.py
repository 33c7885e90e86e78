"""NAME.full.struct.tok, what CliCR's program reads: a tokenised case report, one sentence a line.

    Fever after surgery
    A 54 - year - old man had fever .
    Learning points
    Fever needs cultures .

The first line is the title. A line that begins with "Learning point", in any case, is the heading of the section that
the queries are made of. Entities are in CLAMP's file beside it, NAME.full.struct.tok.txt, which
`annotate --format clicr-report --from clamp` joins; its offsets count the characters of this file, so all of them stay.

Source: the program of CliCR (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import BinaryIO

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.text import decoded, whole_file
from anagnosis.documents.repairs import Repairs
from anagnosis.io.compression import without_compression

SUFFIXES = (".full.struct.tok",)
PROGRAM_INPUT = {"format": "clicr-report"}
"""The facts of a document whose text is the program's own input, so that no builder lays it out anew."""
LEARNING_POINTS = "learning points"
_HEADING = re.compile(r"\n(learning point[^\n]*)(\n|\Z)", re.ASCII | re.IGNORECASE)
_CLAMP = (b"NamedEntity\t", b"Sentence\t", b"Token\t")


def sniff(head: bytes) -> bool:
    """False: any text may be a report, so the user names this format."""
    del head
    return False


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The file's one report; its id is the name up to ".full.struct.tok".

    Refused: a file that is not UTF-8. Left out: clamp_file. MalformedError: an empty file, or over 64 MiB.
    """
    data = whole_file(stream, name)
    if data.startswith(_CLAMP):
        repairs.count("clamp_file")
        repairs.note(f"{name}:1", "annotations of CLAMP, which --from clamp reads")
        return
    if (text := decoded(data, repairs, name)) is not None:
        yield Document(report_id(name), sections(text), facts=dict(PROGRAM_INPUT))


def report_id(name: str) -> str:
    """The id of a report by its file's name: "a/bcr-2012-006329.full.struct.tok" is bcr-2012-006329."""
    return PurePath(without_compression(name)).name.partition(SUFFIXES[0])[0] or name


def sections(text: str) -> tuple[Section, ...]:
    """The title, the body and the learning points of a report; joined again they are the text, to the letter."""
    title, newline, rest = text.partition("\n")
    if not newline:
        return (Section("title", title),)
    heading = _HEADING.search(text)
    if heading is None:
        return (Section("title", title), Section("body", rest))
    body = (Section("body", text[len(title) + 1 : heading.start()]),) if heading.start() > len(title) else ()
    points = (
        Section(LEARNING_POINTS, text[heading.end() :], heading[1])
        if heading[2]
        else Section(LEARNING_POINTS, heading[1])
    )
    return (Section("title", title), *body, points)
