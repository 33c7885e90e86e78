"""Phrases by which a sentence leaves a question open: "the evidence is not strong enough", "remains controversial".

A phrase matches its words in any case, with up to BETWEEN other words where it has an ellipsis. Phrases are in PHRASES,
one a line. One in a concession counts for nothing: "although a benefit cannot be excluded, tea did not help".
"""

from __future__ import annotations

import re

BETWEEN = 3  # words
PHRASES = """
inconclusive
not conclusive
no … conclusion
no … conclusions
not … conclude
neither … nor refute
neither … nor exclude
either promote or refute
either support or refute
support or refute
confirm or refute
confirm or exclude
not sufficiently strong
not strong enough
not enough evidence
not enough data
not sufficient evidence
insufficient evidence
insufficient data
evidence … insufficient
data … insufficient
evidence … is lacking
evidence … is scarce
remain … unclear
remains … unclear
is unclear
is still unclear
remain … uncertain
remains … uncertain
is uncertain
remain … unknown
remains … unknown
is unknown
is not known
not yet known
remain … controversial
remains … controversial
is controversial
is still controversial
remains … debated
under debate
matter of debate
much debate
remains to be
remain to be
yet to be
cannot be determined
cannot be established
cannot be ruled out
cannot be excluded
conflicting results
conflicting evidence
conflicting data
contradictory results
mixed results
mixed evidence
equivocal
still being investigated
currently being investigated
under investigation
under study
"""
_CONCESSION = re.compile(r"\s*(?:although|though|while|whilst|whereas|despite|even\sif)\b", re.IGNORECASE)
_WORD = r"[^\W_]+(?:[-'’][^\W_]+)*"


_BETWEEN = rf"\s+(?:{_WORD}\s+){{0,{BETWEEN}}}"
_EACH = [
    re.escape(line).replace(r"\ …\ ", _BETWEEN).replace(r"\ ", r"\s+") for line in PHRASES.split("\n") if line
]
_UNDECIDED = re.compile(rf"\b(?:{'|'.join(_EACH)})\b", re.IGNORECASE)


def undecided(sentence: str) -> list[tuple[int, int]]:
    """The characters [begin, end) of phrases that leave a question open."""
    spans = (match.span() for match in _UNDECIDED.finditer(sentence))
    return [span for span in spans if not _conceded(sentence, span[0])]


def _conceded(sentence: str, place: int) -> bool:
    """Whether the part between signs that a place stands in begins as a concession."""
    begin = max(sentence.rfind(sign, 0, place) for sign in ",;:(") + 1
    return _CONCESSION.match(sentence, begin, place) is not None
