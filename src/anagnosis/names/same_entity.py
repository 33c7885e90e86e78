"""Equal names: regardless of case, hyphens, blanks, Greek letters, plural, order of words, spelling, abbreviations.

    plain(name)           a key that spellings of a name share: "TNF-α" and "TNF alpha", "the kinases" and "Kinase"
    abbreviations(text)   (short, long) where a text gives both: "epidermal growth factor receptor (EGFR)"
    alike(a, b)           whether two keys differ only in spelling: "haemophilia", "hemophilia"

Abbreviations follow Schwartz and Hearst (A simple algorithm for identifying abbreviation definitions in biomedical
text, PSB 2003): match the letters of the short form, from its last, in the words before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from unicodedata import combining, normalize

from anagnosis.language.plain_letters import searchable

LIKENESS = 0.9  # of two names; the thesis's fuzzy grouping (section 4.2) takes the same
_SHORTEST_ALIKE = 8  # letters; shorter names that differ by a letter are different names
_WORD = re.compile(r"[a-z0-9]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_LEFT_OUT = frozenset(("a", "an", "the", "of"))
# Nouns that often follow a name: "the plakoglobin gene".
CLASSES = ("gene", "protein")
_BRACKET = re.compile(r"\(([^()]{2,40})\)")
_LONGEST_SHORT = 10
_DIGITS = re.compile(r"[0-9]+")


@lru_cache(1 << 16)
def word_forms(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, singular, without articles."""
    text = searchable(name).partition("\n")[0].casefold()
    if not text.isascii():
        text = "".join(sign for sign in normalize("NFKD", text) if not combining(sign))
    tokens = _WORD.findall(_POSSESSIVE.sub("", text))
    return tuple(singular(word) for word in tokens if word not in _LEFT_OUT) or tuple(tokens)


def plain(name: str) -> str:
    """A key that all spellings of a name share."""
    forms = word_forms(name)
    return "".join(sorted(forms) if _is_phrase(forms) else forms)


def _is_phrase(forms: tuple[str, ...]) -> bool:
    """Whether the order of the words is free: "deficiency of factor", not "IL 2"."""
    return all(len(form) > 2 and form.isalpha() for form in forms)


def singular(word: str) -> str:
    """The singular of a word in lower case."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("sses"):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def alike(one: str, other: str) -> bool:
    """Whether two keys of names differ only in spelling; numbers must be equal."""
    if min(len(one), len(other)) < _SHORTEST_ALIKE or _DIGITS.findall(one) != _DIGITS.findall(other):
        return False
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return (
        matcher.real_quick_ratio() > LIKENESS
        and matcher.quick_ratio() > LIKENESS
        and matcher.ratio() > LIKENESS
    )


def abbreviations(text: str) -> Iterator[tuple[str, str]]:
    """(short, long) pairs of a text, verbatim: "long form (SHORT)", and "SHORT (long form)"."""
    for match in _BRACKET.finditer(text):
        inside, before = match[1].strip(), text[: match.start()].rstrip()
        if _is_short(inside):
            if long := _long_form(inside, before):
                yield inside, long
        elif " " in inside:
            short = before.rpartition(" ")[2].strip("([,;:")
            if _is_short(short) and _long_form(short, inside) == inside:
                yield short, inside


def _is_short(text: str) -> bool:
    letters = sum(sign.isalpha() for sign in text)
    return (
        2 <= len(text) <= _LONGEST_SHORT
        and " " not in text
        and text[0].isalnum()
        and letters > 0
        and any(sign.isupper() or sign.isdigit() for sign in text)
    )


def _long_form(short: str, before: str) -> str:
    """The words before a short form that its letters come from; "" if there are none."""
    letters = [sign.lower() for sign in short if sign.isalnum()]
    most = min(len(letters) + 5, len(letters) * 2)  # words, as in the paper
    starts = [match.start() for match in re.finditer(r"\S+", before)][-most:]
    if not starts:
        return ""
    text = before[starts[0] :].lower()
    at = len(text)
    for place in range(len(letters) - 1, -1, -1):
        at -= 1
        while at >= 0 and not (
            text[at] == letters[place] and (place or at == 0 or not text[at - 1].isalnum())
        ):
            at -= 1
        if at < 0:
            return ""
    long = before[starts[0] + at :]
    return long if len(long) > len(short) and long.casefold() != short.casefold() else ""
