"""Vectors under conditions: of the passages that meet what a query requires and excludes, those nearest to a question.

The vectors know nothing of words, so candidates are the best CANDIDATES passages by words, which are all that meet the
conditions where these are rarer, and the nearest NEAR passages that meet them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.matching import StoredPassage, holds
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.tree import Query
from anagnosis.searching.rank.dense import Dense, Place
from anagnosis.searching.records.paper import NO_FACTS

if TYPE_CHECKING:
    from anagnosis.array_types import Floats32

CANDIDATES = 1000
NEAR = 500


def nearest_that_meet(
    engine: Engine, dense: Dense, vector: Floats32, query: Query, filters: Filters, limit: int
) -> dict[Place, float]:
    """passage → cosine, the nearest first, ties by id. Every passage meets the conditions."""
    by_words = engine.search(query, filters, max(CANDIDATES, limit))
    near = dense.cosines(vector, [(hit.passage.document, hit.passage.number) for hit in by_words])
    if not query.required or len(by_words) >= CANDIDATES:
        for place, cosine in dense.nearest(vector, filters, max(NEAR, limit)).items():
            if place not in near and _meets(engine, query, place):
                near[place] = cosine
    return dict(sorted(near.items(), key=lambda one: (-one[1], one[0]))[:limit])


def _meets(engine: Engine, query: Query, place: Place) -> bool:
    passage, paper = engine.passages([place])[0], engine.papers([place[0]])[0]
    if passage is None:
        return False
    stored = StoredPassage(passage, paper or NO_FACTS)
    return all(holds(part, stored) for part in query.required) and not any(
        holds(part, stored) for part in query.excluded
    )
