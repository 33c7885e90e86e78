"""One commit: its best passages in order, and what is computed of it once (printed names, counts of queries).

Ties are broken by ids, never by places. A query without ranked parts gives no scores; its passages come by date, those
of one day by the key of their document.
"""

from __future__ import annotations

from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from anagnosis.searching.engines import BY_DATE
from anagnosis.searching.engines.embedded.entries import Entries, key
from anagnosis.searching.engines.embedded.fields import SLOT
from anagnosis.searching.engines.embedded.printed import PrintedNames
from anagnosis.searching.engines.embedded.queries import Queries
from anagnosis.searching.filters import Filters, date_number
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.paper_conditions import needs_papers
from anagnosis.searching.records.hits import Facets, Hit, Matches
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from collections.abc import Callable

    from tantivy import DocAddress, Query, Searcher

    from anagnosis.array_types import Bools
    from anagnosis.searching.engines.embedded.counting import PaperCounts
    from anagnosis.searching.engines.embedded.paper_numbers import PaperNumbers

_COUNTED = 64  # queries whose counts are remembered
_LEFT_OUT = 8  # queries whose papers left out are: a byte an entry each
_DEEPER = 5  # factor by which a search deepens while papers are left out
# The id breaks ties, not the place in the index; so we load all hits with the last value, up to a limit. Rounding makes
# equal scores equal, which may differ in their last digits with the order of summation.
_FOR_TIES = 50
_MOST_TIES = 5_000
_DIGITS = 4


class Commit:
    """A commit. state: of its files, by which the engine knows a new one."""

    def __init__(
        self, state: tuple[int, int], searcher: Searcher, queries: Queries, entries: Entries
    ) -> None:
        self.state, self.searcher, self._queries, self._entries = state, searcher, queries, entries
        self.names = PrintedNames(searcher, queries, entries)
        self.facets = lru_cache(_COUNTED)(self._count_facets)
        self._left_out = lru_cache(_LEFT_OUT)(self._find_left_out)

    def search(self, query: tree.Query, filters: Filters, limit: int, sort: str) -> list[Hit]:
        """The best passages of a query; see Engine."""
        order = _Order(sort == BY_DATE or not query.ranked, bool(query.ranked))
        first = self._first_places(query, filters, limit, order)
        read = self._entries.read(self.searcher, [place for _, place in first])
        hits = [Hit(entry.passage, score) for entry, (score, _) in zip(read, first, strict=True)]
        return sorted(hits, key=order.key)[:limit]

    def _first_places(
        self, query: tree.Query, filters: Filters, limit: int, order: _Order
    ) -> list[tuple[float, DocAddress]]:
        """(score, place) of the first `limit` passages and those that tie with the last of them, in no order."""
        queries = self._queries
        matches = queries.matches(query, filters)
        if matches is None:
            return []
        scored = queries.scored(query, filters) if query.ranked else matches
        first = partial(self.first, dropped=self.left_out(query))
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

    def first(
        self, wanted: Query, limit: int, dropped: Bools | None, **order: Any
    ) -> list[tuple[Any, DocAddress]]:
        """(value, place) of the first passages of a query. dropped: from `left_out`. order: as for the library."""
        depth = limit
        while True:
            hits = kept = self.searcher.search(wanted, depth, count=False, **order).hits
            if dropped is not None and hits:
                import numpy as np

                slots: list[Any] = self.searcher.fast_field_values(SLOT, [place for _, place in hits])
                there = dropped[self._numbers.with_slots(np.array(slots, np.int64))].tolist()
                kept = [hit for hit, is_dropped in zip(hits, there, strict=True) if not is_dropped]
            if len(kept) >= limit or len(hits) < depth:
                return kept[:limit]
            depth *= _DEEPER

    def left_out(self, query: tree.Query) -> Bools | None:
        """The entries of papers that do not meet a query's conditions; None where each passage decides by itself."""
        if not needs_papers(query):
            return None
        return self._left_out(replace(query, ranked=() if query.required else query.ranked))

    def _find_left_out(self, query: tree.Query) -> Bools:
        from anagnosis.searching.engines.embedded.paper_numbers import left_out

        return left_out(self._numbers, query)

    def _count_facets(self, query: tree.Query, filters: Filters, limit: int) -> Facets:
        """The counts of a query's papers; see Engine."""
        wanted = self._queries.matches(query, filters)
        if wanted is None:
            return Facets(Matches(0, 0))
        return self._counts.facets(wanted, self.left_out(query), limit)

    # Both here, since most processes count nothing, and it takes NumPy.
    @cached_property
    def _numbers(self) -> PaperNumbers:
        from anagnosis.searching.engines.embedded.paper_numbers import PaperNumbers

        return PaperNumbers(self.searcher, self._queries)

    @cached_property
    def _counts(self) -> PaperCounts:
        from anagnosis.searching.engines.embedded.counting import PaperCounts

        return PaperCounts(self._numbers, self.names)


class _Order(NamedTuple):
    """The order of a query's passages. by_date: date before score. has_scores: whether a part of it is ranked."""

    by_date: bool
    has_scores: bool

    def key(self, hit: Hit) -> tuple[int, float, int, str, int]:
        """What a list of hits is sorted by."""
        passage = hit.passage
        day = date_number(passage.date) if self.by_date else 0
        without_score = 0 if self.has_scores else -key(passage.document)
        return -day, -hit.score, without_score, passage.document, passage.number


def _best(
    first: Callable[..., list[tuple[Any, DocAddress]]], query: Query, limit: int, order: _Order
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
