"""Does a sentence deny what it says of a name, or find nothing? Then it cannot be shown as the name's evidence.

    "Aspirin did not reduce mortality"        denies it of aspirin: the name is in the scope of the cue
    "Without diabetes, patients took aspirin"  not of aspirin
    "We aimed to compare aspirin …"           finds nothing: an aim, a question, a registration, a promise, a citation

A paper that denies it in another sentence about the question is no evidence either: see naming.py.
"""

from __future__ import annotations

import re
from functools import lru_cache

from anagnosis.language.negation import cues
from anagnosis.language.sentence_kinds import AIM, CITATION, NO_FINDINGS, sentence_kind

_NOTHING_FOUND = NO_FINDINGS | {AIM, CITATION}


def denied(sentence: str, *spellings: str) -> bool:
    """Whether every mention of a name in a sentence is in the scope of a cue of negation or of an absent effect.

    spellings: of the name, in any case; symbols, which have no small letter, in theirs alone.
    """
    mentions = [at.start() for one in set(spellings) for at in _mention(one).finditer(sentence)]
    if not mentions:
        return False
    scopes = [(cue.scope_begin, cue.scope_end) for cue in cues(sentence)]
    return all(any(first <= at < last for first, last in scopes) for at in mentions)


@lru_cache(1 << 12)
def _mention(name: str) -> re.Pattern[str]:
    # Bounds, so that "EGF" is not mentioned by "EGFR".
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", 0 if name == name.upper() else re.IGNORECASE)


def finds_nothing(sentence: str) -> bool:
    """Whether a sentence is of a kind that finds nothing."""
    return sentence_kind(sentence) in _NOTHING_FOUND
