"""A search that leaves out the passages of papers that do not meet a query's conditions (papers_left_out.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from anagnosis.searching.engines.embedded.slot_fields import SLOT

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Searcher

    from anagnosis.array_types import Bools
    from anagnosis.searching.engines.embedded.paper_numbers import PaperNumbers

_DEEPER = 5  # factor by which a search deepens while papers are left out


class LeftOut(NamedTuple):
    """The entries of papers to leave out, by the numbers of entries."""

    numbers: PaperNumbers
    dropped: Bools

    def at(self, slots: Sequence[int]) -> list[bool]:
        """Whether the entries with these slots are left out."""
        import numpy as np

        return self.dropped[self.numbers.with_slots(np.array(slots, np.int64))].tolist()


class PaperSearcher:
    """A searcher that leaves out the passages of some papers; None for none."""

    def __init__(self, searcher: Searcher, left_out: LeftOut | None = None) -> None:
        self.searcher, self._left_out = searcher, left_out

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
        if self._left_out is None:
            return hits
        slots: list[Any] = self.searcher.fast_field_values(SLOT, [place for _, place in hits])
        return [hit for hit, dropped in zip(hits, self._left_out.at(slots), strict=True) if not dropped]
