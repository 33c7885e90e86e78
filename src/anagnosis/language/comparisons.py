"""What a sentence compares with: "Tea shortened fever [compared with salted broth] in adults".

A comparison begins with a phrase of CUES, except before a number, and reaches to a word of ENDS, a comma or another
sign, at most LONGEST words.
"""

from __future__ import annotations

import re

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
