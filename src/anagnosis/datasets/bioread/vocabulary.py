"""BioRead's vocabulary (section 2): train's words that occur at least 5 times once digits are D; others become UNK.

    type-3 → counted as type-D, written as type-3 where type-D is known, else as UNK

A word is what stands between white space. Pseudo-tokens and the placeholder are never replaced: an UNK in their place
could not be answered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from anagnosis.datasets.bioread.text_form import HIDDEN, Row
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, PSEUDO, ClozeInstance
from anagnosis.datasets.kinds.cloze_views import view

MINIMUM = 5
UNKNOWN = "UNK"
_DIGIT = re.compile(r"[0-9]")
_WORD = re.compile(r"\S+")


class KnownWords(NamedTuple):
    """words: those that are known, with D for digits. distinct, tokens: of train, before the limit."""

    words: frozenset[str]
    distinct: int
    tokens: int

    def applied(self, row: Row) -> Row:
        """The row with UNK for every word that is not known."""
        passage, question = self._known(row.passage), self._known(row.question)
        return msgspec.structs.replace(row, passage=passage, question=question)

    def _known(self, text: str) -> str:
        return _WORD.sub(lambda found: found[0] if self._holds(found[0]) else UNKNOWN, text)

    def _holds(self, word: str) -> bool:
        return HIDDEN in word or PSEUDO.search(word) is not None or with_digits_as_d(word) in self.words


def with_digits_as_d(word: str) -> str:
    """The word with D for each digit."""
    return _DIGIT.sub("D", word)


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
        return sum(count >= MINIMUM for count in self._merged().values())

    def vocabulary(self) -> KnownWords:
        """The vocabulary of what was counted so far."""
        of_word = self._merged()
        words = frozenset(word for word, count in of_word.items() if count >= MINIMUM)
        return KnownWords(words, len(of_word), sum(of_word.values()))

    def _merged(self) -> Counter[str]:
        of_word: Counter[str] = Counter()
        for word, count in self._counts.items():
            if word != PLACEHOLDER:
                of_word[word if PSEUDO.fullmatch(word) else with_digits_as_d(word)] += count
        return of_word


def vocabulary(dataset: store.Dataset, numbering: str) -> KnownWords:
    """Of the training split, whose entities have the numbers of the view `numbering`."""
    counts = WordCounts()
    found = store.instances(dataset, "train", of=ClozeInstance) if "train" in dataset.sizes else ()
    for instance in found:
        viewed = view(instance, numbering, dataset.text_form, numbering=dataset.numbering)
        counts.add(viewed.passage.split())
        counts.add(viewed.question.split())
    return counts.vocabulary()
