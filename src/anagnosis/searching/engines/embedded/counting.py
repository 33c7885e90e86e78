"""Exact counts of matching papers, by year, section, journal, and several names such as types.

The library counts entries, which are passages. We take the matching passages from it as an array
(paper_numbers.py), and count their papers in arrays that are read once a commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from anagnosis.searching.engines.embedded.fields import key_field
from anagnosis.searching.filters import NAME_FILTERS, NameFilter
from anagnosis.searching.records.hits import Facet, Facets, Matches
from anagnosis.searching.section_names import SECTIONS

if TYPE_CHECKING:
    from tantivy import DocAddress, Query

    from anagnosis.array_types import Bools, Longs, UInt64s
    from anagnosis.searching.engines.embedded.paper_numbers import PaperNumbers
    from anagnosis.searching.engines.embedded.printed import PrintedNames

_YEAR = 10_000  # of filters.date_number


class _Values(NamedTuple):
    """A value of each paper, as its number among the different values; `numbers` has -1 for none.

    keys: of the values. examples: the first passage of a paper with each.
    """

    numbers: Longs
    keys: Sequence[int]
    examples: Sequence[DocAddress]


class PaperCounts:
    """Counts of papers in one commit. left_out: entries that do not count, None for none."""

    def __init__(self, papers: PaperNumbers, names: PrintedNames) -> None:
        self._papers, self._names = papers, names
        self._values = cache(self._values_of)

    def facets(self, query: Query, left_out: Bools | None, limit: int) -> Facets:
        """The counts of a query's papers; see Engine."""
        entries = self._papers.entries(query)
        if left_out is not None:
            entries = entries[~left_out[entries]]
        papers = np.flatnonzero(self._papers.with_entries(entries))
        matches = Matches(len(papers), len(entries))
        if not limit:
            return Facets(matches)
        return Facets(
            matches,
            tuple([Facet(str(year), count) for year, count in _counted(self._years[papers]) if year]),
            sections=self._of_sections(entries),
            **{
                one.names: (self._of_several if one.several else self._of_one)(one, papers, limit)
                for one in NAME_FILTERS
            },
        )

    def _fast(self, field: str) -> UInt64s:
        """The values of a field of the first passages; 0 for none."""
        values = self._papers.searcher.fast_field_values(field, self._papers.first_places)
        return np.array([one or 0 for one in values], np.uint64)

    @cached_property
    def _years(self) -> Longs:
        return self._fast("date").astype(np.int64) // _YEAR

    @cached_property
    def _places_in_sections(self) -> Longs:
        """Number of an entry → the place of its section and paper in a table with a row for each section."""
        sections = np.zeros(self._papers.size, np.int64)
        for number, section in enumerate(SECTIONS):
            sections[self._papers.entries(self._papers.queries.term("section", section))] = number
        return sections * self._papers.count + self._papers.of_entries

    def _values_of(self, names: NameFilter) -> _Values:
        values = self._fast(key_field(names))
        keys, first, numbers = np.unique(values, return_index=True, return_inverse=True)
        numbers = numbers.astype(np.int64)
        if len(keys) and not keys[0]:
            keys, first, numbers = keys[1:], first[1:], numbers - 1
        return _Values(numbers, keys.tolist(), [self._papers.first_places[int(at)] for at in first])

    def _of_one(self, name: NameFilter, papers: Longs, limit: int) -> tuple[Facet, ...]:
        values, names_of = self._values(name), self._names.by_key(name.field)
        counts = _counted(values.numbers[papers])
        least = min(sorted((count for _, count in counts), reverse=True)[:limit], default=0)
        names = [(names_of[values.keys[number]], count) for number, count in counts if count >= least]
        return self._printed(name.field, names, limit)

    def _of_several(self, names: NameFilter, papers: Longs, limit: int) -> tuple[Facet, ...]:
        values, counts = self._values(names), dict[str, int]()
        counted = _counted(values.numbers[papers])
        places = {values.keys[number]: values.examples[number] for number, _ in counted}
        for (_, count), there in zip(counted, self._names.several_at(names.field, places), strict=True):
            for name in dict.fromkeys(there):
                counts[name] = counts.get(name, 0) + count
        return self._printed(names.field, counts.items(), limit)

    def _of_sections(self, entries: Longs) -> tuple[Facet, ...]:
        there = np.zeros(len(SECTIONS) * self._papers.count, np.bool_)
        there[self._places_in_sections[entries]] = True
        rows = there.reshape(len(SECTIONS), self._papers.count)
        counts = [(name, int(np.count_nonzero(row))) for name, row in zip(SECTIONS, rows, strict=True)]
        return tuple([Facet(name, count) for name, count in sorted(counts, key=_commonest) if count])

    def _printed(self, field: str, counts: Iterable[tuple[str, int]], limit: int) -> tuple[Facet, ...]:
        first = sorted(counts, key=_commonest)[:limit]
        return tuple([Facet(self._names(field, name), count) for name, count in first])


def _counted(numbers: Longs) -> list[tuple[int, int]]:
    """(number, how often it stands there) for all that are not negative, rising."""
    counts: Any = np.bincount(numbers[numbers >= 0])
    there = np.flatnonzero(counts)
    return list(zip(there.tolist(), counts[there].tolist(), strict=True))


def _commonest(one: tuple[str, int]) -> tuple[int, str]:
    return -one[1], one[0]
