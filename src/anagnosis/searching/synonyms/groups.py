"""The names in a question that mean the same as other names, and its words that have another spelling."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple, Protocol

from anagnosis.searching.analysis import stop_word_places
from anagnosis.searching.records.expansion import SPELLING, AddedName, NameOrigin
from anagnosis.searching.synonyms.names import MOST_WORDS, key, means_nothing, words_in_order
from anagnosis.searching.synonyms.spelling import spellings

_MOST_SPELLINGS = 4  # of a name, itself among them
_MOST_NAMES = 200  # of one source that we look at
_WORD = re.compile(r"[^\W_]+")
_BETWEEN = " -'’/\u2010\u2011\u2012\u2013"  # signs between the words of a name

Words = tuple[str, ...]  # words of the index, side by side


class NameSource(Protocol):
    """A source of names. source: what records call it."""

    @property
    def source(self) -> NameOrigin: ...

    def names(self, words: str) -> Sequence[str] | None:
        """The names that mean the same as these words of a question, as typed.

        (): it knows the words, but no name may be added. None: it does not know them.
        """
        ...


class Group(NamedTuple):
    """Words of a question, as typed, with their words in the index, and other names for them, each with its words.

    begin: of the typed words, in characters of the question.
    """

    begin: int
    typed: str
    words: Words
    names: tuple[tuple[AddedName, Words], ...]


def groups(text: str, sources: Sequence[NameSource], without: Collection[str]) -> Iterator[Group]:
    """The longest names of a text, leftmost first, each once. without: names and words that are left out."""
    tokens = list(_WORD.finditer(text))
    stop_words, left_out = set(stop_word_places(text)), {key(name) for name in without}
    done = set[str]()
    place = 0
    while place < len(tokens):
        for behind in range(_last(text, tokens, place), place, -1):
            typed = text[tokens[place].start() : tokens[behind - 1].end()]
            if behind == place + 1 and place in stop_words:
                continue
            added = _names(typed, sources)
            if added is not None:
                if (form := key(typed)) not in done | left_out:
                    done.add(form)
                    group = _group(tokens[place].start(), typed, added)
                    names = tuple(each for each in group.names if key(each[0].text) not in left_out)
                    yield group._replace(names=names)
                break
        else:
            behind = place + 1
        place = behind


def spelled_words(text: str, without: Collection[str]) -> Iterator[Group]:
    """The words of a text that have other spellings. without: spellings that are left out."""
    left_out = {name.casefold() for name in without}
    for match in _WORD.finditer(text):
        typed, words = match[0].lower(), words_in_order(match[0].lower())
        if typed in left_out or len(words) != 1:
            continue
        others = [(each, words_in_order(each)) for each in spellings(typed) if each not in left_out]
        names = tuple(
            (AddedName(each, SPELLING), other) for each, other in others if len(other) == 1 and other != words
        )
        if names:
            yield Group(match.start(), match[0], words, names)


def _last(text: str, tokens: Sequence[re.Match[str]], place: int) -> int:
    """The place behind the last word that may belong to a name that begins here."""
    behind = place + 1
    while behind < min(place + MOST_WORDS, len(tokens)):
        if text[tokens[behind - 1].end() : tokens[behind].start()].strip(_BETWEEN):
            break
        behind += 1
    return behind


def _names(typed: str, sources: Sequence[NameSource]) -> list[AddedName] | None:
    """The names for these words of all sources; None if no source knows them."""
    if means_nothing(typed):
        return None
    by_source = [(each, each.names(typed)) for each in sources]
    if all(names is None for _, names in by_source):
        return None
    return [
        AddedName(name, each.source) for each, names in by_source for name in list(names or ())[:_MOST_NAMES]
    ]


def _group(begin: int, typed: str, added: Sequence[AddedName]) -> Group:
    """The group of these names in all their spellings.

    Names with the same words in another order ("Infarction, Myocardial") are one name. A name that holds another one
    ("acute myocardial infarction") is left out: where it stands, the other one stands.
    """
    own = words_in_order(typed)
    distinct: dict[Words, tuple[AddedName, Words]] = {}
    for one in sorted(added, key=lambda one: ", " in one.text):
        for words in _in_each_spelling(one.text):
            if words:
                distinct.setdefault(tuple(sorted(words)), (one, words))
    distinct.pop(tuple(sorted(own)), None)
    every = [own, *(words for _, words in distinct.values())]
    kept = (each for each in distinct.values() if not any(_holds(each[1], other) for other in every))
    return Group(begin, typed, own, tuple(kept))


def _in_each_spelling(name: str) -> Iterator[Words]:
    """The words of a name, as printed and in other spellings."""
    yield words_in_order(name)
    parts = [(match[0], *spellings(match[0].lower())) for match in _WORD.finditer(name)]
    if any(len(part) > 1 for part in parts):
        for chosen in islice(product(*parts), 1, _MOST_SPELLINGS):
            yield words_in_order(" ".join(chosen))


def _holds(words: Words, part: Words) -> bool:
    """Whether other words stand side by side inside these."""
    size = len(part)
    return words != part and any(words[at : at + size] == part for at in range(len(words) - size + 1))
