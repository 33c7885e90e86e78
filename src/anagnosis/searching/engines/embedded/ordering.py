"""Which passages come first: by score, or by date and then score. Ties are broken by ids, never by places.

A query without ranked parts gives no scores; its passages come by date, those of one day by the key of their document.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from anagnosis.searching.engines import BY_DATE
from anagnosis.searching.engines.embedded.entries import key
from anagnosis.searching.engines.embedded.paper_searcher import PaperSearcher
from anagnosis.searching.engines.embedded.queries import Queries
from anagnosis.searching.filters import Filters, date_number
from anagnosis.searching.queries import tree
from anagnosis.searching.records.answers import Hit
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import DocAddress, Query

# The id breaks ties, not the place in the index; so we load all hits with the last value, up to a limit. Rounding makes
# equal scores equal, which may differ in their last digits with the order of summation.
_FOR_TIES = 50
_MOST_TIES = 5_000
_DIGITS = 4


class Scored(NamedTuple):
    """A hit that is not loaded yet."""

    score: float
    place: DocAddress


class Ordering(NamedTuple):
    """The order of a query's passages. by_date: date before score. has_scores: whether a part of it is ranked."""

    by_date: bool
    has_scores: bool

    def key(self, hit: Hit) -> tuple[int, float, int, str, int]:
        """What a list of hits is sorted by."""
        passage = hit.passage
        day = date_number(passage.date) if self.by_date else 0
        without_score = 0 if self.has_scores else -key(passage.document)
        return -day, -hit.score, without_score, passage.document, passage.number


def ordering(query: tree.Query, sort: str) -> Ordering:
    """The order for a query."""
    has_scores = bool(query.ranked)
    return Ordering(sort == BY_DATE or not has_scores, has_scores)


def first_places(
    searcher: PaperSearcher,
    queries: Queries,
    query: tree.Query,
    filters: Filters,
    limit: int,
    order: Ordering,
) -> list[Scored]:
    """The first `limit` passages and those that tie with the last of them, in no order."""
    matches = queries.matches(query, filters)
    if matches is None:
        return []
    scored = queries.scored(query, filters, searcher.searcher) if query.ranked else matches
    if not order.by_date:
        return _best(searcher, scored, limit, order)
    days = [day for day, _ in searcher.first(matches, limit, order_by_field="date")]
    if len(days) < limit:
        return _best(searcher, scored, limit, order)
    last = days[-1]
    newer = sum(day != last for day in days)
    if last is None:
        first, rest = queries.within(scored), queries.undated(scored)
    else:
        first, rest = queries.within(scored, last + 1), queries.within(scored, last, last)
    there = _best(searcher, first, newer, order) if newer else []
    return there + _best(searcher, rest, limit - newer, order)


def _best(searcher: PaperSearcher, query: Query, limit: int, order: Ordering) -> list[Scored]:
    """The best `limit` passages and those that tie with the last one."""
    if order.has_scores:
        return [
            Scored(score, place)
            for score, place in _with_ties(
                lambda depth: [
                    (round(score, _DIGITS), place) for score, place in searcher.first(query, depth)
                ],
                limit,
            )
        ]
    by_paper = library().Order.Desc
    hits = _with_ties(
        lambda depth: searcher.first(query, depth, order_by_field="paper", order=by_paper),
        limit,
    )
    return [Scored(0.0, place) for _, place in hits]


def _with_ties(
    search: Callable[[int], list[tuple[float, DocAddress]]], limit: int
) -> list[tuple[float, DocAddress]]:
    """The first `limit` of (value, place), by falling value, and all others with the last value."""
    depth = limit + _FOR_TIES
    while True:
        hits = search(depth)
        if len(hits) < depth or hits[-1][0] < hits[limit - 1][0] or depth >= limit + _MOST_TIES:
            break
        depth = min(10 * depth, limit + _MOST_TIES)
    last = hits[min(limit, len(hits)) - 1][0] if hits else 0
    return [hit for hit in hits if hit[0] >= last]
