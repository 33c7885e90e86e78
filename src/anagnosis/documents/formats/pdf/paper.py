"""A PDF file as a document: its title, sections and identifiers, and where each of these was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import NoReturn

import pypdfium2

from anagnosis.documents.bibliography import JOINT
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.pdf import first_page
from anagnosis.documents.formats.pdf.first_page import people
from anagnosis.documents.formats.pdf.flow import Flow, joined_lines, text_of
from anagnosis.documents.formats.pdf.furniture import is_at_edge, without_furniture
from anagnosis.documents.formats.pdf.hyphens import Hyphens
from anagnosis.documents.formats.pdf.layout import ordered_blocks
from anagnosis.documents.formats.pdf.messages import READ, REFUSED, WITHOUT_TEXT, PageRead
from anagnosis.documents.formats.pdf.opening import WIDEST, UnreadableError, by_glyph_names, opened
from anagnosis.documents.formats.pdf.page_lines import PageLines, page_lines

_LONGEST = 50_000_000  # characters
_SCAN = (
    "a scan: none of its pages has text that anybody sees; "
    "recognise its text, for instance with ocrmypdf, and read what that makes"
)


def read_paper(data: bytes, passwords: Sequence[str] = ()) -> tuple[Document, list[PageRead]]:
    """(the document, its pages). UnreadableError: no document."""
    document = opened(data, passwords)
    try:
        return _read(document, sha256(data).hexdigest()[:16])
    finally:
        document.close()


def _read(document: pypdfium2.PdfDocument, digest: str) -> tuple[Document, list[PageRead]]:
    pages, refused, named = list[PageLines](), dict[int, str](), cache(lambda: by_glyph_names(document))
    for number in range(len(document)):
        try:
            if max(document.get_page_size(number)) > WIDEST:
                refused[number] = "larger than 200 inches"
                continue
            pages.append(page_lines(document, number, named))
        except Exception as fault:  # of a bad page, which must not cost the paper
            refused[number] = f"cannot be read ({type(fault).__name__})"
    if not any(page.lines for page in pages):
        _refuse(pages)
    with_text = {page.number for page in pages if page.lines or page.turned}
    first = [(line, page) for page in pages if not page.number for line in (*page.lines, *page.turned)]
    printed = "\n".join(line.text for line, _ in first)
    edges = "\n".join(line.text for line, page in first if is_at_edge(line, page))
    without_furniture(pages)
    counts = {page.number: page.counts for page in pages}
    body = _body(pages)
    hyphens = Hyphens([line for page in pages for line in page.lines])
    blocks = [block for page in pages for block in ordered_blocks(page)]
    metadata = _metadata(document)
    title, facts = metadata.get("Title", "").strip(), first_page.facts(metadata, printed, edges)
    first_section = Section("title", title)
    chosen, by = first_page.title_and_authors([one for one in blocks if not one.page], body, hyphens, title)
    if chosen:
        first_section = joined_lines(
            [line for one in chosen for line in one.lines], hyphens, "title"
        ).section(digest)
    for block in by:
        facts["page_authors"] = JOINT.join(people(text_of(block, hyphens)))
        counts[block.page]["author_line"] += len(block.lines)
    blocks = [block for block in blocks if block not in (*chosen, *by)]
    others = (part.section(digest) for part in Flow(blocks, body, hyphens, counts).sections())
    found = Document(digest, (first_section, *others), facts=facts)
    if (length := len(found.text)) > _LONGEST:
        raise UnreadableError(f"has more text than a paper ({length:,} characters); split it")
    report = [
        PageRead(number + 1, REFUSED, why=refused[number])
        if number in refused
        else PageRead(
            number + 1, READ if number in with_text else WITHOUT_TEXT, dict(sorted((+counts[number]).items()))
        )
        for number in range(len(document))
    ]
    return found, report


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
