"""Does a sentence deny what it says of a name? Then it cannot be shown as the name's evidence.

    "Aspirin did not reduce mortality"        denies it of aspirin: the name is in the scope of the cue
    "Patients without diabetes took aspirin"  not of aspirin

A name that is only mentioned in sentences that deny is no answer: see naming.py.
"""

from __future__ import annotations

import re

from anagnosis.language.negation import cues


def denied(sentence: str, name: str) -> bool:
    """Whether every mention of a name in a sentence is in the scope of a cue of negation or of an absent effect."""
    # Bounds, so that "EGF" is not mentioned by "EGFR".
    mentions = [at.start() for at in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", sentence)]
    scopes = [(cue.scope_begin, cue.scope_end) for cue in cues(sentence)]
    return bool(mentions) and all(any(first <= at < last for first, last in scopes) for at in mentions)
