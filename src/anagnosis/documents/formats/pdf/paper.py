"""A PDF file as a document: its title, sections and identifiers, and where each of these was found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NoReturn

import msgspec
import pypdfium2
import pypdfium2.raw as pdfium

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.pdf.flow import joined_lines, sections
from anagnosis.documents.formats.pdf.furniture import without_furniture
from anagnosis.documents.formats.pdf.hyphens import Hyphens
from anagnosis.documents.formats.pdf.layout import Block, ordered_blocks
from anagnosis.documents.formats.pdf.page_lines import Line, PageLines, page_lines
from anagnosis.documents.identifiers import bare_doi

MOST_PAGES = 2_000
_FEWEST_WORDS = 3  # of a title in large letters
_LONGEST = 50_000_000  # characters
_WIDEST = 14_400  # points: 200 inches, the format's own limit
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>|]+")
_OWN_DOI = re.compile(rf"(?:^|doi[:.]? ?|doi\.org/)({_DOI.pattern})", re.IGNORECASE)
_BROKEN_DOI = re.compile(r"(?<=[/.])\n(?=[a-z0-9]+[.\d])|(?<=doi\.org/)\n")
_SCAN = (
    "a scan: none of its pages has text that anybody sees; "
    "recognise its text, for instance with ocrmypdf, and read what that makes"
)


class UnreadableError(Exception):
    """A file that gives no document; its text says why, and what to do."""


def read_paper(data: bytes, counts: Counter[str]) -> tuple[Document, list[tuple[int, str]]]:
    """(the document, pages that could not be read: number from 1 and why). UnreadableError: no document.

    counts: page_read, page_without_text, page_refused; what is left out, by name (docs/pdf.md).
    """
    document = _opened(data)
    try:
        return _read(document, sha256(data).hexdigest()[:16], counts)
    finally:
        document.close()


def _opened(data: bytes) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as fault:
        if fault.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise UnreadableError("needs a password; save it without one, and read that") from None
        raise UnreadableError("damaged: PDFium cannot open it; fetch it again") from None
    if len(document) > MOST_PAGES:
        raise UnreadableError(f"has {len(document):,} pages, over {MOST_PAGES:,}; split it into papers")
    return document


def _read(
    document: pypdfium2.PdfDocument, digest: str, counts: Counter[str]
) -> tuple[Document, list[tuple[int, str]]]:
    pages, refused = list[PageLines](), list[tuple[int, str]]()
    for number in range(len(document)):
        try:
            if max(document.get_page_size(number)) > _WIDEST:
                refused.append((number + 1, "larger than 200 inches"))
                continue
            pages.append(page_lines(document, number))
        except Exception as fault:  # of a bad page, which must not cost the paper
            refused.append((number + 1, f"cannot be read ({type(fault).__name__})"))
    counts["page_refused"] += len(refused)
    for page in pages:
        counts.update(page.counts)
        counts["page_read" if page.lines or page.turned else "page_without_text"] += 1
    if not any(page.lines for page in pages):
        _refuse(pages)
    first = [line for page in pages[:1] for line in (*page.lines, *page.turned)]
    without_furniture(pages, counts)
    body = _body(pages)
    hyphens = Hyphens([line for page in pages for line in page.lines])
    blocks = [block for page in pages for block in ordered_blocks(page)]
    title, blocks = _title(blocks, body, hyphens)
    metadata = _metadata(document)
    title = title if len(title.split()) >= _FEWEST_WORDS else metadata.get("Title", "").strip()
    found = Document(digest, (Section("title", title), *sections(blocks, body, hyphens, counts)))
    if len(found.text) > _LONGEST:
        raise UnreadableError(f"has more text than a paper ({len(found.text):,} characters); split it")
    return msgspec.structs.replace(found, facts=_facts(metadata, first)), refused


def _refuse(pages: Sequence[PageLines]) -> NoReturn:
    """UnreadableError: why there is no text."""
    if not pages:
        raise UnreadableError("none of its pages can be read; fetch it again")
    if any(page.turned for page in pages):
        raise UnreadableError("all its text stands upright or upside down; turn its pages, and read that")
    raise UnreadableError(_SCAN)


def _metadata(document: pypdfium2.PdfDocument) -> dict[str, str]:
    try:
        return document.get_metadata_dict()
    except UnicodeDecodeError:
        return {}


def _body(pages: Sequence[PageLines]) -> tuple[str, float]:
    """Font and size of most letters."""
    letters = Counter[tuple[str, float]]()
    for page in pages:
        for line in page.lines:
            letters[line.font, line.size] += len(line.text)
    return letters.most_common(1)[0][0] if letters else ("", 0.0)


def _title(blocks: Sequence[Block], body: tuple[str, float], hyphens: Hyphens) -> tuple[str, list[Block]]:
    """The title: the largest letters of the first page. And the other blocks."""
    first = [block for block in blocks if block.page == 0]
    largest = max((block.size for block in first if block.words >= 3), default=0.0)
    chosen = [block for block in first if block.size >= largest - 0.5 and block.size > body[1]]
    lines = [line for block in chosen for line in block.lines]
    return joined_lines(lines, hyphens), [
        block for block in blocks if not any(block is one for one in chosen)
    ]


def _facts(metadata: Mapping[str, str], first: Sequence[Line]) -> dict[str, str]:
    """doi: of the metadata, where it says that this is the file's own; else page_doi: the first of the first page."""
    for text in metadata.values():
        if own := _OWN_DOI.search(text):
            return {"doi": bare_doi(own[1])}
    printed = "\n".join(line.text for line in first)
    if found := _DOI.search(_BROKEN_DOI.sub("", printed)):
        return {"page_doi": bare_doi(found[0])}
    return {}
