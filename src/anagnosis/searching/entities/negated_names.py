"""Does a sentence deny or doubt what it says of a name? Then it cannot be shown as the name's evidence.

    "Aspirin did not reduce mortality"        denies it of aspirin: the name is in the scope of the cue
    "Without diabetes, patients took aspirin"  not of aspirin
    "The effect of aspirin remains unclear"   doubts it, and so does "insufficient evidence"
    "Bleeding after aspirin is common"         blames it, for "Which drugs prevent bleeding?"
    "We aimed to compare aspirin …"           finds nothing: an aim, a question, a registration, a promise, a citation

A paper that denies or doubts it in another sentence about the question is no evidence either: see naming.py. A doubt in
a concession before the first comma ("Although the mechanism is unclear, …") does not count.
"""

from __future__ import annotations

import re

from anagnosis.language.negation import cues
from anagnosis.language.sentence_kinds import AIM, CITATION, NO_FINDINGS, sentence_kind

_NOTHING_FOUND = NO_FINDINGS | {AIM, CITATION}
_WEAK = (
    "(?:insufficient|inconclusive|conflicting|contradictory|limited|weak|scarce|sparse|poor|low-quality|uncertain|lacking"
    "|inconsistent|equivocal|mixed)"
)
_OPEN = "(?:unclear|uncertain|unknown|controversial|unproven|debated|debatable|inconclusive|questionable|doubtful)"
_DOUBT = re.compile(
    rf"\b{_WEAK}\s(?:and\s\w+\s)?(?:evidence|data|efficacy|effectiveness|benefits?|support|proof)\b"
    rf"|\b(?:evidence|data|efficacy|effectiveness|benefits?)\b[^,;.]{{0,80}}?\s(?:is|are|was|were|remains?)\s(?:still\s)?{_WEAK}\b"
    rf"|\b(?:is|are|was|were|remains?|still)\s(?:still\s|currently\s|highly\s|largely\s)?{_OPEN}\b"
    rf"|\b{_OPEN}\s(?:whether|if)\b|\bnot\s(?:known|clear|certain)\s(?:whether|if)\b"
    r"|\bremains?\sto\sbe\s\w+ed\b|\bif\sapproved\b|\bhypothesi[sz]ed?\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:reduc|prevent|treat|lower|decreas|reliev|alleviat|cur(?:e|es|ed)\b|protect|ameliorat|attenuat|against\b)",
    re.IGNORECASE,
)
_CONCESSION = re.compile(
    r"\s*(?:although|though|even though|while|whilst|whereas|despite|in spite of)\b[^,]{0,300},",
    re.IGNORECASE,
)


def denied(sentence: str, name: str) -> bool:
    """Whether every mention of a name in a sentence is in the scope of a cue of negation or of an absent effect."""
    # Bounds, so that "EGF" is not mentioned by "EGFR".
    mentions = [at.start() for at in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", sentence)]
    scopes = [(cue.scope_begin, cue.scope_end) for cue in cues(sentence)]
    return bool(mentions) and all(any(first <= at < last for first, last in scopes) for at in mentions)


def doubted(sentence: str) -> bool:
    """Whether a sentence says that something is not known or poorly shown."""
    concession = _CONCESSION.match(sentence)
    return _DOUBT.search(sentence, concession.end() if concession else 0) is not None


def blamed(question: str, sentence: str, name: str) -> bool:
    """Whether a sentence names as a cause what the question wants against it: "after NAME", "NAME-induced"."""
    if not _AGAINST.search(question):
        return False
    text = re.escape(name)
    return (
        re.search(
            r"\b(?:after|following|induced by|caused by|due to|secondary to|attributable to)\s(?:the use of\s)?"
            rf"{text}(?!\w)"
            rf"|(?<!\w){text}[-\s](?:induced|related|associated)\b",
            sentence,
            re.IGNORECASE,
        )
        is not None
    )


def finds_nothing(sentence: str) -> bool:
    """Whether a sentence is of a kind that finds nothing."""
    return sentence_kind(sentence) in _NOTHING_FOUND
