"""One ranking of two: by words (BM25) and by meaning (cosines of dense vectors).

Sources: Bruch, Gai and Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval", 3 (`weighted`: TM2C2);
Cormack, Clarke and Büttcher 2009, "Reciprocal Rank Fusion outperforms Condorcet" (`reciprocal_ranks`). Kind and numbers
were chosen on SciFact's training queries (design/search_vectors.md).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

WEIGHT = 0.7  # of the dense scores
DEPTH = 500  # candidates of each ranking
CONSTANT = 10  # of reciprocal ranks


def weighted(lexical: Mapping[K, float], dense: Mapping[K, float], weight: float = WEIGHT) -> dict[K, float]:
    """weight · (cosine + 1) / (best cosine + 1) + (1 - weight) · BM25 / best BM25, for each key of either.

    Both scores are thereby shares of the best possible: 1 is best, 0 what no text can be below. A key without a lexical
    score has none of the words; one without a vector counts as the worst that has one.
    """
    highest = max(lexical.values(), default=0.0) or 1.0
    nearest = max(dense.values(), default=0.0) + 1 or 1.0
    furthest = min(dense.values(), default=-1.0)
    return {
        key: weight * (dense.get(key, furthest) + 1) / nearest
        + (1 - weight) * lexical.get(key, 0.0) / highest
        for key in dict.fromkeys((*lexical, *dense))
    }


def reciprocal_ranks(rankings: Sequence[Sequence[K]], constant: float = CONSTANT) -> dict[K, float]:
    """The sum of 1 / (constant + rank) over the rankings that have a key; ranks from 1."""
    found: dict[K, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, 1):
            found[key] = found.get(key, 0.0) + 1 / (constant + rank)
    return found
