"""The document: a paper's text in sections, with mentions that carry identifiers, relations and facts.

The full text is the sections joined by one newline; a section's title is a separate line. Offsets count
characters of that text, end exclusive. A mention keeps the file's identifier as a raw string; "" means that
the file links the mention to nothing.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

# How files write "linked to nothing", in any case and with any blanks around it.
UNLINKED = frozenset(("", "-", "-1", "na", "n/a", "nil", "none", "null", "unknown", "cui-less"))
SENTENCE_OFFSETS = "sentence_offsets"
"""A fact: the start and end of each sentence in characters of the document's text, "0 15 16 35"."""
HEADING_PATH = " › "
"""Separator of nested headings in a section's title, the outermost first: "Methods › People"."""

NOTES = "note"
"""Label of a section with what the user of a library notes on a paper."""


@lru_cache(maxsize=1 << 16)
def linked(identifier: str) -> str:
    """The identifier without blanks around it; "" where the file links to nothing."""
    bare = identifier.strip()
    return "" if bare.lower() in UNLINKED else bare


class Section(msgspec.Struct, frozen=True, gc=False):
    """One part of a document. label: "title", "abstract", or the source's word, in lower case.

    title: the printed heading, such as the label of a part of a structured abstract. category: the source's class of
    the part (MEDLINE: BACKGROUND, OBJECTIVE, METHODS, RESULTS, CONCLUSIONS, UNASSIGNED). page_map: where the text
    stands on the pages of a file (page_map.py), "" where that is unknown.
    """

    label: str
    text: str
    title: str = ""
    category: str = ""
    page_map: str = ""


class Mention(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Where an entity is named. spans: one or more (start, end) in characters of the document's text.

    name: the preferred name of its concept, "" where the source gives none.
    """

    spans: tuple[tuple[int, int], ...]
    text: str
    type: str
    identifier: str
    name: str = ""

    @property
    def start(self) -> int:
        return self.spans[0][0]

    @property
    def end(self) -> int:
        return self.spans[-1][1]


class Relation(msgspec.Struct, frozen=True, gc=False):
    """A link between identifiers: its type, the identifiers, and any further values of the row or element."""

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
        """The sections joined by one newline; a section's title is a separate line."""
        return "\n".join(f"{one.title}\n{one.text}" if one.title else one.text for one in self.sections)

    @property
    def title(self) -> str:
        """The text of the first section labelled title, or the empty string."""
        return next((section.text for section in self.sections if section.label == "title"), "")
