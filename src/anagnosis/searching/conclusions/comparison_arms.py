"""The arms of comparisons: which of them the question asks about.

In "NAC, compared with metformin, improved growth" metformin is the other arm: the sentence says nothing for it.

A comparison, as in "Tea shortened fever [compared with salted broth] in adults", begins with a phrase of CUES, except
before a number, and reaches to a word of ENDS, a comma or another sign, at most LONGEST words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from anagnosis.searching.conclusions.subjects import names_of
from anagnosis.searching.words import words_of

CUES = (
    r"compared\s(?:with|to)",
    r"comparing\s(?:with|to)",
    r"(?:in|by)\scomparison\s(?:with|to)",
    r"as\sopposed\sto",
    r"in\scontrast\s(?:with|to)",
    r"relative\sto",
    r"(?:non-?)?inferior\sto",
    r"superior\sto",
    r"preferable\sto",
    r"(?<!other\s)(?<!rather\s)than",
    r"versus",
    r"vs\.?",
    r"over",
    r"against",
)
_ENDING = """to in for at on during among after before by as when while and but who which that is are was were had has
have did does do may can could should regarding concerning without within from improves improved reduces reduced"""
ENDS = frozenset(_ENDING.split())
_LEADING = "in for at on after before by with that those the"
# May stand first: "than in those with".
FIRST = frozenset(_LEADING.split())
LONGEST = 8  # words
# "over" and "against" compare where what they follow does: "superior", "advantage over".
_ONLY_BEHIND = re.compile(
    r"\b(?:advantages?|benefits?|superior(?:ity)?|preferred|improve\w*)\s(?:\w+\s)?\Z", re.IGNORECASE
)
_CUE = re.compile(rf"\b(?:{'|'.join(CUES)})(?=\s+[^\W\d])", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*|[,;:().?!\[\]]")
_MOST_BEFORE = 40  # characters
OF_NAME = 0.5  # stems of a name
_FOR_A_DIFFERENCE = re.compile(r"\b(?:differ|compar|versus\b|vs\b)", re.IGNORECASE)


def compared_with(sentence: str) -> list[tuple[int, int]]:
    """The characters [begin, end) of what a sentence compares with, without the cue."""
    spans: list[tuple[int, int]] = []
    for cue in _CUE.finditer(sentence):
        if cue[0].lower() in ("over", "against") and not _ONLY_BEHIND.search(
            sentence[max(0, cue.start() - _MOST_BEFORE) : cue.start()]
        ):
            continue
        end = begin = cue.end()
        for count, word in enumerate(_WORD.finditer(sentence, begin)):
            if end == begin and word[0].lower() in FIRST:
                continue
            if count == LONGEST or not word[0][0].isalnum() or word[0].lower() in ENDS:
                break
            end = word.end()
        if end > begin:
            spans.append((begin, end))
    return spans


def is_other_arm(question: str, sentence: str, topic: frozenset[str]) -> bool:
    """Whether a name of the question stands in the sentence only as what it compares with.

    topic: stems of the question. False where the question itself compares.
    """
    if not compared_with(sentence) or compared_with(question) or _FOR_A_DIFFERENCE.search(question):
        return False
    main, compared = _sides(sentence)
    return any(
        len(compared.intersection(name)) >= OF_NAME * len(name) and main.isdisjoint(name)
        for name in names_of(question, dict.fromkeys(topic, 1.0))
    )


def arms_change_places(question: str, sentence: str, topic: frozenset[str]) -> bool:
    """Whether the sentence compares the question's second arm with its first: "Is A better than B?", "B beat A"."""
    if not (compared_with(question) and compared_with(sentence)):
        return False
    named = frozenset(stem for name in names_of(question, dict.fromkeys(topic, 1.0)) for stem in name)
    asked, against = (side & named for side in _sides(question))
    main, compared = _sides(sentence)
    return bool((asked - against) & (compared - main)) and bool((against - asked) & (main - compared))


def _sides(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of a text without what it compares with, and those of what it compares with."""
    spans = compared_with(text)
    return _stems(_without(text, spans)), _stems(" ".join(text[begin:end] for begin, end in spans))


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    kept, at = "", 0
    for begin, end in spans:
        kept, at = f"{kept}{text[at:begin]} ", end
    return kept + text[at:]


def _stems(text: str) -> frozenset[str]:
    return frozenset(words_of(text))
