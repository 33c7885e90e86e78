"""Words of a text without a grammar (letters and digits, with hyphens and apostrophes inside), and word counters.

blanks      counts what blanks separate
treebank    counts like NLTK's word_tokenize: Punkt, then the rules of the Penn Treebank; PubMedQA's Table 1
"""

from __future__ import annotations

import re
from collections.abc import Callable

from anagnosis.errors import InputError
from anagnosis.registry import load

COUNTERS = {
    "treebank": "anagnosis.language.treebank_words:count",
    "blanks": "anagnosis.language.words:count_blanks",
}
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


def counter() -> tuple[str, Callable[[str], int]]:
    """(name, counter): the paper's counter if its packages are installed, else blanks."""
    for name in COUNTERS:
        try:
            return name, load(COUNTERS[name])
        except InputError:
            continue
    return "blanks", count_blanks


def count_blanks(text: str) -> int:
    """The number of white-space tokens."""
    return len(text.split())


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, as readers of decisions and the training of word vectors use them."""
    return _WORD.findall(text.lower())


def written_words_of(text: str) -> list[str]:
    """The words of a text in their original case."""
    return _WORD.findall(text)
