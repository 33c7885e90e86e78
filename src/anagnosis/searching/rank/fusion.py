"""Fusion of two rankings: by words (BM25) and by cosines of dense vectors.

Sources: Bruch, Gai and Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval", 3 (`weighted`: TM2C2);
Cormack, Clarke and Büttcher 2009, "Reciprocal Rank Fusion outperforms Condorcet" (`reciprocal_ranks`). Kind and numbers
were chosen on SciFact's training queries (design/search.md).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

WEIGHT = 0.7  # of the dense scores
DEPTH = 500  # candidates of each ranking
CONSTANT = 10  # of reciprocal ranks


def weighted(lexical: Mapping[K, float], dense: Mapping[K, float], weight: float = WEIGHT) -> dict[K, float]:
    """weight · (cosine + 1) / (best cosine + 1) + (1 - weight) · BM25 / best BM25, for each key of either ranking.

    Both scores are thereby shares of the best: 1 is the best score, 0 the lowest possible. Without a lexical score a
    key counts as having none of the words; without a vector it gets the lowest cosine.
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
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + 1 / (constant + rank)
    return scores
