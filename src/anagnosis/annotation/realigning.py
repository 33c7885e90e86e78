"""Annotations of a text with other blanks, such as one rebuilt from tokens (IOB), moved to a paper's text.

    theirs  "She had TNF - α ."     (8, 15)
    ours    "She had TNF-α."        (8, 13)

Both texts must have the same characters apart from white space; then each offset has one place in the other text.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import msgspec

from anagnosis.annotation.third_party.record import Annotation


def realigned(annotations: Sequence[Annotation], theirs: str, ours: str) -> list[Annotation] | None:
    """The annotations with offsets in `ours`; None if the texts differ in more than white space.

    Spans of white space alone, or outside their text, stay as they are.
    """
    places = [place for place, character in enumerate(ours) if not character.isspace()]
    if "".join(theirs.split()) != "".join(ours.split()):
        return None
    before = [0, *accumulate(not character.isspace() for character in theirs)]

    def moved(span: tuple[int, int]) -> tuple[int, int]:
        start, end = span
        if not 0 <= start < end <= len(theirs) or before[start] == before[end]:
            return span
        return places[before[start]], places[before[end] - 1] + 1

    return [msgspec.structs.replace(each, spans=tuple(map(moved, each.spans))) for each in annotations]
