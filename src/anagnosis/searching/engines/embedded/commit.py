"""One commit: its best papers in order, their counts, and what is computed of it once.

Ties are broken by names, never by places. Papers without scores come in the order of fields.ORDER.
"""

from __future__ import annotations

from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any

from anagnosis.searching.engines import BY_DATE, Scored, best_first
from anagnosis.searching.engines.embedded.fields import ORDER, name_in, stored_in
from anagnosis.searching.engines.embedded.library_faults import without_panic_message
from anagnosis.searching.engines.embedded.queries import native
from anagnosis.searching.engines.queries import Json, Queries
from anagnosis.searching.engines.terms import printed_in
from anagnosis.searching.filters import NAME_FILTERS, Filters
from anagnosis.searching.papers.bm25 import CONTENT, TITLE, Rarity
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.queries import tree
from anagnosis.searching.records.hits import Facet, Facets
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tantivy import DocAddress, Index, Query, Searcher

_REMEMBERED = 400  # papers; those of one question are read several times
_YEAR = 10_000  # of filters.date_number
_BUCKETS = 200  # of a facet: more are asked for only where the last one shown ties with the last one counted
_MOST_BUCKETS = 65_000  # the library refuses more
_QUERIES = Queries()


class Commit:
    """A commit of the index in a folder."""

    def __init__(self, index: Index, folder: Path) -> None:
        self.searcher, self._schema = index.searcher(), index.schema
        self._read = lru_cache(_REMEMBERED)(partial(_read, self.searcher, folder))
        self._printed = dict[tuple[str, str], str]()  # (field, folded name) → as printed

    def search(self, query: tree.Query, filters: Filters, limit: int, sort: str) -> list[Scored]:
        """The best papers of a query; see Engine."""
        wanted = self._native(_QUERIES.scored(query, filters))
        if not query.ranked or sort == BY_DATE:
            return [Scored(0.0, self.stored(at)) for _, at in self._in_order(wanted, limit)]
        return best_first(
            lambda depth: self.searcher.search(wanted, depth, count=False).hits, self.stored, limit
        )

    def meeting(self, names: Sequence[str], query: tree.Query, filters: Filters) -> set[str]:
        """Which of these papers meet the conditions; see Engine."""
        wanted = self._native(_QUERIES.meeting(names, query, filters))
        return {name_in(order) for order, _ in self._in_order(wanted, max(1, len(names)))}

    def _native(self, query: Json) -> Query:
        return native(self._schema, query)

    def _in_order(self, query: Query, limit: int) -> list[tuple[str, DocAddress]]:
        """(what they are sorted by, place) of the latest papers of a query."""
        rising = library().Order.Asc
        return self.searcher.search(query, limit, count=False, order_by_field=ORDER, order=rising).hits

    def stored(self, at: DocAddress) -> StoredPaper:
        """The paper at a place."""
        return self._read(at.segment_ord, at.doc)

    def with_any(self, field: str, values: Sequence[str]) -> list[StoredPaper]:
        """The papers with any of these values in a field."""
        return [self.stored(at) for _, at in self.matching(self._native(_QUERIES.among(field, values)))]

    def matching(self, query: Query) -> list[tuple[Any, DocAddress]]:
        """(score, place) of all papers of a query."""
        result: Any = self.searcher.search(query, _BUCKETS)
        if result.count > len(result.hits):
            result = self.searcher.search(query, result.count)
        return list(result.hits)

    def rarity(self, words: Iterable[str]) -> Rarity:
        counts = {
            (field, word): self.searcher.doc_freq(field, word) for word in words for field in (CONTENT, TITLE)
        }
        return Rarity(self.searcher.num_docs, *self.sums, counts)

    @cached_property
    def sums(self) -> tuple[int, int]:
        """The passages of all papers, and their letters."""
        asked = {name: {"sum": {"field": name}} for name in ("passages", "letters")}
        found: Any = self.searcher.aggregate(library().Query.all_query(), asked)
        return int(found["passages"]["value"] or 0), int(found["letters"]["value"] or 0)

    def facets(self, query: tree.Query, filters: Filters, limit: int) -> Facets:
        """The counts of a query's papers; see Engine."""
        wanted = self._native(_QUERIES.scored(query, filters))
        if not limit:
            found: Any = self.searcher.search(wanted, 1)
            return Facets(int(found.count))
        asked: dict[str, Any] = {one.names: _terms(one.field, _BUCKETS) for one in NAME_FILTERS}
        asked["sections"] = _terms("section", _BUCKETS)
        asked["years"] = {"histogram": {"field": "date", "interval": _YEAR, "min_doc_count": 1}}
        asked["papers"] = {"value_count": {"field": "passages"}}
        found: Any = self.searcher.aggregate(wanted, asked)
        years = [(int(one["key"]) // _YEAR, one["doc_count"]) for one in found["years"]["buckets"]]
        return Facets(
            int(found["papers"]["value"]),
            tuple([Facet(str(year), count) for year, count in years]),
            sections=tuple([Facet(*one) for one in _commonest(found["sections"])]),
            **{one.names: self._facet(one.field, wanted, found[one.names], limit) for one in NAME_FILTERS},
        )

    def _facet(self, field: str, wanted: Query, found: Any, limit: int) -> tuple[Facet, ...]:
        """The commonest names of a field, ties by name. found: those of the largest buckets."""
        best = _commonest(found)
        if found["sum_other_doc_count"] and best[-1][1] >= best[limit - 1][1]:
            best = _commonest(self.searcher.aggregate(wanted, {"all": _terms(field, _MOST_BUCKETS)})["all"])
        return tuple([Facet(self.as_printed(field, name), count) for name, count in best[:limit]])

    def as_printed(self, field: str, name: str) -> str:
        """A folded name as the latest paper with it prints it; "" without one."""
        if (field, name) not in self._printed:
            for _, at in self._in_order(self._native(_QUERIES.named(field, name)), 1):
                self._printed[field, name] = printed_in(self.stored(at), field, name)
        return self._printed.get((field, name), "")


def _read(searcher: Searcher, folder: Path, segment: int, number: int) -> StoredPaper:
    with without_panic_message():
        return stored_in(searcher.doc(library().DocAddress(segment, number)), folder)


def _terms(field: str, size: int) -> dict[str, Any]:
    return {"terms": {"field": field, "size": size, "segment_size": _MOST_BUCKETS}}


def _commonest(found: Any) -> list[tuple[str, int]]:
    counts = [(one["key"], one["doc_count"]) for one in found["buckets"]]
    return sorted(counts, key=lambda one: (-one[1], one[0]))
