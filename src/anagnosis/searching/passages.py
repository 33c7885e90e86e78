"""Cut a document into passages, which an engine stores: each is a verbatim part of one section.

A section is one passage; a section longer than LONGEST characters is cut at the ends of lines, or of sentences. Every
passage carries the title; the title is a passage by itself only if the document has no other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from anagnosis.documents.document import Document, Section
from anagnosis.documents.identifiers import ON_FIRST_PAGE
from anagnosis.documents.page_map import read_page_map
from anagnosis.documents.states import STATES
from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.searching.records.passage import Passage
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
    for section in filter(is_read, document.sections):
        name, full_text = section_name(section), not of_abstract(section.label)
        page_map = read_page_map(section.page_map) if section.page_map else None
        begin = 0
        for text in pieces_of(section.text):
            if text.strip():
                own = page_map and page_map.part(begin, begin + len(text))
                result.append(
                    Passage(
                        *(document.id, len(result), name, section.title, title, text, facts),
                        full_text=full_text,
                        pages=own.pages if own else (),
                        page_map=own.written() if own else "",
                    )
                )
            begin += len(text)
    if not result and title.strip():
        return [Passage(document.id, 0, "title", "", title, title, facts)]
    return result


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
