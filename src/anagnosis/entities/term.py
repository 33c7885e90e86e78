"""A term of a vocabulary: a concept with its identifier, its preferred name, its synonyms and its semantic types."""

from __future__ import annotations

import msgspec

EXACT, NARROW, BROAD, RELATED = "exact", "narrow", "broad", "related"


class Synonym(msgspec.Struct, frozen=True, gc=False):
    """Another name of a term.

    scope: "exact", "narrow", "broad", "related", or "" where the file gives none. marks: what else the file says about
    the name ("suppressed", "other language").
    """

    text: str
    scope: str = EXACT
    marks: tuple[str, ...] = ()


class Term(msgspec.Struct, frozen=True, gc=False):
    """A concept. One file may hold a term in several parts with the same identifier; `Vocabulary` joins them.

    name: the preferred name, "" in a part that has none. types: semantic types in the file's words. parents:
    identifiers of broader terms. mapped_to: identifiers of terms whose types count where a term has none.
    alternatives: other identifiers of the same concept, such as those of terms merged into it. references: the
    concept's identifiers in other vocabularies. obsolete: no longer in use. tree_numbers: of a MeSH heading, C14.907.
    """

    identifier: str
    name: str = ""
    synonyms: tuple[Synonym, ...] = ()
    types: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    mapped_to: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    obsolete: bool = False
    tree_numbers: tuple[str, ...] = ()
