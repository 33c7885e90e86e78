"""The best n-gram of a snippet: contiguous words with the largest sum, or mean, of scores (the thesis, section 4.2.1).

The thesis measures three words for the mean answer of a factoid question and two for that of a list question, and then
takes n-grams "of length < 3 for factoid and < 2 for lists". LONGEST has both readings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from anagnosis.language.question_kinds import FACTOID, LIST

Lengths = Literal["inclusive", "thesis-literal"]
Aggregate = Literal["sum", "mean"]

LONGEST: dict[Lengths, dict[str, int]] = {
    "inclusive": {FACTOID: 3, LIST: 2},
    "thesis-literal": {FACTOID: 2, LIST: 1},
}  # words


def _mean(scores: Sequence[float]) -> float:
    return sum(scores) / len(scores)


AGGREGATES: dict[Aggregate, Callable[[Sequence[float]], float]] = {"sum": sum, "mean": _mean}


class Ngram(NamedTuple):
    """Words [first, last) of a snippet."""

    first: int
    last: int
    score: float


def best_ngram(
    scores: Sequence[float], content: Sequence[bool], most: int, aggregate: Aggregate
) -> Ngram | None:
    """The best n-gram of at most `most` words, all of which an answer may hold; None without such a word.

    scores: of the snippet's words. content: whether an answer may hold the word. Among equal n-grams the shortest is
    best, then the first.
    """
    value = AGGREGATES[aggregate]
    best: Ngram | None = None
    for length in range(1, most + 1):
        for first in range(len(scores) - length + 1):
            last = first + length
            if not all(content[first:last]):
                continue
            score = value(scores[first:last])
            if best is None or score > best.score:
                best = Ngram(first, last, score)
    return best
