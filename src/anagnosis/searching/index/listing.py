"""What a list of results is a list of: its query by date, and the exact counts of its papers.

A paper with one word of a question is seldom about it, however new it is. So a list by date has the papers with all
words of the question, as PubMed's lists have; if no passage has them all, the papers with any of them.
"""

from __future__ import annotations

from msgspec.structs import replace

from anagnosis.searching.engines import BY_DATE, BY_SCORE, Engine
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.queries.tree import AllOf, Query
from anagnosis.searching.records.answers import Hit
from anagnosis.searching.records.matches import Facets, Matches

_NAMES = 10  # journals and types of publication that facets have


def list_by_date(engine: Engine, query: Query, filters: Filters, limit: int) -> list[Hit]:
    """The passages of a list by date, the latest first."""
    return engine.search(query_by_date(engine, query, filters), filters, limit, sort=BY_DATE)


def query_by_date(engine: Engine, query: Query, filters: Filters) -> Query:
    """The query with all of its words required, where a passage has them all; else the query."""
    if not query.ranked:
        return query
    needed = query.ranked[0] if len(query.ranked) == 1 else AllOf(query.ranked)
    strict = replace(query, required=(*query.required, needed))
    return strict if engine.search(strict, filters, 1) else query


def matches(engine: Engine, asked: AskedQuery, filters: Filters, sort: str = BY_SCORE) -> Matches | None:
    """Numbers of the papers and passages that a list has; None in an index of an earlier version."""
    if papers := asked.understood.papers:
        return Matches(len(papers), sum(len(engine.document(ident)) for ident in papers))
    return engine.matches(_listed(engine, asked, filters, sort), filters)


def facets(engine: Engine, asked: AskedQuery, filters: Filters, sort: str = BY_SCORE) -> Facets | None:
    """Counts of these papers; None in an index of an earlier version, and of a query of identifiers alone."""
    if asked.understood.papers:
        return None
    return engine.facets(_listed(engine, asked, filters, sort), filters, _NAMES)


def _listed(engine: Engine, asked: AskedQuery, filters: Filters, sort: str) -> Query:
    return query_by_date(engine, asked.query, filters) if sort == BY_DATE else asked.query
