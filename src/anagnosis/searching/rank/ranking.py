"""The rankings of passages: by words, by dense vectors, and by both.

Source of `weighted`: Bruch, Gai and Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval", 3 (TM2C2).
Kind and weight were chosen on SciFact's training queries (design/search.md).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from anagnosis.searching.engines import Engine, PassageKey
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.rank.dense import Dense
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.records.passage import Passage

if TYPE_CHECKING:
    from anagnosis.array_types import Floats32

RANKINGS = LEXICAL, DENSE, HYBRID = "lexical", "dense", "hybrid"
K = TypeVar("K", bound=Hashable)
_DIGITS = 6
WEIGHT = 0.7  # of the dense scores
DEPTH = 500  # candidates of each ranking
CANDIDATES, NEAR = 1000, 500  # passages that may meet the conditions of a query, by words and by vectors


class RankedPassages(NamedTuple):
    """Passages by falling score, then by id. known: passages already loaded."""

    places: list[tuple[PassageKey, float]]
    known: dict[PassageKey, Passage]


def by_vectors(
    engine: Engine, dense: Dense, asked: AskedQuery, filters: Filters, limit: int
) -> RankedPassages:
    """The passages nearest to a question by cosine, of those that meet its conditions."""
    if not asked.topic.text.strip() or limit < 1:
        return RankedPassages([], {})
    vector = dense.question(asked.topic.text)
    return _ranked(_nearest(engine, dense, vector, asked, filters, limit), {}, limit)


def by_both(engine: Engine, dense: Dense, asked: AskedQuery, filters: Filters, limit: int) -> RankedPassages:
    """The best passages of both rankings by the weighted sum of their scores (`weighted`).

    Each ranking contributes its best DEPTH passages, or `limit` if that is more. Passages that only the words retrieve
    get their cosines; passages that only the vectors retrieve have no score by words.
    """
    if not asked.topic.text.strip() or limit < 1:
        return RankedPassages([], {})
    depth, vector = max(DEPTH, limit), dense.question(asked.topic.text)
    lexical = engine.search(asked.query, filters, depth)
    hit_at = {(hit.passage.document, hit.passage.number): hit for hit in lexical}
    near = _nearest(engine, dense, vector, asked, filters, depth)
    near |= dense.cosines(vector, [place for place in hit_at if place not in near])
    scores = weighted({place: hit.score for place, hit in hit_at.items()}, near)
    return _ranked(scores, {place: hit.passage for place, hit in hit_at.items()}, limit)


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
    fetched = [place for place, _ in ranked.places if place not in ranked.known]
    passages = {**ranked.known, **dict(zip(fetched, engine.passages(fetched), strict=True))}
    scored = [(passages[place], score) for place, score in ranked.places]
    return [Hit(passage, score) for passage, score in scored if passage is not None]


def _nearest(
    engine: Engine, dense: Dense, vector: Floats32, asked: AskedQuery, filters: Filters, limit: int
) -> dict[PassageKey, float]:
    """passage → cosine, the nearest first, ties by id. Every passage meets the conditions of the query.

    The vectors know nothing of words, so candidates are the best CANDIDATES passages by words, which are all that meet
    the conditions where these are rarer, and the nearest NEAR passages that meet them.
    """
    if asked.is_plain:
        return dense.nearest(vector, filters, limit)
    by_words = engine.search(asked.query, filters, max(CANDIDATES, limit))
    near = dense.cosines(vector, [(hit.passage.document, hit.passage.number) for hit in by_words])
    if not asked.query.required or len(by_words) >= CANDIDATES:
        nearest = dense.nearest(vector, filters, max(NEAR, limit))
        others = [place for place in nearest if place not in near]
        found = zip(others, engine.passages(others, asked.query), strict=True)
        near |= {place: nearest[place] for place, passage in found if passage is not None}
    return dict(sorted(near.items(), key=lambda one: (-one[1], one[0]))[:limit])


def _ranked(scores: dict[PassageKey, float], known: dict[PassageKey, Passage], limit: int) -> RankedPassages:
    ranked = sorted((-round(score, _DIGITS), place) for place, score in scores.items())[:limit]
    return RankedPassages([(place, -score) for score, place in ranked], known)
