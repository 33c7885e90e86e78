"""The entries and papers of one commit as numbers, so that sets of them are arrays, and the papers a query leaves out.

A query of the library sees one passage at a time. Where no passage alone decides a query's conditions
(queries/paper_conditions.py), we take the passages of each part, and combine the sets of their papers.

The library lists matches one by one, which takes half a second for a million, or adds up numbers over them. So each
entry has a slot, a number that no other entry has, and the power of two of its place among PER_SUM slots:

    slot 0    bits = 1
    slot 51   bits = 2 to the power of 51
    slot 52   bits = 1

The sum of the bits over the matches among PER_SUM slots says which match: a million come in some 100 ms. The passages
of a document have consecutive slots. A slot is never used again, so an index that is often written has more free slots
than others; its entries are then numbered in the order of their slots.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from anagnosis.searching.engines.embedded.fields import BITS, PER_SUM, SLOT
from anagnosis.searching.queries.paper_conditions import (
    decided_by_passages,
    holds_in_one_passage,
    required_parts,
    varies,
)
from anagnosis.searching.queries.tree import AllOf, AnyOf, Not, Part, any_of
from anagnosis.searching.queries.tree import Query as Tree
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Searcher

    from anagnosis.array_types import Bools, Longs
    from anagnosis.searching.engines.embedded.queries import Queries

_MOST_SLOTS = 4  # slots for an entry, up to which it has its slot for its number
_BUCKETS = 60_000  # at once; the library refuses more than 65,000
_SUMS: dict[str, Any] = {
    SLOT: {
        "histogram": {"field": SLOT, "interval": PER_SUM, "min_doc_count": 1},
        "aggs": {BITS: {"sum": {"field": BITS}}},
    }
}


class PaperNumbers:
    """The entries and papers of one commit. size: above the numbers of all entries."""

    def __init__(self, searcher: Searcher, queries: Queries) -> None:
        self.searcher, self.queries = searcher, queries
        self._free = self.size = queries.free_slot(searcher)
        self._slots: Longs | None = None  # of the entries by their numbers; None where both are the same
        entries = int(searcher.num_docs)
        if self._free > _MOST_SLOTS * entries:
            self._slots, self.size = self._matching_slots(queries.every()), entries

    def entries(self, query: Query) -> Longs:
        """The numbers of a query's entries, rising."""
        return self.with_slots(self._matching_slots(query))

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

    def _matching_slots(self, query: Query) -> Longs:
        """The slots of a query's passages, rising."""
        together = _BUCKETS * PER_SUM
        parts: list[Longs] = []
        for begin in range(0, max(1, self._free), together):
            part = query
            if self._free > together:
                part = self.queries.of_slots(query, begin, begin + together - 1)
            found: Any = self.searcher.aggregate(part, _SUMS)
            buckets = found[SLOT]["buckets"]
            numbers = np.array([(one["key"] - begin) // PER_SUM for one in buckets], np.int64)
            sums = np.array([one[BITS]["value"] for one in buckets], np.float64)
            words = sums.reshape(len(buckets), 1).astype("<u8").view(np.uint8)
            there = np.zeros((min(self._free - begin, together) // PER_SUM + 1, PER_SUM), np.bool_)
            there[numbers] = np.unpackbits(words, axis=1, bitorder="little")[:, :PER_SUM]
            parts.append(np.flatnonzero(there) + begin)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)


def left_out(numbers: PaperNumbers, query: Tree) -> Bools:
    """The entries of papers that `Queries.matches` may bring and that do not meet the conditions."""
    papers = _Papers(numbers)
    required = required_parts(query)
    dropped = np.zeros(numbers.count, np.bool_)
    for part in query.excluded:
        if varies(part):
            dropped |= papers.of(part)
    if not decided_by_passages(required):
        dropped |= ~papers.of_all(required)
    return dropped[numbers.of_entries]


class _Papers:
    """Sets of papers."""

    def __init__(self, numbers: PaperNumbers) -> None:
        self._numbers, self._queries = numbers, numbers.queries

    def of(self, part: Part) -> Bools:
        """The papers that have a part."""
        if holds_in_one_passage(part):
            return self._with(self._queries.condition(part))
        match part:
            case AnyOf(parts=parts):
                simple = any_of(one for one in parts if holds_in_one_passage(one))
                others = [self.of(one) for one in parts if not holds_in_one_passage(one)]
                return np.logical_or.reduce([*others, *([] if simple is None else [self.of(simple)])])
            case AllOf(parts=parts):
                return self.of_all(parts)
            case Not(part=inside):
                return ~self.of(inside)
            case _:
                raise AssertionError(f"{part} holds in one passage")

    def of_all(self, parts: Sequence[Part]) -> Bools:
        """The papers that have all of these parts."""
        fixed = [one for one in parts if not varies(one)]
        moving = [one for one in parts if varies(one)]
        every = self._with(self._queries.of_all(fixed)) if fixed else np.ones(self._numbers.count, np.bool_)
        return np.logical_and.reduce([every, *map(self.of, moving)])

    def _with(self, query: Query) -> Bools:
        return self._numbers.with_entries(self._numbers.entries(query))
