"""Word overlap, the untrained scorer of sentences: the weighted share of a question's words that a sentence has.

Sum of the IDF of shared words over the sum of the IDF of the question's words. IDF = ln((N + 1) / (df + 0.5)), at least
LEAST_WEIGHT since in a small collection every word is common; N: passages of the collection, df: those with the word.
Question words such as "which" have no weight. A name that means the same as some words of the question (synonyms/)
counts as these words. Scores are between 0 and 1 and no probabilities: they are not calibrated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from anagnosis.searching.analysis import ASKING
from anagnosis.searching.engines import Engine
from anagnosis.searching.papers.bm25 import CONTENT
from anagnosis.searching.records.hits import Equivalent, Topic
from anagnosis.searching.synonyms.names import with_equivalents
from anagnosis.searching.words import question_words, small_names, words_of

LEAST_WEIGHT = 0.1
NAME = "idf-overlap (uncalibrated)"
# Asks for a name, as "which" alone does.
_KIND_OF = re.compile(r"\b(?:what|which)\s(?:kinds?|sorts?|types?)\sof\b", re.IGNORECASE)


class AskedWords(NamedTuple):
    """The words of a question and their IDF. equivalents: names that count as words of the question."""

    weights: Mapping[str, float]
    equivalents: Sequence[Equivalent] = ()
    question: str = ""

    def of(self, text: str) -> frozenset[str]:
        """The words of the question that a text has."""
        return frozenset(self.weights.keys() & set(with_equivalents(words_of(text), self.equivalents)))

    def score(self, text: str) -> float:
        """The score of a sentence; 0 if the question has no words."""
        return share(self.weights, self.of(text))


def asked_words(engine: Engine, topic: Topic) -> AskedWords:
    """The words of a question, to be found in texts; one with other spellings is as common as the commonest of them."""
    spellings = {word: [word] for word in topic_words(topic.text)}
    names = (Equivalent(frozenset((word,)), ((name,),)) for word, name in small_names(topic.text).items())
    equivalents = (*topic.equivalents, *names)
    for each in equivalents:
        if len(each.words) == 1 and (word := next(iter(each.words))) in spellings:
            spellings[word] += [name[0] for name in each.names if len(name) == 1]
    rarity = engine.rarity([one for own in spellings.values() for one in own])
    frequencies = [max(rarity.passages_with(CONTENT, one) for one in own) for own in spellings.values()]
    weights = idf([*spellings], frequencies, rarity.passages)
    return AskedWords(weights, equivalents, topic.text)


def topic_words(question: str) -> list[str]:
    """The words of a question without question words; all of them if there are no others."""
    asking = set(words_of(ASKING))
    every = question_words(_KIND_OF.sub(" ", question)) or question_words(question)
    return [word for word in every if word not in asking] or every


def idf(words: Sequence[str], frequencies: Sequence[float], passages: int) -> dict[str, float]:
    """The IDF of words. frequencies: passages with each, among all `passages`."""
    return {
        word: max(LEAST_WEIGHT, math.log((passages + 1) / (count + 0.5)))
        for word, count in zip(words, frequencies, strict=True)
    }


def share(weights: Mapping[str, float], words: Iterable[str]) -> float:
    """The share of the total weight that these words have; 0 if there is no weight."""
    present, total = set(words), math.fsum(weights.values())
    return math.fsum(weight for word, weight in weights.items() if word in present) / total if total else 0.0
