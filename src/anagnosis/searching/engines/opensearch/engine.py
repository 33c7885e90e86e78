"""An index in a cluster: `Engine` over OpenSearch; what writers send is in writing.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anagnosis.searching.engines import BY_DATE, BY_SCORE, Committed, Scored, best_first
from anagnosis.searching.engines.opensearch import searches
from anagnosis.searching.engines.opensearch.connection import Cluster
from anagnosis.searching.engines.opensearch.entries import MOST_HITS, TAB, stored_in
from anagnosis.searching.engines.opensearch.replies import Aggregation, Found
from anagnosis.searching.engines.opensearch.writing import COMMIT, Writer
from anagnosis.searching.engines.queries import FIELDS, Json, Queries, any_of, beginning_with
from anagnosis.searching.engines.terms import printed_in
from anagnosis.searching.filters import NAME_FILTERS, Filters
from anagnosis.searching.papers.bm25 import Rarity
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.passages import SECTIONS
from anagnosis.searching.queries import tree
from anagnosis.searching.records.hits import Counts, Facet, Facets

_FIRST_LINE_WITHOUT_FACTOR, _FACTOR = 3, 2.2  # from this line on scores lack the factor k1 + 1
_YEAR = 10_000  # of filters.date_number
_LATEST = {"date": {"order": "desc", "missing": "_last"}}
_SUMS = {one: {"sum": {"field": one}} for one in ("passages", "letters")}
_EVERY = 60_000  # names that are counted; nodes give 65,535
_FORMS = 4  # printed forms of a name, about
_LONGEST = 400  # letters with which names begin; nodes take expressions of 1,000 characters
_SIGN = re.compile(r"([^\w\s])")


class _Queries(Queries):
    """Names have their printed form behind a tab, and two documents are no papers."""

    def among(self, field: str, values: Sequence[str]) -> Json:
        if field not in tree.NAME_FIELDS:
            return super().among(field, values)
        return any_of([beginning_with(field, name + TAB) for name in values])

    def _limits(self, query: tree.Query, filters: Filters) -> Json:
        limits = super()._limits(query, filters)
        return {**limits, "filter": [searches.PAPERS, *limits["filter"]]}


_QUERIES = _Queries()


class OpenSearchEngine:
    """An Engine in a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._writer: Writer | None = None

    def begin(self) -> None:
        self._writing()

    def put(self, stored: StoredPaper) -> None:
        self._writing().write(stored.name, stored)

    def delete(self, name: str) -> None:
        self._writing().write(name, None)

    def commit(self) -> None:
        if self._writer is not None:
            self._writer.commit()

    def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def _writing(self) -> Writer:
        if self._writer is None:
            self._writer = Writer(self._cluster)
        return self._writer

    def search(
        self, query: tree.Query, filters: Filters, limit: int, *, sort: str = BY_SCORE
    ) -> list[Scored]:
        if limit < 1:
            return []
        body: Json = {**searches.STORED, "query": _QUERIES.scored(query, filters)}
        if not query.ranked or sort == BY_DATE:
            body |= {"size": min(limit, MOST_HITS), "sort": [_LATEST, "name"]}
            (found,) = searches.many(self._cluster, [body])
            return [Scored(0.0, stored_in(hit.source.stored)) for hit in found.hits.hits]
        factor = _FACTOR if self._cluster.line >= _FIRST_LINE_WITHOUT_FACTOR else 1.0

        def scored(depth: int) -> list[tuple[float, Found]]:
            (found,) = searches.many(self._cluster, [{**body, "size": min(depth, MOST_HITS)}])
            return [(factor * (hit.score or 0.0), hit) for hit in found.hits.hits]

        return best_first(scored, lambda hit: stored_in(hit.source.stored), limit)

    def facets(self, query: tree.Query, filters: Filters, limit: int) -> Facets:
        wanted = _QUERIES.scored(query, filters)
        if not limit:
            (found,) = searches.many(self._cluster, [searches.counted(wanted)])
            return Facets(found.hits.total.value)
        years: Json = {"histogram": {"field": "date", "interval": _YEAR, "min_doc_count": 1}}
        sections: Json = {"terms": {"field": "section", "size": len(SECTIONS)}}
        # Each kind of names by itself: nodes limit the names of a search.
        asked = [{"years": years, "sections": sections}]
        asked += [{"names": _every_name(one.field)} for one in NAME_FILTERS]
        found, *named = searches.many(self._cluster, [searches.counted(wanted, **one) for one in asked])
        of_year = [(one.key, one.doc_count) for one in found.aggregations["years"].buckets]
        names = [_facets(reply.aggregations["names"])[:limit] for reply in named]
        return Facets(
            found.hits.total.value,
            tuple(
                Facet(str(int(year) // _YEAR), count) for year, count in of_year if isinstance(year, float)
            ),
            sections=_facets(found.aggregations["sections"]),
            **{one.names: some for one, some in zip(NAME_FILTERS, names, strict=True)},
        )

    def meeting(self, names: Sequence[str], query: tree.Query, filters: Filters) -> set[str]:
        if not names:
            return set()
        wanted = _QUERIES.meeting(names, query, filters)
        (found,) = searches.many(self._cluster, [{**searches.NAMES, "query": wanted, "size": MOST_HITS}])
        return {one.source.name for one in found.hits.hits}

    def papers(self, names: Sequence[str]) -> list[StoredPaper | None]:
        there = {stored.name: stored for stored in self._with_any("name", names)}
        return [there.get(name) for name in names]

    def with_keys(self, keys: Sequence[str]) -> list[StoredPaper]:
        return [*{stored.name: stored for stored in self._with_any("key", keys)}.values()]

    def _with_any(self, field: str, values: Sequence[str]) -> Iterator[StoredPaper]:
        for hit in searches.with_any(self._cluster, field, values):
            stored = stored_in(hit.source.stored)
            if self._writer is not None:
                self._writer.has_read(stored.name, hit)
            yield stored

    def every(self) -> Iterator[StoredPaper]:
        for hit in searches.every_paper(self._cluster):
            yield stored_in(hit.source.stored)

    def rarity(self, words: Sequence[str]) -> Rarity:
        asked = [(field, word) for word in words for field, _ in FIELDS]
        counted = [searches.counted({"term": {field: word}}) for field, word in asked]
        sums, *counts = searches.many(self._cluster, [searches.counted(searches.PAPERS, **_SUMS), *counted])
        return Rarity(
            sums.hits.total.value,
            int(sums.aggregations["passages"].value),
            int(sums.aggregations["letters"].value),
            {word: reply.hits.total.value for word, reply in zip(asked, counts, strict=True)},
        )

    def names(self, field: str, letters: str, limit: int) -> list[str]:
        if len(letters) > _LONGEST or limit < 1:
            return []
        field = "printed" if field == tree.TITLE else field
        names = _every_name(field, letters, min(_FORMS * limit, _EVERY))
        asked = searches.counted(beginning_with(field, letters), names=names)
        (found,) = searches.many(self._cluster, [asked])
        return [key for key, *_ in _names_in(found.aggregations["names"])][:limit]

    def printed(self, field: str, names: Sequence[str]) -> list[str]:
        how: Json = {**searches.STORED, "size": 1, "sort": [_LATEST, "name"]}
        asked = [{**how, "query": _QUERIES.named(field, name)} for name in names]
        found = [reply.hits.hits for reply in searches.many(self._cluster, asked)]
        return [
            next((printed_in(stored_in(hit.source.stored), field, name) for hit in hits), "")
            for name, hits in zip(names, found, strict=True)
        ]

    def committed(self) -> Committed:
        commit = {"query": {"ids": {"values": [COMMIT]}}, "_source": ["version"]}
        last, papers = searches.many(self._cluster, [commit, searches.counted(searches.PAPERS, **_SUMS)])
        version = next((hit.source.version for hit in last.hits.hits), "")
        passages = int(papers.aggregations["passages"].value)
        return Committed(version, Counts(papers.hits.total.value, passages))


def _every_name(field: str, letters: str = "", size: int = _EVERY) -> Json:
    """The aggregation that counts the terms of a field that begin so.

    Written as `.*`, OpenSearch 2.19 takes a shorter way, and fails where no term begins so.
    """
    include = {"include": _SIGN.sub(r"\\\1", letters) + ".{0,}"} if letters else {}
    return {"terms": {"field": field, "size": size, **include}}


def _names_in(found: Aggregation) -> list[tuple[str, str, int]]:
    """(folded name, the form that most of its papers print, papers), those of most papers first, ties by the name."""
    forms: dict[str, list[tuple[int, str]]] = {}
    for one in found.buckets:
        key, _, printed = str(one.key).partition(TAB)
        forms.setdefault(key, []).append((one.doc_count, printed))
    # Of two forms that as many papers have, the one with small letters.
    names = [(key, max(some)[1], sum(count for count, _ in some)) for key, some in forms.items()]
    return sorted(names, key=lambda one: (-one[2], one[0]))


def _facets(found: Aggregation) -> tuple[Facet, ...]:
    return tuple(Facet(printed or key, count) for key, printed, count in _names_in(found))
