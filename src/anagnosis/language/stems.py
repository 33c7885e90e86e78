"""Stems of English words by Snowball's algorithm, for counting the words that two texts share.

Words are runs of a–z and 0–9 in the lower-cased text. The stemmer comes from the search engine's library (`search`).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from anagnosis.errors import missing_extra

_WORD = re.compile(r"[a-z0-9]+")
_LONGEST = 60  # characters; a longer run is no word and stays as it is


def stems(text: str) -> list[str]:
    """The stem of every word, in order. InputError: the library is missing."""
    return [_stem(word) for word in _WORD.findall(text.lower())]


@lru_cache(1 << 19)
def _stem(word: str) -> str:
    tokens = _analyzer().analyze(word) if len(word) <= _LONGEST else []
    return tokens[0] if tokens else word


@cache
def _analyzer() -> Any:
    try:
        import tantivy
    except ImportError as fault:
        raise missing_extra("tantivy", "search", "counting shared words by their stems") from fault
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    return builder.filter(tantivy.Filter.stemmer("english")).build()
