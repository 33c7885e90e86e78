"""An index in a cluster: `Engine` over OpenSearch; what writers send is in writing.py.

Papers come with exact scores, which two engines add up in other orders; so we round them and break ties by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from msgspec.structs import replace

from anagnosis.progress import print_note
from anagnosis.searching.engines import BY_DATE, BY_SCORE, Committed, Found, Scored
from anagnosis.searching.engines.opensearch import printed, queries, searches
from anagnosis.searching.engines.opensearch.connection import Cluster
from anagnosis.searching.engines.opensearch.entries import stored_in
from anagnosis.searching.engines.opensearch.queries import PAPERS, Json
from anagnosis.searching.engines.opensearch.replies import Hit, SearchReply
from anagnosis.searching.engines.opensearch.schema import FACTOR, FIRST_LINE_WITHOUT_FACTOR, MOST_HITS
from anagnosis.searching.engines.opensearch.writing import COMMIT, Writer
from anagnosis.searching.filters import NAME_FILTERS, Filters
from anagnosis.searching.papers.bm25 import Rarity, words_in
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.queries import tree
from anagnosis.searching.records.hits import Counts, Facet, Facets, PrintedTerm
from anagnosis.searching.section_names import SECTIONS

# Papers beyond the limit, which the cluster orders by places: more, while all have the last score.
_FOR_TIES, _MOST_TIES = 50, 5_000
_DIGITS = 4
_MOST_CLAUSES = 900  # of ranked words; nodes take 1,024, and conditions have some
_YEAR = 10_000  # of filters.date_number
_SUMS = {one: {"sum": {"field": one}} for one in ("passages", "letters")}


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

    def search(self, query: tree.Query, filters: Filters, limit: int, *, sort: str = BY_SCORE) -> Found:
        words, query = words_in(query), _shortened(query)
        body: Json = {**searches.STORED, "query": queries.scored(query, filters)}
        body["size"] = min(limit + _FOR_TIES, MOST_HITS)
        by_date = sort == BY_DATE or not query.ranked
        if by_date:
            latest = {"date": {"order": "desc", "missing": "_last"}}
            body |= {"size": min(limit, MOST_HITS), "track_scores": bool(query.ranked)}
            body["sort"] = [latest, *(["_score"] if query.ranked else []), "name"]
        asked = [*([body] if limit > 0 else []), *self._rarity(words)]
        replies = searches.many(self._cluster, asked, **searches.SCORED)
        first = replies.pop(0).hits.hits if limit > 0 else []
        found = [self._scored(hit, is_ranked=bool(query.ranked)) for hit in first]
        most = min(limit + _MOST_TIES, MOST_HITS)
        while (
            not by_date
            and 0 < len(found) == body["size"] < most
            and found[-1].score == found[limit - 1].score
        ):
            body["size"] = min(10 * body["size"], most)
            (deeper,) = searches.many(self._cluster, [body], **searches.SCORED)
            found = [self._scored(hit, is_ranked=True) for hit in deeper.hits.hits]
        if not by_date:
            found.sort(key=lambda one: (-one.score, one.stored.name))
        return Found(found[: max(0, limit)], _rarity_in(replies, words))

    def _scored(self, hit: Hit, *, is_ranked: bool) -> Scored:
        is_smaller = self._cluster.about.version.line >= FIRST_LINE_WITHOUT_FACTOR
        score = (hit.score or 0.0) * (FACTOR if is_smaller else 1.0)
        return Scored(round(score, _DIGITS) if is_ranked else 0.0, stored_in(hit.source.stored))

    def facets(self, query: tree.Query, filters: Filters, limit: int) -> Facets:
        wanted = queries.scored(query, filters)
        if not limit:
            (found,) = searches.many(self._cluster, [searches.counted(wanted)])
            return Facets(found.hits.total.value)
        years: Json = {"histogram": {"field": "date", "interval": _YEAR, "min_doc_count": 1}}
        sections: Json = {"terms": {"field": "section", "size": len(SECTIONS)}}
        names = [printed.every_name(one.field) for one in NAME_FILTERS]
        asked = [{"years": years, "sections": sections}, *({"names": one} for one in names)]
        found, *named = searches.many(self._cluster, [searches.counted(wanted, **one) for one in asked])
        of_section = [(str(one.key), one.doc_count) for one in found.aggregations["sections"].buckets]
        return Facets(
            found.hits.total.value,
            tuple(
                Facet(str(int(one.key) // _YEAR), one.doc_count)
                for one in found.aggregations["years"].buckets
                if isinstance(one.key, float)
            ),
            sections=tuple(Facet(*one) for one in sorted(of_section, key=lambda one: (-one[1], one[0]))),
            **{
                one.names: tuple(
                    Facet(name.printed, name.papers)
                    for name in printed.names_in(reply.aggregations["names"])[:limit]
                )
                for one, reply in zip(NAME_FILTERS, named, strict=True)
            },
        )

    def meeting(self, names: Sequence[str], query: tree.Query, filters: Filters) -> set[str]:
        if not names:
            return set()
        body = {"query": queries.meeting(names, query, filters), "size": MOST_HITS, "sort": ["name"]}
        body |= {"_source": False, "track_total_hits": False}
        (found,) = searches.many(self._cluster, [body])
        return {str(one.sort[0]) for one in found.hits.hits if one.sort}

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
        return _rarity_in(searches.many(self._cluster, self._rarity(words)), words)

    def _rarity(self, words: Sequence[str]) -> list[Json]:
        """Searches for the sums of all papers, and for the number of papers with each word in each field."""
        terms = [{"term": {field: word}} for word in words for field, _ in queries.FIELDS]
        return [searches.counted(PAPERS, **_SUMS), *map(searches.counted, terms)]

    def terms(self, field: str, letters: str, limit: int, *, near: bool = False) -> list[PrintedTerm]:
        if limit < 1:
            return []
        if field == tree.TITLE:
            return (printed.near_words if near else printed.completions)(self._cluster, letters, limit)
        return (printed.alike if near else printed.beginning_with)(self._cluster, field, letters, limit)

    def committed(self) -> Committed:
        commit = {"query": {"ids": {"values": [COMMIT]}}, "_source": ["version"]}
        last, papers = searches.many(self._cluster, [commit, searches.counted(PAPERS, **_SUMS)])
        version = next((hit.source.version for hit in last.hits.hits), "")
        passages = int(papers.aggregations["passages"].value)
        return Committed(version, Counts(papers.hits.total.value, passages))


def _rarity_in(replies: Sequence[SearchReply], words: Sequence[str]) -> Rarity:
    sums, *counts = replies
    asked = [(field, word) for word in words for field, _ in queries.FIELDS]
    return Rarity(
        sums.hits.total.value,
        int(sums.aggregations["passages"].value),
        int(sums.aggregations["letters"].value),
        {word: reply.hits.total.value for word, reply in zip(asked, counts, strict=True)},
    )


def _shortened(query: tree.Query) -> tree.Query:
    """A query without the last of its words, if it has too many."""
    counts = accumulate(map(queries.clauses, query.ranked))
    kept = [part for part, count in zip(query.ranked, counts, strict=True) if count <= _MOST_CLAUSES]
    if len(kept) < len(query.ranked):
        _say(f"the question is long: of its {len(query.ranked):,} words the first {len(kept):,} are searched")
    return replace(query, ranked=tuple(kept))


@lru_cache(maxsize=1_000)
def _say(text: str) -> None:
    """Print a note, once."""
    print_note(text)
