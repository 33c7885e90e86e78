"""Cut a document into passages, which an engine stores: each is a verbatim part of one section.

A section is one passage; a section longer than LONGEST characters is cut at the ends of lines, or of sentences. Every
passage carries the title; the title is a passage by itself only if the document has no other text.

Passages keep the annotated mentions in their text. They leave out mentions with several spans, mentions that a cut
divides, and mentions whose text differs from the document's.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from anagnosis.documents.document import Document, Mention, Section, linked
from anagnosis.documents.identifiers import ON_FIRST_PAGE
from anagnosis.documents.page_map import read_page_map
from anagnosis.documents.states import STATES
from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.searching.records.passage import Entity, Passage
from anagnosis.searching.section_names import section_name

LONGEST = 4000
SPLITTER = "fast"  # of the sentences of passages
# Facts of a document that passages keep, for display and filters.
SHOWN_FACTS = (
    *("date", "year", "doi", "pmid", "pmcid", "id_of", "language", "licence", "added", "citation_key"),
    *ON_FIRST_PAGE,
    *(one.fact for one in NAME_FILTERS),
    *STATES,
)
_SHOWN_FACTS = frozenset(SHOWN_FACTS)
# Every passage carries the title; the sections after the text (thanks, funding, files) answer no question.
_LEFT_OUT = frozenset(
    (
        *("title", "back", "supplementary"),
        # As BioC names them.
        *("ref", "comp_int", "auth_cont", "ack_fund", "suppl", "abbr", "appendix"),
    )
)
LONGEST_TITLE = 1000
_END = re.compile(r"\n|[.?!][)\]\"'”’]*\s+")


def passages(document: Document) -> list[Passage]:
    """All passages of a document, in its order."""
    title = document.title[:LONGEST_TITLE]
    facts = {name: value for name, value in document.facts.items() if value and name in _SHOWN_FACTS}
    result: list[Passage] = []
    begins: list[int] = []
    at, of_title = 0, -1  # offsets in the document's text: of the current section, of the title
    for section in document.sections:
        at += len(section.title) + 1 if section.title else 0
        if section.label == "title" and of_title < 0:
            of_title = at
        begin = at
        if is_read(section):
            name, full_text = section_name(section), not of_abstract(section.label)
            page_map = read_page_map(section.page_map) if section.page_map else None
            for text in pieces_of(section.text):
                if text.strip():
                    own = page_map and page_map.part(begin - at, begin - at + len(text))
                    result.append(
                        Passage(
                            *(document.id, len(result), name, section.title, title, text, facts),
                            full_text=full_text,
                            pages=own.pages if own else (),
                            page_map=own.written() if own else "",
                        )
                    )
                    begins.append(begin)
                begin += len(text)
        at += len(section.text) + 1
    if not result and title.strip():
        result, begins = [Passage(document.id, 0, "title", "", title, title, facts)], [of_title]
    if not document.mentions:
        return result
    placed = _PlacedMentions(document.mentions)
    titled = placed.inside(title, of_title)
    return [
        msgspec.structs.replace(passage, entities=placed.inside(passage.text, begin), title_entities=titled)
        for passage, begin in zip(result, begins, strict=True)
    ]


def left_out(document: Document, document_passages: Sequence[Passage]) -> int:
    """The number of a document's mentions that its passages leave out. document_passages: those of `passages`."""
    title_entities = document_passages[0].title_entities if document_passages[0].section != "title" else ()
    return (
        len(document.mentions)
        - len(title_entities)
        - sum(len(passage.entities) for passage in document_passages)
    )


class _PlacedMentions:
    """A document's mentions with one span, sorted by their begin."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        self.mentions = sorted(
            (*one.spans[0], one.text, one.type, linked(one.identifier))
            for one in mentions
            if len(one.spans) == 1 and one.text
        )
        self.begins = [one[0] for one in self.mentions]

    def inside(self, text: str, at: int) -> tuple[Entity, ...]:
        """The mentions inside a text that agree with its words. at: begin of the text in the document's text."""
        last = at + len(text)
        starting_here = self.mentions[bisect_left(self.begins, at) : bisect_left(self.begins, last)]
        return tuple(
            [
                Entity(begin - at, end - at, kind, identifier)
                for begin, end, surface, kind, identifier in starting_here
                if end <= last and text[begin - at : end - at] == surface
            ]
        )


def is_read(section: Section) -> bool:
    """Whether a section becomes passages. (Every passage carries the title.)"""
    return section.label.casefold() not in _LEFT_OUT


def of_abstract(label: str) -> bool:
    """Whether a section belongs to title or abstract. label: the section's."""
    return label == "title" or label.startswith("abstract") or label == "other abstract"


def pieces_of(text: str, longest: int = LONGEST) -> Iterable[str]:
    """The text in parts of at most `longest` characters, without gaps."""
    return _cut(text, longest) if len(text) > longest else (text,) if text else ()


def _cut(text: str, longest: int) -> Iterator[str]:
    begin = 0
    while len(text) - begin > longest:
        ends = [match.end() for match in _END.finditer(text, begin + longest // 2, begin + longest)]
        blank = text.rfind(" ", begin + 1, begin + longest)
        end = ends[-1] if ends else blank + 1 if blank > begin else begin + longest
        yield text[begin:end]
        begin = end
    if begin < len(text):
        yield text[begin:]
