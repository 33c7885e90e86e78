"""How many words a text has, by a named way of counting.

blanks      what blanks separate
treebank    as NLTK's word_tokenize: sentences by Punkt, then the rules of the Penn Treebank; PubMedQA's Table 1
"""

from __future__ import annotations

from collections.abc import Callable

from anagnosis.errors import InputError
from anagnosis.registry import find

COUNTERS = {
    "treebank": "anagnosis.language.treebank_words:count",
    "blanks": "anagnosis.language.words:count_blanks",
}


def counter() -> tuple[str, Callable[[str], int]]:
    """The paper's way of counting where its packages are installed, else by blanks; its name first."""
    for name in COUNTERS:
        try:
            return name, find(COUNTERS, "anagnosis.word_counters", name, "way of counting words")
        except InputError:
            continue
    return "blanks", count_blanks


def count_blanks(text: str) -> int:
    """White-space tokens."""
    return len(text.split())
