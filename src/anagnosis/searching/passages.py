"""Cut a document into passages, which an engine stores: each is a verbatim part of one section.

A section is one passage; a section longer than LONGEST characters is cut at the ends of lines, or of sentences. Every
passage carries the title; the title is a passage by itself only if the document has no other text.

A section gets one of a dozen names, whatever its heading. Parts of a structured abstract are named by the class that
MEDLINE gives them, else by their heading; sections of the body by their type (JATS sec-type) and the headings above
them, the outermost first: "Results › Comparison of methods" is named results.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from anagnosis.documents.document import HEADING_PATH, NOTES, Document, Section
from anagnosis.documents.identifiers import ON_FIRST_PAGE
from anagnosis.documents.page_map import read_page_map
from anagnosis.documents.states import STATES
from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.searching.records.passage import Passage

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
# What MEDLINE says where there is no label, and where an abstract breaks off.
_NO_HEADING = "UNLABELLED"
_BREAKS_OFF = re.compile(r"\(ABSTRACT TRUNCATED(?: AT \d+ WORDS)?\)\W*\Z")
_END = re.compile(r"\n|[.?!][)\]\"'”’]*\s+")
# If a heading has several of these words, the last one decides, as in "Study limitations"; around "and", the first.
_WORDS: dict[str, str] = {
    "conclusion": r"concl|interpretation|implication|clinical significance|take.home|key (?:points|messages)"
    r"|learning points",
    "results": r"result|finding|outcome|observations?\b",
    "methods": r"method|material|patients?\b|subjects?\b|participants?\b|procedure|design|setting|statistic|experiment"
    r"|data (?:source|collection|extraction|synthesis)|intervention|measure|sampl|protocol|study|animals?\b|search",
    "objective": r"objective|aims?\b|purpose|goal|hypothes|question",
    "case": r"cases?\b",
    "discussion": r"discuss|comment",
    "limitations": r"limitation|strengths\b|limits\b",
    "background": r"background|introduc|intro\b|context|importance|rationale|overview|review",
}
_NAMES = {name: re.compile(rf"\b(?:{words})", re.IGNORECASE) for name, words in _WORDS.items()}
_BY_LABEL = {"figure": "figure", "fig": "figure", "table": "table", "tbl": "table", NOTES: NOTES}
_JOINED = re.compile(r"\band\b|[&,/:;(]|\bof\b|\bfor\b|\bin\b")
SECTIONS = ("title", "abstract", *_NAMES, "figure", "table", "other", NOTES)


def passages(document: Document) -> list[Passage]:
    """All passages of a document, in its order."""
    title = document.title[:LONGEST_TITLE]
    facts = {name: value for name, value in document.facts.items() if value and name in _SHOWN_FACTS}
    result: list[Passage] = []
    for section in filter(is_read, document.sections):
        name, full_text = section_name(section), not of_abstract(section.label)
        page_map = read_page_map(section.page_map) if section.page_map else None
        heading = "" if section.title == _NO_HEADING else section.title
        begin = 0
        for text in pieces_of(section.text if page_map else _without_notes(section.text)):
            if text.strip():
                own = page_map and page_map.part(begin, begin + len(text))
                result.append(
                    Passage(
                        *(document.id, len(result), name, heading, title, text, facts),
                        full_text=full_text,
                        pages=own.pages if own else (),
                        page_map=own.written() if own else "",
                    )
                )
            begin += len(text)
    if not result and title.strip():
        return [Passage(document.id, 0, "title", "", title, title, facts)]
    return result


def _without_notes(text: str) -> str:
    note = _BREAKS_OFF.search(text)
    return (text[: note.start()].rstrip() if note else text).removeprefix(f"{_NO_HEADING}: ")


def is_read(section: Section) -> bool:
    """Whether a section becomes passages. (Every passage carries the title.)"""
    return section.label.casefold() not in _LEFT_OUT


def of_abstract(label: str) -> bool:
    """Whether a section belongs to title or abstract. label: the section's."""
    return label == "title" or label.startswith("abstract") or label == "other abstract"


def pieces_of(text: str, longest: int = LONGEST, at: re.Pattern[str] = _END) -> Iterable[str]:
    """The text in parts of at most `longest` characters, without gaps. at: finds where a part may end."""
    return _cut(text, longest, at) if len(text) > longest else (text,) if text else ()


def _cut(text: str, longest: int, at: re.Pattern[str]) -> Iterator[str]:
    begin = 0
    while len(text) - begin > longest:
        ends = [match.end() for match in at.finditer(text, begin + longest // 2, begin + longest)]
        blank = text.rfind(" ", begin + 1, begin + longest)
        end = ends[-1] if ends else blank + 1 if blank > begin else begin + longest
        yield text[begin:end]
        begin = end
    if begin < len(text):
        yield text[begin:]


def section_name(section: Section) -> str:
    """One of SECTIONS."""
    return _name(section.label, section.title, section.category)


@lru_cache(maxsize=1 << 14)
def _name(label: str, title: str, category: str) -> str:
    if label == "title":
        return "title"
    if by_label := _BY_LABEL.get(label.partition("_")[0]):
        return by_label
    for words in (category.replace("|", " "), *title.split(HEADING_PATH), label):
        if name := _named(words):
            return name
    return "abstract" if label == "abstract" else "other"


def _named(words: str) -> str:
    """The section name that these words indicate, "" for none."""
    for part in _JOINED.split(words):
        matches = [
            (match.start(), name) for name, pattern in _NAMES.items() for match in pattern.finditer(part)
        ]
        if matches:
            return max(matches)[1]
    return ""
