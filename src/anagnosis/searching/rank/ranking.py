"""The rankings of passages: by words, by dense vectors, and by both.

Source of `weighted`: Bruch, Gai and Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval", 3 (TM2C2).
Kind and weight were chosen on SciFact's training queries (design/search.md).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple, TypeVar

from anagnosis.searching.engines import Engine
from anagnosis.searching.filters import Filters
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.rank.dense import Dense, PassageKey
from anagnosis.searching.rank.passages import ranked_hits
from anagnosis.searching.records.hits import Hit

RANKINGS = LEXICAL, DENSE, HYBRID = "lexical", "dense", "hybrid"
K = TypeVar("K", bound=Hashable)
_DIGITS = 6
WEIGHT = 0.7  # of the dense scores
DEPTH = 500  # candidates of each ranking


class RankedPassages(NamedTuple):
    """Passages by falling score, then by id. known: hits with passages already loaded."""

    places: list[tuple[PassageKey, float]]
    known: Mapping[PassageKey, Hit]


def by_vectors(
    engine: Engine, dense: Dense, asked: AskedQuery, filters: Filters, limit: int
) -> RankedPassages:
    """The passages nearest to a question by cosine, of papers that meet its conditions.

    Vectors know nothing of words: where conditions or filters let few papers through, these are found by their words.
    """
    if not asked.topic.text.strip() or limit < 1:
        return RankedPassages([], {})
    vector = dense.question(asked.topic.text)
    near = dense.nearest(vector, asked.query, filters, limit)
    known = {} if len(near) >= limit else _by_words(engine, asked, filters, limit)
    near |= dense.cosines(vector, [place for place in known if place not in near])
    return _ranked(near, known, limit)


def by_both(engine: Engine, dense: Dense, asked: AskedQuery, filters: Filters, limit: int) -> RankedPassages:
    """The best passages of both rankings by the weighted sum of their scores (`weighted`).

    Each ranking contributes its best DEPTH passages, or `limit` if that is more. Passages that only the words retrieve
    get their cosines; passages that only the vectors retrieve have no score by words.
    """
    if not asked.topic.text.strip() or limit < 1:
        return RankedPassages([], {})
    depth, vector = max(DEPTH, limit), dense.question(asked.topic.text)
    lexical = _by_words(engine, asked, filters, depth)
    near = dense.nearest(vector, asked.query, filters, depth)
    near |= dense.cosines(vector, [place for place in lexical if place not in near])
    scores = weighted({place: hit.score for place, hit in lexical.items()}, near)
    return _ranked(scores, lexical, limit)


def weighted(lexical: Mapping[K, float], dense: Mapping[K, float]) -> dict[K, float]:
    """WEIGHT · (cosine + 1) / (best cosine + 1) + (1 - WEIGHT) · BM25 / best BM25, for each key of either ranking.

    Both scores are thereby shares of the best: 1 is the best score, 0 the lowest possible. Without a lexical score a
    key counts as having none of the words; without a vector it gets the lowest cosine.
    """
    highest = max(lexical.values(), default=0.0) or 1.0
    nearest = max(dense.values(), default=0.0) + 1 or 1.0
    furthest = min(dense.values(), default=-1.0)
    return {
        key: WEIGHT * (dense.get(key, furthest) + 1) / nearest
        + (1 - WEIGHT) * lexical.get(key, 0.0) / highest
        for key in dict.fromkeys((*lexical, *dense))
    }


def hits(engine: Engine, ranked: RankedPassages) -> list[Hit]:
    """The ranked passages, loaded from the engine."""
    names = dict.fromkeys(name for (name, number), _ in ranked.places if (name, number) not in ranked.known)
    stored = zip(names, engine.papers([*names]), strict=True)
    loaded = {name: shown(paper).passages for name, paper in stored if paper is not None}
    found: list[Hit] = []
    for place, score in ranked.places:
        name, number = place
        if place in ranked.known:
            found.append(Hit(ranked.known[place].passage, score))
        elif number < len(passages := loaded.get(name, ())):
            found.append(Hit(passages[number], score))
    return found


def _by_words(engine: Engine, asked: AskedQuery, filters: Filters, limit: int) -> dict[PassageKey, Hit]:
    """The best passages of the best papers by words."""
    found = engine.search(asked.query, filters, limit)
    every = [hit for paper in ranked_hits(found.papers, asked.query, found.rarity, filters) for hit in paper]
    best = sorted(every, key=lambda hit: (-hit.score, hit.passage.document, hit.passage.number))[:limit]
    return {(hit.passage.document, hit.passage.number): hit for hit in best}


def _ranked(
    scores: Mapping[PassageKey, float], known: Mapping[PassageKey, Hit], limit: int
) -> RankedPassages:
    ranked = sorted((-round(score, _DIGITS), place) for place, score in scores.items())[:limit]
    return RankedPassages([(place, -score) for score, place in ranked], known)
