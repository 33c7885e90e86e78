"""A paper out of its pages: title, sections and identifiers, and where each of these was found.

The first page says title and identifiers, and so does the file's metadata.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256

import pypdfium2
import pypdfium2.raw as pdfium

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.pdf.flow import Flow, joined_lines, text_of
from anagnosis.documents.formats.pdf.messages import Answer
from anagnosis.documents.formats.pdf.page_layout import Block, ordered_blocks, without_furniture
from anagnosis.documents.formats.pdf.page_lines import PageLines, page_lines
from anagnosis.documents.formats.pdf.words import NO_HEADING, UNKNOWN, Hyphens, is_usual, words_in
from anagnosis.documents.identifiers import PMID_IN_TEXT, bare_doi

_FEWEST_WORDS = 3  # of what is surely no journal's name
_SHORT, _NAMES = 0.6, 0.5  # weights of letters: of fewer words, and of what reads as names
_NEAR = 3  # blocks, among which title and authors go on
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>|]+")
_OWN_DOI = re.compile(rf"(?:^|doi[:.]? ?|doi\.org/)({_DOI.pattern})", re.IGNORECASE)
_BROKEN_DOI = re.compile(r"(?<=[/.])\n(?=[a-z0-9]+[.\d])|(?<=doi\.org/)\n")
# Signs and letters behind names.
_MARKS = re.compile(rf"[\d*∗#†‡§¶✉{UNKNOWN}]|(?<=[ ,])[a-df-xz](?=[,; ]|$)")
_BETWEEN = re.compile(r"[,;&·•]|\band\b")
_INITIAL = re.compile(r"\b[A-Z]\.")
_WORD_OF_NAME = re.compile(r"(?:[^\W\d_]\.-?)+|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_PARTICLES = frozenset(("da", "de", "del", "den", "der", "di", "dos", "du", "la", "le", "ten", "van", "von"))


def title_blocks(
    first: Sequence[Block], body: tuple[str, float], hyphens: Hyphens, other: str
) -> list[Block]:
    """The blocks of the first page with the title, its largest letters.

    Of one or two words it may be a journal's name, and the page has the other title, of the metadata, in small letters.
    """
    texts = [text_of(block, hyphens) for block in first]
    names = list(map(are_names, texts))
    weights = {
        at: block.size * (_NAMES if names[at] else _SHORT if block.words < _FEWEST_WORDS else 1)
        for at, (block, text) in enumerate(zip(first, texts, strict=True))
        if block.size > body[1] and not is_usual(text)
        if block.words >= _FEWEST_WORDS or not (NO_HEADING.match(text) or text.islower())
    }
    best = max(weights, key=weights.__getitem__, default=-1)
    if best < 0 or (first[best].words < _FEWEST_WORDS <= words_in(other) and other in " ".join(texts)):
        return []
    alike = [at for at in weights if first[at].size >= first[best].size - 0.5 and at <= best + _NEAR]
    return [first[at] for at in alike if at == best or not names[at]]


def are_names(text: str) -> bool:
    """Whether a line has nothing but names of people, which are in large letters, too."""
    parts = [part.split() for part in _BETWEEN.split(_MARKS.sub(" ", text)) if part.strip()]
    words = [word for part in parts for word in part]
    fits = all(_WORD_OF_NAME.fullmatch(one) and (one[0].isupper() or one in _PARTICLES) for one in words)
    return fits and all(len(part) < 7 for part in parts) and (len(parts) > 1 or bool(_INITIAL.search(text)))


def facts(metadata: Mapping[str, str], printed: str) -> dict[str, str]:
    """doi: of the metadata, where it says that this is the file's own. page_…: the first of the first page's lines."""
    found = dict[str, str]()
    for text in metadata.values():
        if "doi" not in found and (own := _OWN_DOI.search(text)):
            found["doi"] = bare_doi(own[1])
    if "doi" not in found and (seen := _DOI.search(_BROKEN_DOI.sub("", printed))):
        found["page_doi"] = bare_doi(seen[0])
    if seen := PMID_IN_TEXT.search(printed):
        found["page_pmid"] = seen[1]
    return found


MOST_PAGES = 2_000
WIDEST = 14_400  # points: 200 inches, the format's own limit
_LONGEST = 50_000_000  # characters


class UnreadableError(Exception):
    """A file that gives no document; its text says why, and what to do."""


def opened(data: bytes) -> pypdfium2.PdfDocument:
    """The file, which the caller closes. UnreadableError: damaged, has a password, too many pages."""
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as fault:
        if fault.err_code != pdfium.FPDF_ERR_PASSWORD:
            raise UnreadableError("damaged: PDFium cannot open it; fetch it again") from None
        raise UnreadableError("needs a password; save it without one, and read that") from None
    if (pages := len(document)) > MOST_PAGES:
        document.close()
        raise UnreadableError(f"has {pages:,} pages, over {MOST_PAGES:,}; split it into papers")
    return document


def read_paper(data: bytes) -> Answer:
    """The document, and what was left out. UnreadableError: no document."""
    document = opened(data)
    try:
        return _read(document, sha256(data).hexdigest()[:16])
    finally:
        document.close()


def _read(document: pypdfium2.PdfDocument, digest: str) -> Answer:
    pages, refused = list[PageLines](), dict[int, str]()
    for number in range(len(document)):
        try:
            if max(document.get_page_size(number)) > WIDEST:
                refused[number + 1] = "larger than 200 inches"
            else:
                pages.append(page_lines(document, number))
        except Exception as fault:  # of a bad page, which must not cost the paper
            refused[number + 1] = f"cannot be read ({type(fault).__name__})"
    if not any(page.lines for page in pages):
        raise UnreadableError(_why_nothing(pages))
    without_text = sum(not (page.lines or page.turned) for page in pages)
    first = (line.text for page in pages if not page.number for line in (*page.lines, *page.turned))
    printed = "\n".join(first)
    without_furniture(pages)
    counts = {page.number: page.counts for page in pages}
    letters = Counter[tuple[str, float]]()
    for page in pages:
        for line in page.lines:
            letters[line.font, line.size] += len(line.text)
    body = letters.most_common(1)[0][0] if letters else ("", 0.0)
    hyphens = Hyphens(line.text for page in pages for line in page.lines)
    blocks = [block for page in pages for block in ordered_blocks(page)]
    metadata = _metadata(document)
    title, found_facts = metadata.get("Title", "").strip(), facts(metadata, printed)
    first_section = Section("title", title)
    first_blocks = [one for one in blocks if not one.page]
    if chosen := title_blocks(first_blocks, body, hyphens, title):
        lines = [line for one in chosen for line in one.lines]
        first_section = joined_lines(lines, hyphens, "title").section(digest)
        behind = first_blocks[first_blocks.index(chosen[-1]) + 1 :][:_NEAR]
        for block in [one for one in behind if are_names(text_of(one, hyphens))][:1]:
            counts[block.page]["author_line"] += len(block.lines)
            chosen.append(block)
    blocks = [block for block in blocks if block not in chosen]
    others = (part.section(digest) for part in Flow(blocks, body, hyphens, counts).sections())
    found = Document(digest, (first_section, *others), facts=found_facts)
    if (length := len(found.text)) > _LONGEST:
        raise UnreadableError(f"has more text than a paper ({length:,} characters); split it")
    left_out = sum(
        (page.counts for page in pages), Counter(page_without_text=without_text, page_refused=len(refused))
    )
    return Answer(found, dict(+left_out), refused)


def _why_nothing(pages: Sequence[PageLines]) -> str:
    if not pages:
        return "none of its pages can be read; fetch it again"
    if any(page.turned for page in pages):
        return "all its text stands upright or upside down; turn its pages, and read that"
    what = "a scan: none of its pages has text that anybody sees"
    return f"{what}; recognise its text, for instance with ocrmypdf, and read what that makes"


def _metadata(document: pypdfium2.PdfDocument) -> dict[str, str]:
    try:
        return document.get_metadata_dict()
    except UnicodeDecodeError:
        return {}
