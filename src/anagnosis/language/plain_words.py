"""Words without a grammar: runs of letters and digits, with hyphens and apostrophes inside."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, as readers of decisions and the training of word vectors use them."""
    return _WORD.findall(text.lower())


def written_words_of(text: str) -> list[str]:
    """The words of a text in their original case."""
    return _WORD.findall(text)
