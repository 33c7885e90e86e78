"""Phrases by which a sentence leaves a question open: "the evidence is not strong enough", "remains controversial".

A phrase matches its words in any case, with up to BETWEEN other words where it has an ellipsis. Phrases are in
undecided.toml, one a line. One in a concession counts for nothing: "although a benefit cannot be excluded, tea did not
help".
"""

from __future__ import annotations

import re

from anagnosis.io.decoding import table_beside

BETWEEN = 3  # words
_CONCESSION = re.compile(r"\s*(?:although|though|while|whilst|whereas|despite|even\sif)\b", re.IGNORECASE)
_WORD = r"[^\W_]+(?:[-'’][^\W_]+)*"


_BETWEEN = rf"\s+(?:{_WORD}\s+){{0,{BETWEEN}}}"
_EACH = [
    re.escape(line).replace(r"\ …\ ", _BETWEEN).replace(r"\ ", r"\s+")
    for line in table_beside(__name__, dict[str, str])["phrases"].splitlines()
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
