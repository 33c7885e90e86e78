"""Vectors under conditions: of the passages of papers that meet a query's conditions, those nearest to a question.

The vectors know nothing of words, so candidates are the best CANDIDATES passages by words, which are all that meet the
conditions where these are rarer, and the nearest NEAR passages that meet them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.matching import StoredPassage, is_shown
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
        others = {
            place: cosine
            for place, cosine in dense.nearest(vector, filters, max(NEAR, limit)).items()
            if place not in near
        }
        near |= {place: others[place] for place in _that_meet(engine, query, list(others))}
    return dict(sorted(near.items(), key=lambda one: (-one[1], one[0]))[:limit])


def _that_meet(engine: Engine, query: Query, places: Sequence[Place]) -> Iterator[Place]:
    """The places whose papers meet the conditions, and whose passages are then results."""
    documents = list(dict.fromkeys(document for document, _ in places))
    meeting = frozenset(engine.meeting(query, documents))
    near = [place for place in places if place[0] in meeting]
    papers = engine.papers([document for document, _ in near])
    for place, passage, paper in zip(near, engine.passages(near), papers, strict=True):
        if passage is not None and is_shown(query.required, StoredPassage(passage, paper or NO_FACTS)):
            yield place
