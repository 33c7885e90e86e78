"""Stems of English words by Snowball's algorithm, for counting the words that two texts share.

Words are runs of a–z and 0–9 in the lower-cased text.
"""

from __future__ import annotations

import re

import Stemmer

_WORD = re.compile(r"[a-z0-9]+")
_LONGEST = 60  # characters; a longer run is no word and stays as it is


def stems(text: str) -> list[str]:
    """The stem of every word, in order."""
    words = _WORD.findall(text.lower())
    stemmer = Stemmer.Stemmer(
        "english", 0
    )  # one stemmer is not for several threads, and its cache only costs time
    return [
        stem if len(word) <= _LONGEST else word
        for word, stem in zip(words, stemmer.stemWords(words), strict=True)
    ]
