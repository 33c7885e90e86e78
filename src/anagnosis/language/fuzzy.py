"""Similarity of two short texts from 0 to 100, by RapidFuzz's functions; the thesis (4.6) took fuzzywuzzy's.

All but `ratio` and `partial_ratio` process both texts first, as fuzzywuzzy 0.18.0 does: delete the characters U+0080 to
U+00FF, replace what is no letter, digit or underscore by a blank, lower-case, strip. Values are whole numbers. The
windows of a longer text are others than fuzzywuzzy's, which moves few values over 90 (design/bioasq.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from rapidfuzz import fuzz

from anagnosis.errors import unknown_name

USUAL = "WRatio"
SIMILARITIES = (USUAL, "QRatio", "ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio")
_AS_THEY_ARE = ("ratio", "partial_ratio")
_NO_WORD = re.compile(r"\W")
_LATIN_1 = dict.fromkeys(range(0x80, 0x100))
_REMEMBERED = 1 << 12


@cache
def similarity_named(name: str) -> Callable[[str, str], int]:
    """The function of that name. InputError: there is none."""
    if name not in SIMILARITIES:
        raise unknown_name("similarity function", name, SIMILARITIES, "similarity")
    function, process = getattr(fuzz, name), None if name in _AS_THEY_ARE else processed
    return lambda a, b: round(function(a, b, processor=process))


def at_least(a: str, b: str, level: int, function: str = USUAL) -> bool:
    """Whether the similarity reaches a level."""
    return similarity_named(function)(a, b) >= level


@lru_cache(_REMEMBERED)
def processed(text: str) -> str:
    """The text as the functions of words read it."""
    return _NO_WORD.sub(" ", text.translate(_LATIN_1)).lower().strip()
