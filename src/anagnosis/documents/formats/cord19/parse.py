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
from functools import partial
from itertools import groupby, islice
from typing import BinaryIO

import msgspec

from anagnosis.documents.bibliography import join_values, person
from anagnosis.documents.document import HEADING_PATH, Document, Section
from anagnosis.documents.identifiers import plain_pmcid
from anagnosis.documents.io.malformed import FETCH_AGAIN, is_cut
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import states
from anagnosis.documents.text import split_at_labels, tidied
from anagnosis.errors import TruncatedError
from anagnosis.wording import reworded

LONGEST_PARSE = 64 << 20
_BLOCK = 1 << 18  # most parses are shorter
# The footer of a preprint's pages. In a parse from PDF it is a separate paragraph, or stands inside one.
_FOOT = re.compile(
    r"the copyright holder for this preprint|\(which was not (?:certified by )?peer[- ]review(?:ed)?\)|author/funder"
    r"|,? ?who has granted (?:bio|med)rxiv a license to display the preprint in perpetuity"
    r"|(?:it )?is made available under"
    r"|cc0?-?(?:by)?(?:-[a-z]{2})* [\d.]+ international license|all rights reserved|no reuse allowed without permission"
    r"|https?://(?:dx\.)?doi\.org/\S+|doi:|(?:bio|med)rxiv preprint|this version posted \w+ \d+, \d+",
    re.IGNORECASE,
)
_SIGN_OF_FOOT = re.compile(r"peer[- ]review|preprint|author/funder|CC-BY")
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_a-zA-Z]{2}")
_WORD_OF_TEXT = re.compile(r"[^\W\d_]{4}")
_LABEL = re.compile(
    r"((?:supplementary |extended data )?(?:fig(?:ure|\.)?|table|tab\.) ?S?\d+[A-Z]?)(?:[.:|]+\s*|\Z)",
    re.IGNORECASE,
)


class _Part(msgspec.Struct, gc=False):
    """A paragraph with its section, or an entry with its type."""

    text: str | None = None
    section: str | None = None
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
    paper_id: str
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    abstract: list[_Part] = []
    body_text: list[_Part] = []
    back_matter: list[_Part] = []
    ref_entries: dict[str, _Part] = {}


_decode = msgspec.json.Decoder(Parse).decode


def read_parse(stream: BinaryIO, repairs: Repairs, name: str, head: bytes = b"") -> Parse | None:
    """The parse, or None if it is refused. TruncatedError: it breaks off."""
    # In blocks, since one read of the limit allocates 64 MiB even for a short parse.
    data = head + b"".join(islice(iter(partial(stream.read, _BLOCK), b""), LONGEST_PARSE // _BLOCK + 1))
    if len(data) > LONGEST_PARSE:
        repairs.refuse(name, f"a parse longer than {LONGEST_PARSE >> 20} MiB")
        return None
    try:
        parse = _decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        if is_cut(fault):
            raise TruncatedError("the text ends too early", name, FETCH_AGAIN) from fault
        repairs.refuse(name, f"no parse of CORD-19: {reworded(fault)}")
        return None
    if not parse.paper_id.strip():
        repairs.refuse(name, "a parse without paper_id")
        return None
    return parse


def document_of(parse: Parse, repairs: Repairs) -> Document:
    """The document of a parse that no table names; its id is the paper_id, a SHA-1 or a PMCID."""
    ident, title = parse.paper_id.strip(), tidied(parse.metadata.title or "")
    abstract = abstract_of(parse, repairs)
    # One without a last name is most often a torn line of a PDF.
    authors = (
        tidied(
            person(each.last, " ".join(filter(None, (each.first, *(each.middle or ())))), each.suffix or "")
        )
        for each in parse.metadata.authors or ()
        if each.last
    )
    facts = {
        "pmcid": plain_pmcid(ident) if ident.startswith("PMC") else "",
        "authors": join_values(authors, repairs, "author"),
        **states(title),
    }
    return made(ident, title, abstract, text_sections(parse, repairs), facts)


def made(ident: str, title: str, abstract: str, text: Iterable[Section], facts: dict[str, str]) -> Document:
    """The document with its abstract cut at its labels, and without empty facts."""
    parts = (Section("abstract", part, label) for label, part in split_at_labels(abstract) if part or label)
    known = {name: fact for name, fact in facts.items() if fact}
    return Document(ident, (Section("title", title), *parts, *text), facts=known)


def abstract_of(parse: Parse, repairs: Repairs) -> str:
    return " ".join(filter(None, (_text(each, repairs) for each in parse.abstract)))


def has_text(parse: Parse) -> bool:
    """Whether the parse has a body."""
    return any(each.text and each.text.strip() for each in parse.body_text)


def text_sections(parse: Parse, repairs: Repairs) -> Iterator[Section]:
    """Body, back matter and captions."""
    for label, paragraphs in (("body", parse.body_text), ("back", parse.back_matter)):
        read = ((_title(each.section or "", repairs), _text(each, repairs)) for each in paragraphs)
        for title, same in groupby((each for each in read if each[1]), key=lambda each: each[0]):
            yield Section(label, "\n".join(text for _, text in same), title)
    for entry in parse.ref_entries.values():
        label, caption = (entry.type or "").lower(), tidied(entry.text or "")
        if label in ("figure", "table") and caption:
            match = _LABEL.match(caption)
            rest = caption[match.end() :] if match else ""
            yield Section(label, rest or caption, match[1] if match and rest else "")


def _title(section: str, repairs: Repairs) -> str:
    parts = [tidied(part).rstrip(" .:") for part in section.split(" ::: ")]  # the innermost first
    words = [part for part in reversed(parts) if _WORD.search(part) and not _is_foot(part)]
    repairs.count("heading_without_word", len(words) < len(list(filter(None, parts))))
    return HEADING_PATH.join(words)


def _text(paragraph: _Part, repairs: Repairs) -> str:
    """The text of a paragraph; "" for the footer of a page."""
    text = tidied(paragraph.text or "")
    if _SIGN_OF_FOOT.search(text) and _is_foot(text):
        repairs.count("preprint_foot_left_out")
        return ""
    return text


def _is_foot(text: str) -> bool:
    rest = _FOOT.sub(" ", text)
    return rest != text and _WORD_OF_TEXT.search(rest) is None
