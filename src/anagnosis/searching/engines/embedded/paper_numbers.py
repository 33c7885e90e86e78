"""The papers of one commit as numbers, in the order of their slots (slots.py), so that sets of papers are arrays."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from anagnosis.searching.engines.embedded.slots import SLOT, free_slot, matching_slots
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Searcher

    from anagnosis.array_types import Bools, Longs
    from anagnosis.searching.engines.embedded.queries import Queries


class PaperNumbers:
    """The papers of one commit. size: a slot that is free, as are all later ones."""

    def __init__(self, searcher: Searcher, queries: Queries) -> None:
        self.searcher, self.queries = searcher, queries
        self.size = free_slot(searcher, queries)

    def slots(self, query: Query) -> Longs:
        """The slots of a query's passages, rising."""
        return matching_slots(self.searcher, self.queries, query, self.size)

    def with_slots(self, slots: Longs) -> Bools:
        """The papers that have one of these slots."""
        there = np.zeros(self.count, np.bool_)
        there[self.of_slots[slots]] = True
        return there

    @cached_property
    def of_slots(self) -> Longs:
        """Slot → the number of its paper."""
        begins = np.zeros(self.size, np.bool_)
        begins[self.slots(self.queries.first())] = True
        return np.cumsum(begins) - 1

    @property
    def count(self) -> int:
        """The number of papers."""
        return int(self.of_slots[-1]) + 1 if self.size else 0

    @cached_property
    def first_places(self) -> list[DocAddress]:
        """The first passage of each paper."""
        first, rising = self.queries.first(), library().Order.Asc
        count = max(1, self.count)
        hits = self.searcher.search(first, count, count=False, order_by_field=SLOT, order=rising).hits
        return [place for _, place in hits]
