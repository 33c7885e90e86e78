"""The names in a question that mean the same as other names, another spelling of a word among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from anagnosis.searching.analysis import stop_word_places
from anagnosis.searching.synonyms.names import MOST_WORDS, key, means_nothing, words_in_order
from anagnosis.searching.synonyms.spelling import spellings

_MOST_SPELLINGS = 4  # of a name, itself among them
_MOST_NAMES = 200  # of a concept that we look at
_WORD = re.compile(r"[^\W_]+")
_BETWEEN = " -'’/\u2010\u2011\u2012\u2013"  # signs between the words of a name

Words = tuple[str, ...]  # words of the index, side by side
# The names that a vocabulary has for words as typed. (): it knows them, but no name may be added. None: it does not.
Lookup = Callable[[str], Sequence[str] | None]


class Group(NamedTuple):
    """Words of a question, as typed, with their words in the index, and other names for them, each with its words."""

    typed: str
    words: Words
    names: tuple[tuple[str, Words], ...]

    @property
    def all_words(self) -> list[Words]:
        """The words of every name, its own first."""
        return [self.words, *(words for _, words in self.names)]


def groups(text: str, vocabulary: Lookup, without: Collection[str]) -> Iterator[Group]:
    """The longest names of a text, leftmost first, each once. without: names and words that are left out."""
    tokens = [match.span() for match in _WORD.finditer(text)]
    stop_words, done = set(stop_word_places(text)), {key(name) for name in without}
    left_out, place = frozenset(done), 0
    while place < len(tokens):
        begin, behind = tokens[place][0], place + 1
        while behind < min(place + MOST_WORDS, len(tokens)):  # the words that may belong to one name
            if text[tokens[behind - 1][1] : tokens[behind][0]].strip(_BETWEEN):
                break
            behind += 1
        added, typed = None, ""
        while added is None and behind > place:
            typed = text[begin : tokens[behind - 1][1]]
            if behind > place + 1 or place not in stop_words:
                added = _names(typed, vocabulary)
            behind -= 1
        if added is not None and (form := key(typed)) not in done:
            done.add(form)
            group = _group(typed, added)
            yield group._replace(names=tuple(one for one in group.names if key(one[0]) not in left_out))
        place = max(behind, place) + 1


def _names(typed: str, vocabulary: Lookup) -> list[str] | None:
    """The names for these words; None if the vocabulary does not know them, and they have one spelling."""
    if means_nothing(typed):
        return None
    names, spelled = vocabulary(typed), spellings(typed.lower())
    if names is None and not spelled:
        return None
    return [*(names or ())[:_MOST_NAMES], *spelled]


def _group(typed: str, added: Sequence[str]) -> Group:
    """The group of these names in all their spellings.

    Names with the same words in another order ("Infarction, Myocardial") are one name. A name that holds another one
    ("acute myocardial infarction") is left out: where it stands, the other one stands.
    """
    own = words_in_order(typed)
    distinct: dict[Words, tuple[str, Words]] = {}
    ordered = sorted(added, key=lambda name: ", " in name)
    as_printed = [(name, words_in_order(name)) for name in ordered]
    for name, words in (*as_printed, *_in_other_spellings(ordered)):
        if words:
            distinct.setdefault(tuple(sorted(words)), (name, words))
    distinct.pop(tuple(sorted(own)), None)
    every = [own, *(words for _, words in distinct.values())]
    kept = (each for each in distinct.values() if not any(_holds(each[1], other) for other in every))
    return Group(typed, own, tuple(kept))


def _in_other_spellings(names: Iterable[str]) -> Iterator[tuple[str, Words]]:
    """Names with their words in other spellings."""
    for name in names:
        parts = [(match[0], *spellings(match[0].lower())) for match in _WORD.finditer(name)]
        for chosen in islice(product(*parts), 1, _MOST_SPELLINGS):
            yield name, words_in_order(" ".join(chosen))


def _holds(words: Words, part: Words) -> bool:
    """Whether other words stand side by side inside these."""
    size = len(part)
    return words != part and any(words[at : at + size] == part for at in range(len(words) - size + 1))
