"""A search that leaves out the passages of papers that do not meet a query's conditions (papers_left_out.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anagnosis.searching.engines.embedded.slots import SLOT

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Searcher

    from anagnosis.array_types import Bools

_DEEPER = 5  # factor by which a search deepens while papers are left out


class PaperSearcher:
    """A searcher that leaves out the passages of some papers, by their slots; None for none."""

    def __init__(self, searcher: Searcher, dropped: Bools | None = None) -> None:
        self.searcher, self._dropped = searcher, dropped

    def first(self, query: Query, limit: int, **order: Any) -> list[tuple[Any, DocAddress]]:
        """(value, place) of the first passages of a query. order: as for the library's search."""
        depth = limit
        while True:
            hits = self.searcher.search(query, depth, count=False, **order).hits
            kept = self.kept(hits)
            if len(kept) >= limit or len(hits) < depth:
                return kept[:limit]
            depth *= _DEEPER

    def kept(self, hits: list[tuple[Any, DocAddress]]) -> list[tuple[Any, DocAddress]]:
        """The hits whose papers are not left out."""
        if self._dropped is None:
            return hits
        slots: list[Any] = self.searcher.fast_field_values(SLOT, [place for _, place in hits])
        return [hit for hit, slot in zip(hits, slots, strict=True) if not self._dropped[slot]]
