"""A PDF file as a document: its title, sections and identifiers, and where each of these was found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NoReturn

import pypdfium2

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.pdf.flow import Part, joined_lines, parts_of
from anagnosis.documents.formats.pdf.furniture import without_furniture
from anagnosis.documents.formats.pdf.hyphens import Hyphens
from anagnosis.documents.formats.pdf.layout import Block, ordered_blocks
from anagnosis.documents.formats.pdf.messages import READ, REFUSED, WITHOUT_TEXT, PageRead
from anagnosis.documents.formats.pdf.opening import WIDEST, UnreadableError, opened
from anagnosis.documents.formats.pdf.page_lines import Line, PageLines, page_lines
from anagnosis.documents.identifiers import PMID_IN_TEXT, bare_doi

_FEWEST_WORDS = 3  # of a title in large letters
_LONGEST = 50_000_000  # characters
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>|]+")
_OWN_DOI = re.compile(rf"(?:^|doi[:.]? ?|doi\.org/)({_DOI.pattern})", re.IGNORECASE)
_BROKEN_DOI = re.compile(r"(?<=[/.])\n(?=[a-z0-9]+[.\d])|(?<=doi\.org/)\n")
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
    pages, refused = list[PageLines](), dict[int, str]()
    for number in range(len(document)):
        try:
            if max(document.get_page_size(number)) > WIDEST:
                refused[number] = "larger than 200 inches"
                continue
            pages.append(page_lines(document, number))
        except Exception as fault:  # of a bad page, which must not cost the paper
            refused[number] = f"cannot be read ({type(fault).__name__})"
    if not any(page.lines for page in pages):
        _refuse(pages)
    with_text = {page.number for page in pages if page.lines or page.turned}
    first = [line for page in pages if not page.number for line in (*page.lines, *page.turned)]
    without_furniture(pages)
    counts = {page.number: page.counts for page in pages}
    body = _body(pages)
    hyphens = Hyphens([line for page in pages for line in page.lines])
    blocks = [block for page in pages for block in ordered_blocks(page)]
    title, blocks = _title(blocks, body, hyphens)
    metadata = _metadata(document)
    first_section = title.section(digest)
    if len(first_section.text.split()) < _FEWEST_WORDS:
        first_section = Section("title", metadata.get("Title", "").strip())
    others = (part.section(digest) for part in parts_of(blocks, body, hyphens, counts))
    found = Document(digest, (first_section, *others), facts=_facts(metadata, first))
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


def _title(blocks: Sequence[Block], body: tuple[str, float], hyphens: Hyphens) -> tuple[Part, list[Block]]:
    """The title: the largest letters of the first page. And the other blocks."""
    first = [block for block in blocks if block.page == 0]
    largest = max((block.size for block in first if block.words >= 3), default=0.0)
    chosen = [block for block in first if block.size >= largest - 0.5 and block.size > body[1]]
    lines = [line for block in chosen for line in block.lines]
    rest = [block for block in blocks if not any(block is one for one in chosen)]
    return joined_lines(lines, hyphens, "title"), rest


def _facts(metadata: Mapping[str, str], first: Sequence[Line]) -> dict[str, str]:
    """doi: of the metadata, where it says that this is the file's own; page_doi, page_pmid: first of the first page."""
    facts = dict[str, str]()
    for text in metadata.values():
        if "doi" not in facts and (own := _OWN_DOI.search(text)):
            facts["doi"] = bare_doi(own[1])
    printed = "\n".join(line.text for line in first)
    if "doi" not in facts and (found := _DOI.search(_BROKEN_DOI.sub("", printed))):
        facts["page_doi"] = bare_doi(found[0])
    if found := PMID_IN_TEXT.search(printed):
        facts["page_pmid"] = found[1]
    return facts
