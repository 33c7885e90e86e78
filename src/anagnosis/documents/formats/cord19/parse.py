"""A parse of CORD-19 (pdf_json, pmc_json): the text of one paper that a program extracted from PDF or JATS.

    {"paper_id": "PMC140314", "metadata": {"title": …, "authors": [PERSON, …]},
     "abstract": [PARAGRAPH, …],                                                          pmc_json has no abstract
     "body_text": [PARAGRAPH, …], "back_matter": [PARAGRAPH, …],
     "ref_entries": {"FIGREF0": {"text": …, "type": "figure"}}}

    PERSON = {"first": "Krista", "middle": ["D."], "last": "DiSano", "suffix": ""}
    PARAGRAPH = {"text": "We …", "section": "Aerosol procedures ::: Methods"}

Sections: "body" and "back", one for consecutive paragraphs under one heading, a paragraph a line; title: the headings
from the outermost, "Methods › Aerosol procedures". Then the captions, "figure" and "table"; title: the label at the
caption's start. We do not read bibliography, spans and coordinates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import msgspec

from anagnosis.documents.bibliography import join_values, person
from anagnosis.documents.document import HEADING_PATH, Document, Section
from anagnosis.documents.formats.cord19.table import abstract_sections
from anagnosis.documents.identifiers import plain_pmcid
from anagnosis.documents.io.malformed import FETCH_AGAIN, is_cut
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import states
from anagnosis.documents.text import tidied
from anagnosis.errors import TruncatedError
from anagnosis.wording import reworded

LONGEST_PARSE = 64 << 20
_BLOCK = 1 << 18  # most parses are shorter
_INNERMOST_FIRST = " ::: "
# The footer of a preprint's pages. In a parse from PDF it is a separate paragraph, or stands inside one.
_FOOT = re.compile(
    r"the copyright holder for this preprint|\(which was not (?:certified by )?peer[- ]review(?:ed)?\)|author/funder"
    r"|,? ?who has granted (?:bio|med)rxiv a license to display the preprint in perpetuity"
    r"|(?:it )?is made available under"
    r"|cc0?-?(?:by)?(?:-[a-z]{2})* [\d.]+ international license|all rights reserved|no reuse allowed without permission"
    r"|https?://(?:dx\.)?doi\.org/\S+|doi:|(?:bio|med)rxiv preprint|this version posted \w+ \d+, \d+",
    re.IGNORECASE,
)
_SIGN = re.compile(r"peer[- ]review|preprint|author/funder|CC-BY")
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_a-zA-Z]{2}")
_WORD_OF_TEXT = re.compile(r"[^\W\d_]{4}")
_LABEL = re.compile(
    r"((?:supplementary |extended data )?(?:fig(?:ure|\.)?|table|tab\.) ?S?\d+[A-Z]?)(?:[.:|]+\s*|\Z)",
    re.IGNORECASE,
)
_LABELS = {"figure": "figure", "table": "table"}


class _Paragraph(msgspec.Struct, gc=False):
    text: str = ""
    section: str | None = None


class _Entry(msgspec.Struct, gc=False):
    text: str | None = None
    type: str | None = None


class _Person(msgspec.Struct, gc=False):
    first: str | None = None
    middle: list[str] | None = None
    last: str | None = None
    suffix: str | None = None


class _Metadata(msgspec.Struct, gc=False):
    title: str | None = None
    authors: list[_Person] | None = None


class Parse(msgspec.Struct, gc=False):
    """The keys of a parse that we read."""

    paper_id: str
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    abstract: list[_Paragraph] = []
    body_text: list[_Paragraph] = []
    back_matter: list[_Paragraph] = []
    ref_entries: dict[str, _Entry] = {}


_decoder = msgspec.json.Decoder(Parse)


def is_parse(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is a parse."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") and b'"paper_id"' in head[: 1 << 12]


def read_parse(stream: BinaryIO, repairs: Repairs, name: str) -> Parse | None:
    """The parse, or None if it is refused. TruncatedError: it breaks off."""
    # In blocks, since one read of the limit allocates 64 MiB even for a short parse.
    data = bytearray()
    while len(data) <= LONGEST_PARSE and (block := stream.read(_BLOCK)):
        data += block
    if len(data) > LONGEST_PARSE:
        repairs.refuse(name, f"a parse longer than {LONGEST_PARSE >> 20} MiB")
        return None
    try:
        parse = _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        if is_cut(fault):
            raise TruncatedError("the text ends too early", name, FETCH_AGAIN) from fault
        repairs.refuse(name, f"no parse of CORD-19: {reworded(fault)}")
        return None
    if not parse.paper_id.strip():
        repairs.refuse(name, "a parse without paper_id")
        return None
    return parse


def document(parse: Parse, repairs: Repairs) -> Document:
    """The document of a parse that no table names; its id is the paper_id, a SHA-1 or a PMCID.

    Counted: author_left_out and semicolon_in_value (bibliography.py).
    """
    ident = parse.paper_id.strip()
    title = tidied(parse.metadata.title or "")
    pmcid = plain_pmcid(ident) if ident.startswith("PMC") else ""
    sections = (
        Section("title", title),
        *abstract_sections(abstract(parse, repairs)),
        *text_sections(parse, repairs),
    )
    facts = {
        "pmcid": pmcid,
        "authors": join_values(map(_name, parse.metadata.authors or ()), repairs, "author"),
        **states(title),
    }
    return Document(ident, sections, facts={name: fact for name, fact in facts.items() if fact})


def _name(author: _Person) -> str:
    """The author as the fact spells it; "" for one without a last name, most often a torn line of a PDF."""
    fore = " ".join(filter(None, (author.first, *(author.middle or ()))))
    return tidied(person(author.last, fore, author.suffix or "")) if author.last else ""


def abstract(parse: Parse, repairs: Repairs) -> str:
    """The abstract in running text."""
    return " ".join(filter(None, (_text(each, repairs) for each in parse.abstract)))


def has_text(parse: Parse) -> bool:
    """Whether the parse has a body."""
    return any(each.text.strip() for each in parse.body_text)


def text_sections(parse: Parse, repairs: Repairs) -> Iterator[Section]:
    """Body, back matter and captions.

    Counted: preprint_foot_left_out (a paragraph that is the footer of a preprint's page), heading_without_word (a line
    number as heading, dropped).
    """
    yield from _sections("body", parse.body_text, repairs)
    yield from _sections("back", parse.back_matter, repairs)
    for entry in parse.ref_entries.values():
        label, caption = _LABELS.get((entry.type or "").lower()), tidied(entry.text or "")
        if label is None or not caption:
            continue
        match = _LABEL.match(caption)
        title = match[1] if match else ""
        rest = caption[match.end() :] if match else caption
        yield Section(label, rest or caption, title if rest else "")


def _sections(label: str, paragraphs: Iterable[_Paragraph], repairs: Repairs) -> Iterator[Section]:
    title, lines = "", list[str]()
    for each in paragraphs:
        heading = _title(each.section or "", repairs)
        text = _text(each, repairs)
        if not text:
            continue
        if heading != title and lines:
            yield Section(label, "\n".join(lines), title)
            lines = []
        title = heading
        lines.append(text)
    if lines:
        yield Section(label, "\n".join(lines), title)


def _title(section: str, repairs: Repairs) -> str:
    parts = [tidied(part).rstrip(" .:") for part in section.split(_INNERMOST_FIRST)]
    words = [part for part in reversed(parts) if _WORD.search(part) and not _is_foot(part)]
    repairs.count("heading_without_word", len(words) < len(list(filter(None, parts))))
    return HEADING_PATH.join(words)


def _text(paragraph: _Paragraph, repairs: Repairs) -> str:
    """The text of a paragraph; "" for the footer of a page."""
    text = tidied(paragraph.text)
    if _SIGN.search(text) and _is_foot(text):
        repairs.count("preprint_foot_left_out")
        return ""
    return text


def _is_foot(text: str) -> bool:
    rest = _FOOT.sub(" ", text)
    return rest != text and _WORD_OF_TEXT.search(rest) is None
