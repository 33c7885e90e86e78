"""A passage's text as the page shows it: parts with and without a mark."""

from __future__ import annotations

from typing import NamedTuple

from anagnosis.reports.search.results import LONGEST_SHOWN, part
from anagnosis.searching.records.hits import Hit

LONGEST_QUOTE = 420  # characters of a sentence; the rest is folded


class Excerpt(NamedTuple):
    """A part of a text, from the character `begin` on; strength 0 is not marked."""

    begin: int
    text: str
    strength: int
    score: float


def excerpts(hit: Hit, longest: int = LONGEST_SHOWN) -> list[Excerpt]:
    """The text of a passage, or as much as fits around its best sentence, in marked and unmarked parts.

    They follow each other without a gap: joined they are a part of the text.
    """
    text = hit.passage.text
    begin, end = part(text, hit.sentences, longest)
    marked = [one for one in hit.sentences if one.strength and begin <= one.begin and one.end <= end]
    at, made = begin, list[Excerpt]()
    for one in marked:
        made.append(Excerpt(at, text[at : one.begin], 0, 0.0))
        made.append(Excerpt(one.begin, text[one.begin : one.end], one.strength, one.score))
        at = one.end
    made.append(Excerpt(at, text[at:end], 0, 0.0))
    return [piece for piece in made if piece.text]


def quote_cut(text: str, longest: int = LONGEST_QUOTE) -> int:
    """Where the shown part of a long sentence ends: behind a word, or its length if it is not long.

    A remainder of less than a line is not folded.
    """
    if len(text) <= longest + 80:
        return len(text)
    return max(text.rfind(" ", longest // 2, longest), 0) or longest
