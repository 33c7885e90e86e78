"""BioRead's vocabulary (section 2): train's words that occur at least 5 times once digits are D."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, PSEUDO

MINIMUM = 5
_DIGIT = re.compile(r"[0-9]")


class WordCounts:
    """Words of train while they are counted."""

    rule = "Words of train that occur at least 5 times once digits are D."

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, words: Iterable[str]) -> None:
        """The white-space tokens of a passage or a question; one of several instances counts in each."""
        self._counts.update(words)

    def size(self) -> int:
        """Words of the vocabulary so far, with pseudo-tokens."""
        merged: Counter[str] = Counter()
        for word, count in self._counts.items():
            if word != PLACEHOLDER:
                merged[word if PSEUDO.fullmatch(word) else _DIGIT.sub("D", word)] += count
        return sum(count >= MINIMUM for count in merged.values())
