"""Equal names: regardless of case, hyphens, blanks, Greek letters, plural, order of words, spelling.

plain(name)    a key that spellings of a name share: "TNF-α" and "TNF alpha", "the kinases" and "Kinase"
alike(a, b)    whether two keys differ only in spelling: "haemophilia", "hemophilia"
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from unicodedata import combining, normalize

from anagnosis.language.inflection import singular
from anagnosis.language.plain_letters import searchable

LIKENESS = 0.9  # of two names; the thesis's fuzzy grouping (section 4.2) takes the same
_SHORTEST_ALIKE = 8  # letters; shorter names that differ by a letter are different names
_WORD = re.compile(r"[a-z0-9]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_LEFT_OUT = frozenset(("a", "an", "the", "of"))
_DIGITS = re.compile(r"[0-9]+")


@lru_cache(1 << 16)
def word_forms(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, singular, without articles."""
    text = searchable(name.strip()).partition("\n")[0].casefold()
    if not text.isascii():
        text = "".join(sign for sign in normalize("NFKD", text) if not combining(sign))
    tokens = _WORD.findall(_POSSESSIVE.sub("", text))
    return tuple(singular(word) for word in tokens if word not in _LEFT_OUT) or tuple(tokens)


def plain(name: str) -> str:
    """A key that all spellings of a name share."""
    forms = word_forms(name)
    is_phrase = all(len(form) > 2 and form.isalpha() for form in forms)  # "deficiency of factor", not "IL 2"
    return "".join(sorted(forms) if is_phrase else forms)


def alike(one: str, other: str) -> bool:
    """Whether two keys of names differ only in spelling; numbers must be equal."""
    if min(len(one), len(other)) < _SHORTEST_ALIKE or _DIGITS.findall(one) != _DIGITS.findall(other):
        return False
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    bounds = (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)  # the cheapest first
    return all(bound() > LIKENESS for bound in bounds)
