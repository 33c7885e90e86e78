"""Which passages come first: by score, or by date and then score. Ties are broken by ids, never by places.

A query without ranked parts gives no scores; its passages come by date, those of one day by the key of their document.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from anagnosis.searching.engines import BY_DATE
from anagnosis.searching.engines.embedded.entries import key
from anagnosis.searching.engines.embedded.queries import Queries
from anagnosis.searching.filters import Filters, date_number
from anagnosis.searching.queries import tree
from anagnosis.searching.records.answers import Hit
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import DocAddress, Query

    from anagnosis.searching.engines.embedded.commit import Commit

# The id breaks ties, not the place in the index; so we load all hits with the last value, up to a limit. Rounding makes
# equal scores equal, which may differ in their last digits with the order of summation.
_FOR_TIES = 50
_MOST_TIES = 5_000
_DIGITS = 4


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
    commit: Commit,
    queries: Queries,
    query: tree.Query,
    filters: Filters,
    limit: int,
    order: Ordering,
) -> list[tuple[float, DocAddress]]:
    """(score, place) of the first `limit` passages and those that tie with the last of them, in no order."""
    matches = queries.matches(query, filters)
    if matches is None:
        return []
    scored = queries.scored(query, filters, commit.searcher) if query.ranked else matches
    first = partial(commit.first, dropped=commit.left_out(query))
    if not order.by_date:
        return _best(first, scored, limit, order)
    days = [day for day, _ in first(matches, limit, order_by_field="date")]
    if len(days) < limit:
        return _best(first, scored, limit, order)
    last = days[-1]
    newer = sum(day != last for day in days)
    if last is None:
        later, rest = queries.within(scored), queries.undated(scored)
    else:
        later, rest = queries.within(scored, last + 1), queries.within(scored, last, last)
    there = _best(first, later, newer, order) if newer else []
    return there + _best(first, rest, limit - newer, order)


def _best(
    first: Callable[..., list[tuple[Any, DocAddress]]], query: Query, limit: int, order: Ordering
) -> list[tuple[float, DocAddress]]:
    """The best `limit` passages and all others with the last value: the score, or else the key of the paper."""
    by_paper: dict[str, Any] = {"order_by_field": "paper", "order": library().Order.Desc}
    depth = limit + _FOR_TIES
    while True:
        if order.has_scores:
            hits = [(round(score, _DIGITS), place) for score, place in first(query, depth)]
        else:
            hits = first(query, depth, **by_paper)
        if len(hits) < depth or hits[-1][0] < hits[limit - 1][0] or depth >= limit + _MOST_TIES:
            break
        depth = min(10 * depth, limit + _MOST_TIES)
    last = hits[min(limit, len(hits)) - 1][0] if hits else 0
    return [(value if order.has_scores else 0.0, place) for value, place in hits if value >= last]
