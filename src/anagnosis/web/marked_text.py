"""A passage's text as the page shows it: parts with and without a mark."""

from __future__ import annotations

from typing import NamedTuple

from anagnosis.reports.search.results import LONGEST_SHOWN, part
from anagnosis.searching.records.answers import Hit


class Piece(NamedTuple):
    """A part of a text, from the character `begin` on; strength 0 is not marked."""

    begin: int
    text: str
    strength: int
    score: float


def pieces(hit: Hit, longest: int = LONGEST_SHOWN) -> list[Piece]:
    """The text of a passage, or as much as fits around its best sentence, in marked and unmarked parts.

    They follow each other without a gap: joined they are a part of the text.
    """
    text = hit.passage.text
    begin, end = part(text, hit.sentences, longest)
    marked = [one for one in hit.sentences if one.strength and begin <= one.begin and one.end <= end]
    at, found = begin, list[Piece]()
    for one in marked:
        found.append(Piece(at, text[at : one.begin], 0, 0.0))
        found.append(Piece(one.begin, text[one.begin : one.end], one.strength, one.score))
        at = one.end
    found.append(Piece(at, text[at:end], 0, 0.0))
    return [piece for piece in found if piece.text]
