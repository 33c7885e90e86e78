"""Whether a paper is about a question: whether its words cover the question's.

A word weighs its IDF in the collection (overlap.py). The rarer words, which name what the question is about, are those
of at least the mean weight. A paper is about the question if it has COVERED of all words by weight, and COVERED of the
rarer ones by number. Chosen on the training half of PubMedQA's PQA-L, asked over all its abstracts without titles:
89 % of the questions keep their own paper, beside .11 others on average (`benchmarks/conclusions.py about`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.overlap import share
from anagnosis.searching.words import words_of

COVERED = 0.6


def words_of_paper(passages: Sequence[Passage]) -> frozenset[str]:
    """The words of a paper's title, headings and texts."""
    texts = [passages[0].title] if passages else []
    for passage in passages:
        texts += [passage.heading, passage.text]
    return frozenset(word for text in texts for word in words_of(text))


def rarer(weights: Mapping[str, float]) -> list[str]:
    """The words of at least the mean weight."""
    mean = math.fsum(weights.values()) / len(weights) if weights else 0.0
    return [word for word, weight in weights.items() if weight >= mean]


def covered(weights: Mapping[str, float], paper_words: Iterable[str]) -> float | None:
    """The share of the question's weight that a paper has; None if the paper is not about the question."""
    present = frozenset(paper_words)
    named = rarer(weights)
    whole = share(weights, present)
    least = math.ceil(COVERED * len(named) - 1e-9)
    is_about = bool(named) and whole >= COVERED and len(present.intersection(named)) >= least
    return whole if is_about else None
