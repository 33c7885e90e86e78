"""What is computed of one commit and remembered: printed names, and counts of queries (a page asks repeatedly)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from anagnosis.searching.engines.embedded.paper_searcher import LeftOut, PaperSearcher
from anagnosis.searching.engines.embedded.printed_names import PrintedNames
from anagnosis.searching.queries.paper_conditions import needs_papers

if TYPE_CHECKING:
    from collections.abc import Hashable

    from tantivy import Query, Searcher

    from anagnosis.array_types import Bools
    from anagnosis.searching.engines.embedded.counting import PaperCounts
    from anagnosis.searching.engines.embedded.paper_numbers import PaperNumbers
    from anagnosis.searching.engines.embedded.queries import Queries
    from anagnosis.searching.filters import Filters
    from anagnosis.searching.queries import tree
    from anagnosis.searching.records.matches import Facets, Matches

_COUNTED = 64  # queries whose counts are remembered
_LEFT_OUT = 8  # queries whose papers left out are: a byte an entry each


class OfCommit:
    """What was computed of a commit. state: of its files, by which the engine knows a new one."""

    def __init__(
        self, state: tuple[int, int], searcher: Searcher, queries: Queries, names: PrintedNames
    ) -> None:
        self.state, self.searcher, self.names, self._queries = state, searcher, names, queries
        self._matches: dict[Hashable, Matches] = {}
        self._facets: dict[tuple[Hashable, int], Facets] = {}
        self._left_out: dict[tree.Query, Bools] = {}

    def matches(self, query: tree.Query, filters: Filters, wanted: Query) -> Matches:
        """The numbers of papers and passages of a query, which is `wanted` for the library."""
        asked = query, filters
        if asked not in self._matches:
            _make_room(self._matches)
            self._matches[asked] = self._counts.matches(wanted, self.left_out(query))
        return self._matches[asked]

    def facets(self, query: tree.Query, filters: Filters, wanted: Query, limit: int) -> Facets:
        """The counts of a query's papers. limit: most journals and types."""
        asked = query, filters
        if (asked, limit) not in self._facets:
            _make_room(self._facets)
            counted = self._counts.facets(wanted, self.left_out(query), limit)
            self._facets[asked, limit], self._matches[asked] = counted, counted.matches
        return self._facets[asked, limit]

    def left_out(self, query: tree.Query) -> Bools | None:
        """The entries of papers that do not meet a query's conditions; None where each passage decides by itself."""
        if not needs_papers(query):
            return None
        conditions = replace(query, ranked=() if query.required else query.ranked)
        if conditions not in self._left_out:
            from anagnosis.searching.engines.embedded.papers_left_out import left_out

            _make_room(self._left_out, _LEFT_OUT)
            self._left_out[conditions] = left_out(self._numbers, conditions)
        return self._left_out[conditions]

    def paper_searcher(self, query: tree.Query) -> PaperSearcher:
        """A searcher of the papers that meet a query's conditions."""
        dropped = self.left_out(query)
        return PaperSearcher(self.searcher, None if dropped is None else LeftOut(self._numbers, dropped))

    # Both here, since most processes count nothing, and it takes NumPy.
    @cached_property
    def _numbers(self) -> PaperNumbers:
        from anagnosis.searching.engines.embedded.paper_numbers import PaperNumbers

        return PaperNumbers(self.searcher, self._queries)

    @cached_property
    def _counts(self) -> PaperCounts:
        from anagnosis.searching.engines.embedded.counting import PaperCounts

        return PaperCounts(self._numbers, self.names)


def _make_room(known: dict[Any, Any], most: int = _COUNTED) -> None:
    """Forget all where there are many."""
    if len(known) >= most:
        known.clear()
