"""BM25 in memory, exactly: the texts of a pool in their order for a question.

Words are stems, none is left out; Lucene's IDF, ln(1 + (n - df + 0.5) / (df + 0.5)), and tf / (tf + k1 (1 - b + b l /
mean l)). Ties go to the text that stands first. design/bioasq.md says why this is not the search engine.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from anagnosis.array_types import Floats, Ints
from anagnosis.language.words import stems


class Pool:
    """Texts by their place. k1, b: of BM25, as Lucene has them."""

    def __init__(self, texts: Iterable[str], *, k1: float, b: float) -> None:
        places: dict[str, array[int]] = {}
        counts: dict[str, array[int]] = {}
        lengths = array("l")
        for place, text in enumerate(texts):
            words = stems(text)
            lengths.append(len(words))
            for word, count in Counter(words).items():
                places.setdefault(word, array("i")).append(place)
                counts.setdefault(word, array("i")).append(count)
        self._size = len(lengths)
        length = np.asarray(lengths, np.float64)
        mean = length.mean() if self._size else 1.0
        norm = k1 * (1 - b + b * length / (mean or 1.0))
        self._postings: dict[str, tuple[Ints, Floats]] = {}
        for word, at in places.items():
            where = np.asarray(at, np.int32)
            count = np.asarray(counts[word], np.float64)
            idf = math.log(1 + (self._size - len(at) + 0.5) / (len(at) + 0.5))
            self._postings[word] = where, idf * count / (count + norm[where])

    def scored(self, question: str) -> Iterator[tuple[int, float]]:
        """(place, score) of the texts that share a word with the question, the best first."""
        scores = np.zeros(self._size)
        for word in stems(question):
            if word in self._postings:
                where, weight = self._postings[word]
                scores[where] += weight
        places = np.flatnonzero(scores > 0)
        ordered = places[np.argsort(-scores[places], kind="stable")]
        return zip(ordered.tolist(), scores[ordered].tolist(), strict=True)
