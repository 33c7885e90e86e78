"""The entries and papers of one commit as numbers, in the order of their slots (slots.py), so that sets are arrays."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from anagnosis.searching.engines.embedded.slot_fields import SLOT
from anagnosis.searching.engines.embedded.slots import free_slot, matching_slots
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Searcher

    from anagnosis.array_types import Bools, Longs
    from anagnosis.searching.engines.embedded.queries import Queries


_MOST_SLOTS = 4  # slots for an entry, up to which it has its slot for its number


class PaperNumbers:
    """The entries and papers of one commit. size: above the numbers of all entries."""

    def __init__(self, searcher: Searcher, queries: Queries) -> None:
        self.searcher, self.queries = searcher, queries
        self._free = self.size = free_slot(searcher, queries)
        self._slots: Longs | None = None  # of the entries by their numbers; None where both are the same
        entries = int(searcher.num_docs)
        if self._free > _MOST_SLOTS * entries:
            self._slots, self.size = matching_slots(searcher, queries, queries.every(), self._free), entries

    def entries(self, query: Query) -> Longs:
        """The numbers of a query's entries, rising."""
        return self.with_slots(matching_slots(self.searcher, self.queries, query, self._free))

    def with_slots(self, slots: Longs) -> Longs:
        """The numbers of the entries with these slots."""
        return slots if self._slots is None else np.searchsorted(self._slots, slots)

    def with_entries(self, entries: Longs) -> Bools:
        """The papers that have one of these entries."""
        there = np.zeros(self.count, np.bool_)
        there[self.of_entries[entries]] = True
        return there

    @cached_property
    def of_entries(self) -> Longs:
        """Number of an entry → the number of its paper."""
        begins = np.zeros(self.size, np.bool_)
        begins[self.entries(self.queries.first())] = True
        return np.cumsum(begins) - 1

    @property
    def count(self) -> int:
        """The number of papers."""
        return int(self.of_entries[-1]) + 1 if self.size else 0

    @cached_property
    def first_places(self) -> list[DocAddress]:
        """The first passage of each paper."""
        first, rising = self.queries.first(), library().Order.Asc
        count = max(1, self.count)
        hits = self.searcher.search(first, count, count=False, order_by_field=SLOT, order=rising).hits
        return [place for _, place in hits]
