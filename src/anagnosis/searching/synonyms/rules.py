"""Rules about names: which ones a question may be expanded by, and in which spelling it has a short form.

An index does not tell capitals from small letters. So a short form that is also a word ("ALL", "CAT") would add all
passages with that word.
"""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.entities.name_forms import general_names, short_forms
from anagnosis.searching.analysis import stop_words_alone

COMMON, LEAST_COMMON = 0.25, 20  # share of the passages, and their number; what more have tells nothing apart
_SHORTEST = 3  # letters and digits
_SHORTEST_WITHOUT_NUMBER = 4
MOST_WORDS = 8  # words of a name that we look for in a question
MOST_ADDED = 8  # names that a group gets, the commonest first


def one_letter(name: str) -> bool:
    """Whether a name has fewer than two letters and digits, or is a number."""
    signs = [sign for sign in name if sign.isalnum()]
    return len(signs) < 2 or not any(sign.isalpha() for sign in signs)


def means_nothing(name: str) -> bool:
    """Whether a name is a stop word, one letter, a number, or stands for any thing of a class ("disease")."""
    return one_letter(name) or general_names(name) or stop_words_alone(name.lower())


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
