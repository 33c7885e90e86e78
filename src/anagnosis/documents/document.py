"""The document: a paper's text in sections, with mentions that carry identifiers, relations and facts.

The full text is the sections joined by one newline, a section's title being a line of its own. Offsets are
characters of that text, end exclusive. A mention keeps its identifier as the raw string it was read with;
the empty string means that the file linked it to nothing.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

# How files write "linked to nothing", whatever the case; blanks around an identifier say nothing either.
UNLINKED = frozenset(("", "-", "-1", "na", "n/a", "nil", "none", "null", "unknown", "cui-less"))

HEADING_PATH = " › "
"""Between the headings above a section, the outermost first, in its title: "Methods › People"."""


@lru_cache(maxsize=1 << 16)
def linked(identifier: str) -> str:
    """The identifier as the file spells it, without blanks around it; empty where it links to nothing."""
    bare = identifier.strip()
    return "" if bare.lower() in UNLINKED else bare


class Section(msgspec.Struct, frozen=True, gc=False):
    """One part of a document. label: "title", "abstract", or the source's own word, in lower case.

    title: its heading as printed, the label of a part of a structured abstract. category: which class of part the
    source counts it among (MEDLINE: BACKGROUND, OBJECTIVE, METHODS, RESULTS, CONCLUSIONS, UNASSIGNED).
    """

    label: str
    text: str
    title: str = ""
    category: str = ""


class Mention(msgspec.Struct, frozen=True, gc=False):
    """Where an entity is named. spans: one or more (start, end) in characters of the document's text."""

    spans: tuple[tuple[int, int], ...]
    text: str
    type: str
    identifier: str

    @property
    def start(self) -> int:
        return self.spans[0][0]

    @property
    def end(self) -> int:
        return self.spans[-1][1]


class Relation(msgspec.Struct, frozen=True, gc=False):
    """A row or element that links identifiers: its type, what it links, and anything else as read."""

    type: str
    arguments: tuple[str, ...]


class Document(msgspec.Struct, frozen=True, gc=False):
    """A paper. facts: date, journal, type, links, … as plain strings, in the order they were read."""

    id: str
    sections: tuple[Section, ...]
    mentions: tuple[Mention, ...] = ()
    relations: tuple[Relation, ...] = ()
    facts: dict[str, str] = {}

    @property
    def text(self) -> str:
        """The sections joined by one newline, a section's title a line of its own."""
        return "\n".join(
            line for s in self.sections for line in ((s.title, s.text) if s.title else (s.text,))
        )

    @property
    def title(self) -> str:
        """The text of the first section labelled title, or the empty string."""
        for section in self.sections:
            if section.label == "title":
                return section.text
        return ""
