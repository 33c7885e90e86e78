"""The names of a vocabulary as an index sees them: the key under which a question has a name, and its words in order.

A key is the same for singular and plural, for British and American spelling, and for all spellings of a name with a
number (IL-6, IL6, IL 6).

An index does not tell capitals from small letters. So a short form that is also a word ("ALL", "CAT") would add all
passages with that word: the rules say which names a question may be expanded by, and in which spelling it has a short
form.

Names are compared by the stems of their words, and a stem joins more than inflections: ageing and aged, organs and
organizations, nurses and nursing. So the printed words of two names that are one must be alike too, but for plurals
(`same_name`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from anagnosis.entities.name_forms import general_names, short_forms
from anagnosis.language.inflection import singular
from anagnosis.language.plain_letters import searchable
from anagnosis.searching.analysis import stop_words_alone
from anagnosis.searching.records.hits import Equivalent
from anagnosis.searching.synonyms.spelling import american
from anagnosis.searching.words import plain_name, printed_words, words_in

_WORD = re.compile(r"[^\W_]+")
_BEFORE_NUMBER = re.compile(r"(?<=[a-z])(?=[0-9])")
_ONE_NAME = re.compile(r"[A-Za-z]+-?[0-9]+[A-Za-z]{0,3}")
_KEYS = 1 << 15  # size of the cache: the names of a question's concepts
COMMON, LEAST_COMMON = 0.25, 20  # share of the passages, and their number; what more have tells nothing apart
_SHORTEST = 3  # letters and digits
_SHORTEST_WITHOUT_NUMBER = 4
MOST_WORDS = 8  # words of a name that we look for in a question
MOST_ADDED = 8  # names that a group gets, the commonest first
_NO_PLURALS = frozenset(("aids", "glasses"))
_LETTERS = re.compile(r"[a-z]+")


@lru_cache(maxsize=_KEYS)
def key(name: str) -> str:
    """The form in which names are compared; "" for a name without words."""
    words = words_in(_WORD.sub(lambda match: american(match[0]), plain_name(name).lower()))
    return _BEFORE_NUMBER.sub(" ", " ".join(words))


@lru_cache(maxsize=_KEYS)
def words_in_order(name: str) -> tuple[str, ...]:
    """The words that passages with this name have side by side; of "IL-6" the one word "IL6", which all have."""
    plain, _, others = searchable(" ".join(name.split())).partition("\n")
    return tuple(words_in(others if others and _ONE_NAME.fullmatch(plain) and "-" in plain else plain))


def with_equivalents(words: Sequence[str], equivalents: Iterable[Equivalent]) -> Sequence[str]:
    """The words of a text in their order, followed by the question's words whose names stand in it."""
    present, implied = frozenset(words), set[str]()
    for each in equivalents:
        if not each.words <= present and any(_stands(name, words, present) for name in each.names):
            implied |= each.words
    return [*words, *sorted(implied)] if implied else words


def _stands(name: tuple[str, ...], words: Sequence[str], present: frozenset[str]) -> bool:
    """Whether the words of a name stand side by side. present: all of the words."""
    if not present.issuperset(name):
        return False
    size = len(name)
    return size == 1 or any(
        tuple(words[at : at + size]) == name for at, word in enumerate(words) if word == name[0]
    )


def means_nothing(name: str) -> bool:
    """Whether a name is a stop word, one letter, a number, or stands for any thing of a class ("disease")."""
    number = not any(map(str.isalpha, name))
    return number or general_names(name) or stop_words_alone(name.lower())


def too_short_to_add(name: str) -> bool:
    """Whether a name of a vocabulary is a short form that may well be another word: two signs, or three letters."""
    signs = [sign for sign in name if sign.isalnum()]
    numbered = any(sign.isdigit() for sign in signs)
    return len(signs) < _SHORTEST or (
        short_forms(name) and not numbered and len(signs) < _SHORTEST_WITHOUT_NUMBER
    )


def is_spelled_so(words: str, names: Sequence[str]) -> bool:
    """Whether a question's words are one of these names, all of one key, with respect to capitals.

    A short form has to be written as it is ("AIDS"), with a plural's s or not, unless it has a number ("il-6").
    """
    if any(not short_forms(name) for name in names) or any(sign.isdigit() for sign in words):
        return True
    return words in names or words.removesuffix("s") in names


def same_name(one: str, other: str) -> bool:
    """Whether two names with one key are one name, word by word, but for plurals."""
    words, others = _printed(one), _printed(other)
    if len(words) != len(others):  # IL6, IL-6; the key has compared them
        return True
    return all(_same_word(*pair) for pair in zip(words, others, strict=True))


def _printed(name: str) -> list[str]:
    return printed_words(_LETTERS.sub(lambda match: american(match[0]), plain_name(name).lower()))


def _same_word(one: str, other: str) -> bool:
    """Whether two words are one, or one is the plural of the other."""
    if not _NO_PLURALS.isdisjoint((one, other)):
        return one == other
    return one.rstrip("s") == other.rstrip("s") or singular(one) == singular(other)
