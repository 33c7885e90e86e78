"""A PDF file as a document: its title, sections and identifiers, and where each of these was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import NoReturn

import pypdfium2

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.pdf import first_page
from anagnosis.documents.formats.pdf.characters import words_in
from anagnosis.documents.formats.pdf.first_page import FEWEST_WORDS
from anagnosis.documents.formats.pdf.flow import joined_lines, parts_of
from anagnosis.documents.formats.pdf.furniture import is_at_edge, without_furniture
from anagnosis.documents.formats.pdf.hyphens import Hyphens
from anagnosis.documents.formats.pdf.layout import ordered_blocks
from anagnosis.documents.formats.pdf.messages import READ, REFUSED, WITHOUT_TEXT, PageRead
from anagnosis.documents.formats.pdf.opening import WIDEST, UnreadableError, by_glyph_names, opened
from anagnosis.documents.formats.pdf.page_lines import Line, PageLines, page_lines

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
    first = [page for page in pages if not page.number]
    printed = [line for page in first for line in (*page.lines, *page.turned)]
    edges = [line for page in first for line in (*page.lines, *page.turned) if is_at_edge(line, page)]
    without_furniture(pages)
    counts = {page.number: page.counts for page in pages}
    body = _body(pages)
    hyphens = Hyphens([line for page in pages for line in page.lines])
    blocks = [block for page in pages for block in ordered_blocks(page)]
    metadata, of_first = _metadata(document), [block for block in blocks if not block.page]
    facts = first_page.facts(metadata, _text(printed), _text(edges))
    title = first_page.title_blocks(of_first, body, hyphens)
    first_section = joined_lines([line for one in title for line in one.lines], hyphens, "title").section(
        digest
    )
    other = metadata.get("Title", "").strip()
    if words_in(first_section.text) < FEWEST_WORDS <= words_in(other) and other in _text(printed).replace(
        "\n", " "
    ):
        title = []  # but a journal's name, and the title in smaller letters
    if not title:
        first_section = Section("title", other)
    behind = of_first[of_first.index(title[-1]) + 1 :] if title else []
    facts["page_authors"], by = first_page.authors(behind, hyphens)
    for block in by:
        counts[block.page]["author_line"] += len(block.lines)
    blocks = [block for block in blocks if block not in (*title, *by)]
    others = (part.section(digest) for part in parts_of(blocks, body, hyphens, counts))
    found = Document(
        digest, (first_section, *others), facts={name: fact for name, fact in facts.items() if fact}
    )
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


def _text(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines)
