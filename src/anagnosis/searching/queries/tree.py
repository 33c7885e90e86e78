"""The tree of a query: first as its user typed it (grammar.py), then as every engine searches it (meaning.py).

What was typed has leaves of verbatim text (Typed). The words of all other leaves are those of the index (words.py).

Ranked parts give a paper its score, and none of them has to stand in it; required and excluded parts are conditions
on it, and change no score. A query without ranked parts gives every paper that meets its conditions the score 0.

A part of a text field (TEXT_FIELDS) is looked for among words. A part of a name field (NAME_FIELDS) is one whole name:
a Word is the name as `names.py` folds it, a Prefix its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from msgspec import Struct

from anagnosis.searching import filters

TITLE, ABSTRACT = "title", "abstract"
AUTHOR, MESH, KEYWORD, ALIAS = "author", "mesh", "keyword", "alias"
FIRST_AUTHOR, LAST_AUTHOR, LANGUAGE, FILTER = "first_author", "last_author", "language", "filter"
JOURNAL, TYPE = filters.JOURNAL.field, filters.TYPE.field
TEXT_FIELDS = (TITLE, ABSTRACT)
AUTHOR_FIELDS = (AUTHOR, FIRST_AUTHOR, LAST_AUTHOR)
NAME_FIELDS = (
    *(*AUTHOR_FIELDS, MESH, KEYWORD, ALIAS, LANGUAGE, FILTER),
    *(one.field for one in filters.NAME_FILTERS),
)


class Word(Struct, frozen=True, tag=True):
    """One word of the index (in a name field: one folded name)."""

    text: str


class Phrase(Struct, frozen=True, tag=True):
    """Two or more words of the index, one directly after the other, stop words included."""

    words: tuple[str, ...]


class Prefix(Struct, frozen=True, tag=True):
    """Any word that is printed with these first letters, in lower case and without accents.

    The letters belong to the printed word, not to its stem: `hypertensi` fits hypertension, whose stem is hypertens.
    """

    letters: str


class Synonyms(Struct, frozen=True, tag=True):
    """Words and phrases that mean the same. A passage gets the best of their scores.

    typed: the words that one of the members stands for, as somebody wrote them; they count wherever they stand, beside
    each other or not, and the sum of their scores is one more.
    """

    members: tuple[Word | Phrase, ...]
    typed: tuple[Word, ...] = ()


class InField(Struct, frozen=True, tag=True):
    """A part that must stand in one field: of TEXT_FIELDS (any leaf), or of NAME_FIELDS (a Word or a Prefix)."""

    field: str
    part: Word | Phrase | Prefix | Synonyms


class Dates(Struct, frozen=True, tag=True):
    """Dates in the form of Filters, both inclusive. "" is open; undated papers do not match.

    One date alone, such as 2018-05, is that of papers that state it, not of those that state 2018; a range has the
    papers whose interval overlaps it. field: "date" of publication, or "added" to a library.
    """

    since: str = ""
    until: str = ""
    field: str = "date"

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Spans of the dates (filters.date_number) that match, both inclusive."""
        spans = filters.date_spans(self.since, self.until)
        return spans[:1] if self.since == self.until else spans


class AnyOf(Struct, frozen=True, tag=True):
    """At least one of these parts, of which there are two or more."""

    parts: tuple[Part, ...]


class AllOf(Struct, frozen=True, tag=True):
    """All of these parts, two or more, in any passages of a paper, or any fields. Of none: every paper."""

    parts: tuple[Part, ...]


class Not(Struct, frozen=True, tag=True):
    """Papers without this part. It is never alone: a part of AllOf, beside one that is no Not, or inside AnyOf."""

    part: Part


class Typed(Struct, frozen=True, tag=True):
    """What somebody typed, verbatim: words, a phrase without its quotes, or a beginning of a word without its star.

    field: of fields.FIELDS, "" for none. narrower: MeSH terms, any of which counts as this one.
    """

    text: str
    kind: Literal["words", "phrase", "beginning"] = "words"
    field: str = ""
    narrower: tuple[str, ...] = ()


Part = Word | Phrase | Prefix | Synonyms | InField | Dates | AnyOf | AllOf | Not | Typed
Ranked = Word | Phrase | Synonyms


class Parsed(Struct, frozen=True):
    """A parsed query. parts: side by side; plain words among them are optional, all others are conditions.

    repairs: how malformed parts were read, one sentence each.
    """

    parts: tuple[Part, ...]
    repairs: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it has only plain words."""
        return all(map(are_plain_words, self.parts))


def are_plain_words(part: Part) -> bool:
    """Whether a part is words without a field."""
    return isinstance(part, Typed) and part.kind == "words" and not part.field


def with_leaves(part: Part, change: Callable[[Part], Part]) -> Part:
    """A part whose leaves are changed."""
    match part:
        case AnyOf(parts) | AllOf(parts):
            return type(part)(tuple(with_leaves(each, change) for each in parts))
        case Not(inner):
            return Not(with_leaves(inner, change))
        case _:
            return change(part)


def leaves(parts: Iterable[Part]) -> Iterator[Part]:
    """The leaves of some parts in order, without what is excluded."""
    for part in parts:
        match part:
            case AnyOf(inside) | AllOf(inside):
                yield from leaves(inside)
            case Not():
                pass
            case leaf:
                yield leaf


def each_once(parts: Iterable[Part | None]) -> tuple[Part, ...]:
    """These parts, each once."""
    return tuple(dict.fromkeys(part for part in parts if part is not None))


def any_of(parts: Iterable[Part | None]) -> Part | None:
    """Any of these parts, each once; None without any."""
    some = each_once(parts)
    return AnyOf(some) if len(some) > 1 else next(iter(some), None)


def all_of(parts: Iterable[Part | None]) -> Part | None:
    """All of these parts, each once; None without any."""
    every = each_once(parts)
    return AllOf(every) if len(every) > 1 else next(iter(every), None)


class Query(Struct, frozen=True):
    """A query. ranked: optional, gives the scores; required: each must hold; excluded: none may hold.

    With nothing required a passage needs at least one of the ranked parts. A query of excluded parts alone, or of
    nothing, has no passages.
    """

    ranked: tuple[Ranked, ...] = ()
    required: tuple[Part, ...] = ()
    excluded: tuple[Part, ...] = ()


NOTHING = Query()
EVERY_PAPER = Query((), (AllOf(()),))


def required_names(query: Query, field: str) -> list[str]:
    """The whole names that a query requires in a name field, also as one of several."""
    return [
        leaf.part.text
        for leaf in leaves(query.required)
        if isinstance(leaf, InField) and leaf.field == field and isinstance(leaf.part, Word)
    ]


def required_beginnings(query: Query) -> list[str]:
    """The letters with which a word of a text must begin, also as one of several conditions."""
    texts = (
        leaf.part if isinstance(leaf, InField) and leaf.field in TEXT_FIELDS else leaf
        for leaf in leaves(query.required)
    )
    return list(dict.fromkeys(part.letters for part in texts if isinstance(part, Prefix)))
