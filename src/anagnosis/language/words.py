"""Word counters by name.

blanks      counts what blanks separate
treebank    counts like NLTK's word_tokenize: Punkt, then the rules of the Penn Treebank; PubMedQA's Table 1
"""

from __future__ import annotations

from collections.abc import Callable

from anagnosis.errors import InputError
from anagnosis.registry import load

COUNTERS = {
    "treebank": "anagnosis.language.treebank_words:count",
    "blanks": "anagnosis.language.words:count_blanks",
}


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
