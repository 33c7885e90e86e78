"""The tree of a parsed query: its words as an index has them, what is required, excluded and ranked.

Plain words side by side are ranked and optional. All else is required or excluded. The words of what is required are
ranked too, since they are what the query is about; letters before a star, names and dates are not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from anagnosis.searching.aliases import alias_of
from anagnosis.searching.analysis import meaningful
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.fields import FIELDS
from anagnosis.searching.queries.names import author_parts, folded, language_key
from anagnosis.searching.queries.tree import (
    AllOf,
    AnyOf,
    InField,
    Not,
    Parsed,
    Part,
    Phrase,
    Prefix,
    Query,
    Ranked,
    Synonyms,
    Typed,
    Word,
    all_of,
    any_of,
    are_plain_words,
    each_once,
    leaves,
    with_leaves,
)
from anagnosis.searching.words import (
    LEFT_OUT,
    plain_name,
    printed_words,
    question_words,
    small_names,
    with_names,
    words_in,
    words_of,
)

# A name of letters and a number, with or without a hyphen.
_NAME = re.compile(r"(?<![^\W_])([A-Za-z]{1,20})-?([0-9]{1,20}[A-Za-z]{0,3})(?![^\W_])")
_MOST_NAMES = 3  # of a phrase that have two spellings


def ranked_words(text: str) -> list[Ranked]:
    """The words of a text without stop words."""
    names = small_names(text)
    return [word_or_name(word, names) for word in question_words(text)]


def word_or_name(word: str, names: Mapping[str, str]) -> Word | Synonyms:
    """A word of a text, or else the name that it may be. names: small_names of the text."""
    return Synonyms((Word(word), Word(names[word]))) if word in names else Word(word)


def words_query(question: str) -> Query:
    """The query of a question's words, each once, without stop words. Signs in it mean nothing."""
    return Query(tuple(ranked_words(question)))


def query_of(parsed: Parsed, words: Callable[[str], Sequence[Ranked]] = ranked_words) -> Query:
    """The tree of a parsed query. words: the ranked parts of plain words, perhaps with other names for them."""
    ranked = [
        each
        for text in topics(parsed)
        for each in (words if text.kind == "words" else ranked_words)(text.text)
    ]
    required, excluded = list[Part | None](), list[Part | None]()
    for side_by_side in parsed.parts:
        if not are_plain_words(side_by_side):
            for part in side_by_side.parts if isinstance(side_by_side, AllOf) else (side_by_side,):
                if isinstance(part, Not):
                    excluded.append(_tree(part.part))
                else:
                    required.append(_tree(part))
    return Query(tuple(dict.fromkeys(ranked)), each_once(required), each_once(excluded))


def topic(parsed: Parsed) -> str:
    """The text that sentences and vectors are compared with: all that is ranked, as typed; "" without any."""
    return " ".join(text.text for text in topics(parsed))


def topics(parsed: Parsed) -> Iterator[Typed]:
    """Words and phrases, also of text fields, that are not excluded, in order."""
    for leaf in leaves(parsed.parts):
        if isinstance(leaf, Typed) and leaf.kind != "beginning" and not _is_name(leaf):
            yield leaf


def _is_name(typed: Typed) -> bool:
    return bool(typed.field) and FIELDS[typed.field].is_name


def _tree(part: Part) -> Part | None:
    """A typed part in the words of an index; None for a part without words."""
    match part:
        case Typed() if _is_name(part):
            field = FIELDS[part.field].fields[0]
            names = [*_names(field, part), *map(Word, map(folded, part.narrower))]
            return any_of(InField(field, each) for each in names)
        case Typed():
            fields, made = FIELDS[part.field].fields if part.field else (), _words(part)
            return made and with_leaves(made, partial(_within, fields))
        case AnyOf(parts):
            return any_of(map(_tree, parts))
        case AllOf(parts):
            return all_of(map(_tree, parts))
        case Not(inner):
            made = _tree(inner)
            return None if made is None else Not(made)
        case _:
            return part


def _within(fields: Sequence[str], leaf: Part) -> Part:
    """A word, phrase or beginning that stands in one of these fields; () for any."""
    assert isinstance(leaf, Word | Phrase | Prefix)
    return any_of(InField(field, leaf) for field in fields) or leaf


def _words(typed: Typed) -> Part | None:
    """What stands in a text where these words, this phrase or this beginning does."""
    if typed.kind == "phrase":
        return phrase(typed.text)
    if typed.kind == "beginning":
        return all_of(_beginning(typed.text))
    # Each word is a phrase: a name of letters and numbers in any spelling, IL-2 and IL2.
    return all_of(map(phrase, meaningful(typed.text).split()))


def _names(field: str, typed: Typed) -> Sequence[Word | Prefix]:
    """What the index has for a name that a user typed."""
    if field in tree.AUTHOR_FIELDS:
        return author_parts(typed.text)
    if field == tree.LANGUAGE:
        return [Word(language_key(typed.text))]
    if field == tree.ALIAS:
        return [Word(alias)] if (alias := alias_of(typed.text)) else []
    name = folded(heading_in(typed.text) if field == tree.MESH else typed.text)
    if not name:
        return []
    return [Prefix(name)] if typed.kind == "beginning" else [Word(name)]


def heading_in(typed: str) -> str:
    """A MeSH term without a qualifier, which no index has."""
    return typed.partition("/")[0].strip()


def phrase(text: str) -> Part | None:
    """The words of a text one after the other, stop words too; names of letters and numbers in any spelling.

    Around a word that no index has, such as "al", the pieces are required, wherever they stand.
    """
    return all_of(_one_phrase(piece) for piece in LEFT_OUT.split(plain_name(text)))


def _one_phrase(plain: str) -> Part | None:
    spellings = _spellings(plain)
    return any_of(
        _in_order(words_in(each)) for each in dict.fromkeys((*spellings, *map(with_names, spellings)))
    )


def _spellings(text: str) -> list[str]:
    """The text with each of its first names of letters and a number as one word, and as two."""
    spellings, at = [""], 0
    for name in islice(_NAME.finditer(text), _MOST_NAMES):
        before, at = text[at : name.start()], name.end()
        forms = (name[0], name[1] + name[2] if "-" in name[0] else f"{name[1]} {name[2]}")
        spellings = [f"{each}{before}{form}" for each in spellings for form in forms]
    return [each + text[at:] for each in spellings]


def _in_order(words: Sequence[str]) -> Part | None:
    if len(words) < 2:
        return Word(words[0]) if words else None
    return Phrase(tuple(words))


def _beginning(text: str) -> list[Part]:
    """The letters before a star, and the words that a hyphen or the like puts before them."""
    words = printed_words(text)
    if not words:  # of letters, more than a word has
        return []
    *before, letters = words
    return [*(Word(word) for each in before for word in words_of(each)), Prefix(letters)]
