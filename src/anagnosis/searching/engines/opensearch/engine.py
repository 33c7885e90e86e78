"""An index in a cluster: `Engine` over OpenSearch, for readers; what writers send is in writing.py.

Hits come with exact scores, which two engines add up in other orders; so we round them and break ties by id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

from msgspec.structs import replace

from anagnosis.progress import print_note
from anagnosis.searching.engines import BY_DATE, BY_SCORE, Committed, Marked, PassageKey
from anagnosis.searching.engines.opensearch import queries
from anagnosis.searching.engines.opensearch.connection import Cluster
from anagnosis.searching.engines.opensearch.entries import (
    StoredPaper,
    StoredPassage,
    digest,
    entry,
    passage_id,
    read_mark,
    read_source,
)
from anagnosis.searching.engines.opensearch.facets import facets
from anagnosis.searching.engines.opensearch.indices import to_write
from anagnosis.searching.engines.opensearch.printed import PrintedTerms
from anagnosis.searching.engines.opensearch.queries import Json
from anagnosis.searching.engines.opensearch.schema import FACTOR, FIRST_LINE_WITHOUT_FACTOR, MOST_HITS
from anagnosis.searching.engines.opensearch.searches import MARKED, Searches, text_of
from anagnosis.searching.engines.opensearch.writing import COMMIT, Writer
from anagnosis.searching.filters import Filters, date_number
from anagnosis.searching.queries import tree
from anagnosis.searching.records.expansion import Defined, Definition
from anagnosis.searching.records.hits import Counts, Facets, Hit, Matches, PrintedTerm
from anagnosis.searching.records.paper import NO_FACTS, Paper
from anagnosis.searching.records.passage import Passage

_FOR_TIES, _MOST_TIES = 50, 5_000
_DIGITS = 4
_MOST_CLAUSES = 900  # of ranked words; nodes take 1,024, and conditions have some
_COUNTED = (queries.PAPERS, queries.PASSAGES)


class OpenSearchEngine:
    """An Engine in a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster, self._searches = cluster, Searches(cluster)
        self._printed = PrintedTerms(self._searches)
        self._writer: Writer | None = None

    def begin(self) -> None:
        self._writing()

    def add(self, passages: Sequence[Passage], mark: str, paper: Paper = NO_FACTS) -> None:
        self._writing().write(entry(passages, mark, paper))

    def delete(self, document: str) -> None:
        self._writing().delete(document)

    def commit(self) -> None:
        if self._writer is not None:
            self._writer.commit()

    def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def _writing(self) -> Writer:
        if self._writer is None:
            self._writer = Writer(Searches(to_write(self._cluster)))
        return self._writer

    def search(self, query: tree.Query, filters: Filters, limit: int, *, sort: str = BY_SCORE) -> list[Hit]:
        by_date = sort == BY_DATE or not query.ranked
        matches = queries.matches(query, filters)
        if limit < 1 or matches is None:
            return []
        if query.ranked:
            matches = queries.scored(self._searched(query), filters)
        body: Json = {"query": matches, "_source": ["passage"], "track_total_hits": False}
        if by_date:
            scores = ["_score"] if query.ranked else []
            latest: Json = {"date": {"order": "desc", "missing": "_last"}}
            body |= {"sort": [latest, *scores, "document", "number"], "track_scores": bool(scores)}
        size = limit + _FOR_TIES
        while True:
            hits = self._hits({**body, "size": min(size, MOST_HITS)}, with_scores=bool(query.ranked))
            # The cluster orders equal scores by places, so all that tie with the last one are asked for.
            ties = not by_date and len(hits) >= size and hits[-1].score == hits[limit - 1].score
            if not ties or size >= min(limit + _MOST_TIES, MOST_HITS):
                break
            size = min(10 * size, limit + _MOST_TIES)

        def order(hit: Hit) -> tuple[int, float, str, int]:
            day = date_number(hit.passage.date) if by_date else 0
            return -day, -hit.score, hit.passage.document, hit.passage.number

        return sorted(hits, key=order)[:limit]

    def _hits(self, body: Json, *, with_scores: bool) -> list[Hit]:
        """The passages of a search, with our scores."""
        return [
            Hit(
                read_source(found.source, StoredPassage, self._cluster.where).passage,
                round((found.score or 0.0) * self._factor, _DIGITS),
            )
            for found in self._searches.one(body, with_scores=with_scores).hits.hits
        ]

    @cached_property
    def _factor(self) -> float:
        """What our scores are more than the cluster's."""
        return FACTOR if self._cluster.about.version.line >= FIRST_LINE_WITHOUT_FACTOR else 1.0

    def _searched(self, query: tree.Query) -> tree.Query:
        """A query without the words that no passage has, then without the commonest, if it has too many."""
        if sum(map(queries.clauses, query.ranked)) <= _MOST_CLAUSES:
            return query
        known = self._searches.frequencies([*queries.words_in(query.ranked)])
        counts = {part: queries.passages(part, known) for part in query.ranked}
        kept, left = set[tree.Ranked](), _MOST_CLAUSES
        for part in sorted((one for one in counts if counts[one]), key=lambda one: counts[one]):
            left -= queries.clauses(part)
            if left >= 0:
                kept.add(part)
        _say(
            f"the question is long: of its {len(query.ranked):,} words {len(kept):,} are searched, the rarest"
        )
        return replace(query, ranked=tuple(part for part in query.ranked if part in kept))

    def facets(self, query: tree.Query, filters: Filters, limit: int) -> Facets:
        matches = queries.matches(query, filters)
        if matches is None:
            return Facets(Matches(0, 0))
        return facets(self._searches, self._printed, matches, limit)

    def passages(
        self, places: Sequence[PassageKey], meeting: tree.Query | None = None
    ) -> list[Passage | None]:
        limits = queries.PASSAGES if meeting is None else queries.meeting(meeting)
        found = self._searches.of_ids(map(passage_id, places), limits, "passage")
        there = {ident: read_source(raw, StoredPassage, self._cluster.where) for ident, raw in found}
        return [one.passage if (one := there.get(passage_id(place))) else None for place in places]

    def papers(self, documents: Sequence[str]) -> list[Paper | None]:
        found = self._searches.of_ids(map(digest, documents), queries.PAPERS, "paper")
        there = {ident: read_source(raw, StoredPaper, self._cluster.where) for ident, raw in found}
        return [one.paper if (one := there.get(digest(document))) else None for document in documents]

    def marks(
        self, documents: Iterable[str] | None = None, *, aliases: Sequence[str] = ()
    ) -> Iterator[Marked]:
        if documents is None and not aliases:
            found = self._searches.listed(queries.PAPERS, MARKED, ("document",))
        else:
            found = self._searches.with_any({"document": list(documents or ()), "alias": list(aliases)})
        for one in found:
            mark = read_mark(text_of(one, "mark"), self._cluster.where)
            yield Marked(text_of(one, "document"), mark, [str(each) for each in one.fields.get("alias", ())])

    def frequency(self, words: Sequence[str]) -> list[int]:
        known = self._searches.frequencies(words)
        return [known[word] for word in words]

    def terms(self, field: str, letters: str, limit: int, *, near: bool = False) -> list[PrintedTerm]:
        if limit < 1:
            return []
        if field == tree.TITLE:
            return (self._printed.near_words if near else self._printed.completions)(letters, limit)
        return (self._printed.alike if near else self._printed.beginning_with)(field, letters, limit)

    def definitions(self, names: Sequence[Defined]) -> list[list[Definition]]:
        return self._printed.definitions(names)

    def committed(self) -> Committed:
        of_commit: Json = {"query": {"ids": {"values": [COMMIT]}}, "docvalue_fields": ["commit"]}
        commit, papers, passages = self._searches.many(
            [of_commit, *({"size": 0, "track_total_hits": True, "query": one} for one in _COUNTED)]
        )
        version = next(
            (f"{one.index}:{self._searches.number_of(one, 'commit')}" for one in commit.hits.hits), ""
        )
        return Committed(version, Counts(papers.hits.total.value, passages.hits.total.value))


@lru_cache(maxsize=1_000)
def _say(text: str) -> None:
    """Print a note, once."""
    print_note(text)
