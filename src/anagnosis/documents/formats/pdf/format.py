"""PDF: papers as publishers print them, one a file.

PDFium, a C++ library that reads what strangers made, runs in a process of its own (reading.py). The document
has the title, then a section for each heading with text below it, then captions and tables. Its id is the file's
digest. Facts: doi, of the file's metadata; of the first page alone page_doi and page_pmid, which join records of one
title.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import PurePath
from typing import BinaryIO

import msgspec

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.pdf.messages import Answer
from anagnosis.documents.formats.pdf.reading import answer_of
from anagnosis.documents.formats.pdf.words import UNKNOWN
from anagnosis.documents.io.malformed import empty_file
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import missing_extra
from anagnosis.io.compression import without_compression
from anagnosis.io.paths import LARGEST

SUFFIXES = (".pdf",)
_HEAD = 1024  # bytes in which the mark stands


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these bytes is a PDF."""
    return b"%PDF-" in head[:_HEAD]


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The file's one document. Refused: what PDFium cannot read in its limits, files without text, over 512 MiB.

    Counted: page_without_text, page_refused, and what is left out of pages (docs/pdf.md).
    """
    if find_spec("pypdfium2") is None:
        if not repairs.counts["pdf_not_read"]:
            repairs.refuse(name, str(missing_extra("pypdfium2", "pdf", "to read PDF files")))
        repairs.count("pdf_not_read")
        return
    data = stream.read(LARGEST + 1)
    if not data.strip():
        raise empty_file(name)
    found = answer_of(data) if len(data) <= LARGEST else Answer(fault="larger than 512 MiB; split it")
    if found.fault:
        repairs.count("pdf_refused")
        repairs.refuse(name, found.fault)
        return
    for counter, count in found.counts.items():
        repairs.count(counter, count)
    for page, why in found.refused.items():
        repairs.note(f"{name}, page {page}", why)
    document = found.document
    if lacking := sum(UNKNOWN in word for word in document.text.split()):
        repairs.note(name, f"{lacking:,} words have a letter that the file does not name ({UNKNOWN})")
    if not document.title:
        named = Section("title", PurePath(without_compression(name)).stem)
        document = msgspec.structs.replace(document, sections=(named, *document.sections[1:]))
    yield document
