"""Where synonyms occur in a text: whole words, in any case, whatever white space lies between the words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from anagnosis.datasets.kinds.question import EXACT_TYPES, Asked
from anagnosis.predictions import Answer
from anagnosis.progress import tell

_WORD = re.compile(r"\w")


def occurrences(text: str, synonyms: Iterable[str]) -> list[tuple[int, int]]:
    """(begin, end) of each occurrence, in code points, end exclusive; ascending, without duplicates.

    A synonym that begins or ends with a letter, digit or underscore does not occur inside a longer word. Occurrences of
    different synonyms may overlap; those of one synonym do not.
    """
    places: set[tuple[int, int]] = set()
    for synonym in dict.fromkeys(" ".join(each.split()) for each in synonyms):
        if synonym:
            places.update(match.span() for match in _pattern(synonym).finditer(text))
    return sorted(places)


def placed(text: str, score: float | None, snippets: Sequence[str], place: int = -1) -> Answer:
    """An answer, and where it occurs first. place: the index of its snippet, -1 for any of them."""
    for number in range(len(snippets)) if place < 0 else (place,):
        if spans := occurrences(snippets[number], [text]):
            return Answer(text, score, number, *spans[0])
    return Answer(text, score) if place < 0 else Answer(text, score, place)


def _pattern(synonym: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, synonym.split(" ")))
    before = r"(?<!\w)" if _WORD.match(synonym[0]) else ""
    after = r"(?!\w)" if _WORD.match(synonym[-1]) else ""
    return re.compile(f"{before}{words}{after}", re.IGNORECASE)


@dataclass(slots=True)
class LeftOut:
    """questions: all so far. reasons: number of questions by reason; a reader may add reasons of its own."""

    questions: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])

    def add(self, asked: Asked, reason: str | None = None, types: Sequence[str] = EXACT_TYPES) -> None:
        """Count a question. reason: the reader's, if the question itself has none. types: that the reader answers."""
        self.questions += 1
        if why := asked.left_out(types) or reason:
            self.reasons[why] += 1

    def report(self, part: str) -> None:
        """Report one line, if questions were left out. part: the split's name."""
        if not self.reasons:
            return
        counts = ", ".join(f"{count:,} {reason}" for reason, count in self.reasons.most_common())
        tell(
            f"{part}: {self.reasons.total():,} of {self.questions:,} questions cannot train this reader: {counts}"
        )
