"""Scores of a snippet's words, normalised as in the thesis (section 4.2.1; steps 4 and 5 of our reference).

    1  words that no answer holds get -999, or less, so that they are below all others
    2  min-max over all words, these too, to [0, 1]
    3  min-max once more over the scores that are not zero, "so that the higher scores are boosted"

The thesis does not say whether -999 takes part in step 2. We let it: then all other scores fall into a sliver below 1,
which step 3 spreads. So the scale and the shift of a reader's scores do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

UNWANTED = -999.0


def unwanted_words_lowest(scores: Sequence[float], content: Sequence[bool]) -> list[float]:
    """The scores, with UNWANTED, or less, for words that no answer holds. content: whether an answer may hold it."""
    lowest = min(UNWANTED, min(scores, default=0.0) - 1)
    return [score if kept else lowest for score, kept in zip(scores, content, strict=True)]


def min_max(scores: Sequence[float]) -> list[float]:
    """The scores from 0 for the lowest to 1 for the highest; all 0 if they are equal."""
    if not scores:
        return []
    low, high = min(scores), max(scores)
    return [0.0 if low == high else (score - low) / (high - low) for score in scores]


def min_max_of_nonzero(scores: Sequence[float]) -> list[float]:
    """The same over the scores that are not zero; zeros stay."""
    spread = iter(min_max([score for score in scores if score]))
    return [next(spread) if score else 0.0 for score in scores]


def normalised(scores: Sequence[float], content: Sequence[bool]) -> list[float]:
    """The three steps. scores: of a snippet's words, higher for a likelier answer."""
    return min_max_of_nonzero(min_max(unwanted_words_lowest(scores, content)))
