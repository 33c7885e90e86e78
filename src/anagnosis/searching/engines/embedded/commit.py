"""What is computed of one commit and remembered: printed names, and counts of queries (a page asks repeatedly)."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from anagnosis.searching.engines.embedded.fields import SLOT
from anagnosis.searching.queries.paper_conditions import needs_papers
from anagnosis.searching.records.matches import Facets, Matches

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Searcher

    from anagnosis.array_types import Bools
    from anagnosis.searching.engines.embedded.counting import PaperCounts
    from anagnosis.searching.engines.embedded.paper_numbers import PaperNumbers
    from anagnosis.searching.engines.embedded.printed_names import PrintedNames
    from anagnosis.searching.engines.embedded.queries import Queries
    from anagnosis.searching.filters import Filters
    from anagnosis.searching.queries import tree

_COUNTED = 64  # queries whose counts are remembered
_LEFT_OUT = 8  # queries whose papers left out are: a byte an entry each
_DEEPER = 5  # factor by which a search deepens while papers are left out


class Commit:
    """A commit. state: of its files, by which the engine knows a new one."""

    def __init__(
        self, state: tuple[int, int], searcher: Searcher, queries: Queries, names: PrintedNames
    ) -> None:
        self.state, self.searcher, self.names, self._queries = state, searcher, names, queries
        self.matches = lru_cache(_COUNTED)(self._count_matches)
        self.facets = lru_cache(_COUNTED)(self._count_facets)
        self._left_out = lru_cache(_LEFT_OUT)(self._find_left_out)

    def _count_matches(self, query: tree.Query, filters: Filters) -> Matches:
        """The numbers of papers and passages of a query."""
        wanted = self._queries.matches(query, filters)
        return Matches(0, 0) if wanted is None else self._counts.matches(wanted, self.left_out(query))

    def _count_facets(self, query: tree.Query, filters: Filters, limit: int) -> Facets:
        """The counts of a query's papers. limit: most journals and types."""
        wanted = self._queries.matches(query, filters)
        if wanted is None:
            return Facets(Matches(0, 0))
        return self._counts.facets(wanted, self.left_out(query), limit)

    def left_out(self, query: tree.Query) -> Bools | None:
        """The entries of papers that do not meet a query's conditions; None where each passage decides by itself."""
        if not needs_papers(query):
            return None
        return self._left_out(replace(query, ranked=() if query.required else query.ranked))

    def _find_left_out(self, query: tree.Query) -> Bools:
        from anagnosis.searching.engines.embedded.paper_sets import left_out

        return left_out(self._numbers, query)

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

    # Both here, since most processes count nothing, and it takes NumPy.
    @cached_property
    def _numbers(self) -> PaperNumbers:
        from anagnosis.searching.engines.embedded.paper_numbers import PaperNumbers

        return PaperNumbers(self.searcher, self._queries)

    @cached_property
    def _counts(self) -> PaperCounts:
        from anagnosis.searching.engines.embedded.counting import PaperCounts

        return PaperCounts(self._numbers, self.names)
