"""Journals by the names that users type: without "The" and a place in brackets, or abbreviated as MEDLINE does it.

lancet  →  Lancet (London, England)        N Engl J Med  →  The New England journal of medicine
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from anagnosis.searching.queries.names import folded

MOST = 5  # journals that one name may mean
# Words that an abbreviation leaves out.
_SMALL_WORDS = "the of and in for on at to de la le les et und der die fur"
_SMALL = frozenset(_SMALL_WORDS.split())
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*\Z")
_WORD = re.compile(r"[^\W_]+")
Fits = Callable[[str, str], bool]


def beginnings(typed: str) -> list[str]:
    """What the names begin with that a user may mean, folded; [] for a name without words."""
    words = _WORD.findall(folded(typed))
    first = next((word for word in words if word != "the"), "")
    return [first, f"the {first}"] if first else []


def journals_meant(typed: str, names: Iterable[str]) -> list[str]:
    """The names that a user means: the same name, else those it abbreviates; at most MOST, [] for more."""
    wanted = _words(typed)
    every = [(name, _words(name)) for name in names]
    for fits in _FITS:
        meant = [name for name, words in every if wanted and _fit(wanted, words, fits)]
        if meant:
            return meant if len(meant) <= MOST else []
    return []


def _words(name: str) -> list[str]:
    """The words that an abbreviation has too."""
    words = _WORD.findall(_QUALIFIER.sub("", folded(name)))
    return [word for word in words if word not in _SMALL] or words


def _fit(typed: Sequence[str], words: Sequence[str], fits: Fits) -> bool:
    return len(typed) == len(words) and all(map(fits, typed, words))


def _contracted(typed: str, word: str) -> bool:
    """Whether a word has the letters in this order, the first one first: Natl, National."""
    letters = iter(word[1:])
    return word[:1] == typed[:1] and all(letter in letters for letter in typed[1:])


_FITS: tuple[Fits, ...] = (
    lambda typed, word: word == typed,
    lambda typed, word: word.startswith(typed),
    _contracted,
)
