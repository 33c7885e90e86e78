"""The passages of a document: what an engine keeps and finds, each a verbatim piece of one section.

A section is a passage; one longer than LONGEST characters is cut at the ends of lines, or of sentences. The title goes
with every passage, and is one by itself only where a document has nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from anagnosis.documents.document import Document, Section
from anagnosis.searching.section_names import section_name

LONGEST = 4000
NOTICES = ("retracted", "expression_of_concern", "erratum", "notice_of")
# Facts of a document that a reader of its passages wants to see.
TOLD = (
    *("date", "year", "journal", "types", "doi", "pmid", "pmcid", "id_of", "language", "licence"),
    *NOTICES,
)
# The title goes with every passage; what stands behind the text (thanks, funding, files) answers no question.
_LEFT_OUT = frozenset(
    (
        *("title", "back", "supplementary"),
        # As BioC names them.
        *("ref", "comp_int", "auth_cont", "ack_fund", "suppl", "abbr", "appendix"),
    )
)
LONGEST_TITLE = 1000
_END = re.compile(r"\n|[.?!][)\]\"'”’]*\s+")


class Passage(msgspec.Struct, frozen=True, gc=False):
    """number: from 0 within the document. section: one of section_names.SECTIONS. heading: as printed.

    title: the document's. text: as it stands in the section. facts: of the document, those of TOLD that it has.
    """

    document: str
    number: int
    section: str
    heading: str
    title: str
    text: str
    facts: dict[str, str] = {}

    @property
    def id(self) -> str:
        """Of the passage in its collection."""
        return f"{self.document}#{self.number}"


def passages(document: Document) -> list[Passage]:
    """All passages of a document, in its order."""
    title = document.title[:LONGEST_TITLE]
    told = document.facts
    facts = {name: told[name] for name in TOLD if told.get(name)}
    pieces = [
        (section_name(section), section.title, text)
        for section in document.sections
        if is_read(section)
        for text in pieces_of(section.text)
        if text.strip()
    ] or [("title", "", title)]
    return [
        Passage(document.id, number, name, heading, title, text, facts)
        for number, (name, heading, text) in enumerate(pieces)
        if text.strip()
    ]


def notices(passage: Passage) -> tuple[str, ...]:
    """What must be said of its paper before it is quoted: retracted, …"""
    return tuple(name for name in NOTICES if passage.facts.get(name))


def is_read(section: Section) -> bool:
    """Whether a section's text is searched; the title's is, with every passage."""
    return section.label.casefold() not in _LEFT_OUT


def pieces_of(text: str, longest: int = LONGEST) -> Iterator[str]:
    """The text in pieces of at most `longest` characters, which follow each other without a gap."""
    begin = 0
    while len(text) - begin > longest:
        ends = [found.end() for found in _END.finditer(text, begin + longest // 2, begin + longest)]
        blank = text.rfind(" ", begin + 1, begin + longest)
        end = ends[-1] if ends else blank + 1 if blank > begin else begin + longest
        yield text[begin:end]
        begin = end
    if begin < len(text):
        yield text[begin:]
