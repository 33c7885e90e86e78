"""The untrained scorer of sentences: how much of a question's words, by their weight, stand in a sentence.

Sum of the IDF of shared words over the sum of the IDF of the question's; IDF = ln((N + 1) / (df + 0.5)), N passages of
the collection, df those that hold the word, and at least LEAST_WEIGHT: in a small collection every word is common. The
words that make it a question count nothing. Between 0 and 1, and no probability: nothing was calibrated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from anagnosis.searching.analysis import ASKING
from anagnosis.searching.engines import Engine
from anagnosis.searching.words import question_words, words_of

LEAST_WEIGHT = 0.1
NAME = "idf-overlap (uncalibrated)"


def scorer(engine: Engine, question: str) -> Callable[[str], float]:
    """A function from a sentence to its score; 0 for all where no word of the question is known."""
    own = weights(engine, question)
    return lambda text: share(own, words_of(text))


def weights(engine: Engine, question: str) -> dict[str, float]:
    """The words of a question and their IDF."""
    asking = set(words_of(ASKING))
    every = question_words(question)
    words = [word for word in every if word not in asking] or every
    passages = engine.count().passages
    found = zip(words, engine.frequency(words), strict=True)
    return {word: max(LEAST_WEIGHT, math.log((passages + 1) / (count + 0.5))) for word, count in found}


def share(weights: Mapping[str, float], words: Iterable[str]) -> float:
    """How much of the weight the words hold; 0 where there is none."""
    own, whole = set(words), math.fsum(weights.values())
    return math.fsum(weight for word, weight in weights.items() if word in own) / whole if whole else 0.0
