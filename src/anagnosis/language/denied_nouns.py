"""The nouns that a sentence denies: "There was no evidence of an [obesity paradox]", "cells that lack [Swi1]".

They follow a cue of NOUN_CUES, which may name evidence first, and end before a preposition, a verb of ENDS or a sign.
Of a phrase the last word counts, its head: no paradox is another thing than no obesity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from anagnosis.language.comparisons import ENDS
from anagnosis.language.negation import FILLERS, SAME, Cue

_NOUN_CUE = re.compile(r"(?:no|lack(?:s|ed|ing)?|absence|without|paucity|dearth)\b", re.IGNORECASE)
_EVIDENCE = re.compile(r"\s*(?:(?:evidence|indication|signs?|proof)\b)?\s*(?:(?:of|for)\b)?", re.IGNORECASE)
_ENDING = "of or between that if whether there upon toward towards occurred was were seen"
_ENDS = ENDS | frozenset(_ENDING.split())
_WORD = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*|[,;:().?!\[\]]")
_LONGEST = 6  # words


def denied_nouns(sentence: str, cues: Iterable[Cue]) -> list[str] | None:
    """The last word of each noun phrase that is denied; None if the sentence also denies a verb or a difference.

    cues: of the sentence.
    """
    nouns: list[str] = []
    for cue in cues:
        if cue.kind == SAME or not _NOUN_CUE.match(sentence, cue.begin, cue.end):
            return None
        evidence = _EVIDENCE.match(sentence, cue.end)
        last = list(_phrase(sentence, evidence.end() if evidence else cue.end))[-1:]
        if not last:
            return None
        nouns += last
    return nouns


def _phrase(sentence: str, begin: int) -> Iterator[str]:
    """The words of a noun phrase."""
    for count, match in enumerate(_WORD.finditer(sentence, begin)):
        word = match[0].lower()
        if count == _LONGEST or not word[0].isalnum() or word in _ENDS:
            return
        if word not in FILLERS:
            yield match[0]
