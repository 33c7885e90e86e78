"""A document cut into passages, which an engine stores: each a verbatim piece of one section.

A section is a passage; one longer than LONGEST characters is cut at the ends of lines, or of sentences. The title goes
with every passage, and is one by itself only where a document has nothing else.

Mentions that the document's source marks stay with the text that they lie in. One of several places, one that a cut
divides, and one whose text is not what stands there are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from anagnosis.documents.document import Document, Mention, Section, linked
from anagnosis.searching.records.passage import NOTICES, Entity, Passage
from anagnosis.searching.section_names import section_name

LONGEST = 4000
# Facts of a document that a reader of its passages wants to see.
TOLD = (
    *("date", "year", "journal", "types", "doi", "pmid", "pmcid", "id_of", "language", "licence"),
    *NOTICES,
)
_TOLD = frozenset(TOLD)
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


def passages(document: Document) -> list[Passage]:
    """All passages of a document, in its order."""
    title = document.title[:LONGEST_TITLE]
    facts = {name: told for name, told in document.facts.items() if told and name in _TOLD}
    found: list[Passage] = []
    begins: list[int] = []
    at, of_title = 0, -1  # characters of the document's text; that the title begins at
    for section in document.sections:
        at += len(section.title) + 1 if section.title else 0
        if section.label == "title" and of_title < 0:
            of_title = at
        begin = at
        if is_read(section):
            name = section_name(section)
            for text in pieces_of(section.text):
                if text.strip():
                    found.append(Passage(document.id, len(found), name, section.title, title, text, facts))
                    begins.append(begin)
                begin += len(text)
        at += len(section.text) + 1
    if not found and title.strip():
        found, begins = [Passage(document.id, 0, "title", "", title, title, facts)], [of_title]
    if not document.mentions:
        return found
    marked = _Marked(document.mentions)
    titled = marked.inside(title, of_title)
    return [
        msgspec.structs.replace(passage, entities=marked.inside(passage.text, begin), title_entities=titled)
        for passage, begin in zip(found, begins, strict=True)
    ]


def left_out(document: Document, found: Sequence[Passage]) -> int:
    """How many mentions of a document its passages do not have. found: as `passages` gives them."""
    titled = found[0].title_entities if found[0].section != "title" else ()
    return len(document.mentions) - len(titled) - sum(len(passage.entities) for passage in found)


class _Marked:
    """A document's mentions of one place each, by where they begin."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        self.mentions = sorted(
            (*one.spans[0], one.text, one.type, linked(one.identifier))
            for one in mentions
            if len(one.spans) == 1 and one.text
        )
        self.begins = [one[0] for one in self.mentions]

    def inside(self, text: str, at: int) -> tuple[Entity, ...]:
        """Those that lie in a text and are what stands there. at: where it begins in the document's text."""
        last = at + len(text)
        own = self.mentions[bisect_left(self.begins, at) : bisect_left(self.begins, last)]
        return tuple(
            [
                Entity(begin - at, end - at, kind, identifier)
                for begin, end, said, kind, identifier in own
                if end <= last and text[begin - at : end - at] == said
            ]
        )


def is_read(section: Section) -> bool:
    """Whether a section's text is searched; the title's is, with every passage."""
    return section.label.casefold() not in _LEFT_OUT


def pieces_of(text: str, longest: int = LONGEST) -> Iterable[str]:
    """The text in pieces of at most `longest` characters, which follow each other without a gap."""
    return _cut(text, longest) if len(text) > longest else (text,) if text else ()


def _cut(text: str, longest: int) -> Iterator[str]:
    begin = 0
    while len(text) - begin > longest:
        ends = [found.end() for found in _END.finditer(text, begin + longest // 2, begin + longest)]
        blank = text.rfind(" ", begin + 1, begin + longest)
        end = ends[-1] if ends else blank + 1 if blank > begin else begin + longest
        yield text[begin:end]
        begin = end
    if begin < len(text):
        yield text[begin:]
