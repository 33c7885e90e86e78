"""Exact counts of the papers of a query, by year, section and the names of filters.NAME_FILTERS.

Papers are counted by the documents of papers whose passages match.
"""

from __future__ import annotations

from anagnosis.searching.engines.opensearch.printed import PrintedTerms
from anagnosis.searching.engines.opensearch.queries import PAPERS, Json, has_passage
from anagnosis.searching.engines.opensearch.searches import Searches
from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.searching.records.hits import Facet, Facets, Matches
from anagnosis.searching.section_names import SECTIONS

_YEARS = 10_000  # more than there are


def facets(searches: Searches, printed: PrintedTerms, passages: Json, limit: int) -> Facets:
    """The counts of a query's papers; see Engine. passages: those of the query."""
    papers: Json = {"bool": {"filter": [PAPERS, has_passage(passages)]}}
    of_papers: Json = {"size": 0, "track_total_hits": True, "query": papers}
    if limit:
        of_papers["aggs"] = {
            "years": {"terms": {"field": "year", "size": _YEARS, "order": {"_key": "asc"}}},
            "sections": {"filters": {"filters": {name: _in_section(passages, name) for name in SECTIONS}}},
        }
    counted, found = searches.many([{"size": 0, "track_total_hits": True, "query": passages}, of_papers])
    matches = Matches(found.hits.total.value, counted.hits.total.value)
    if not limit:
        return Facets(matches)
    years = [Facet(str(one.key), one.doc_count) for one in found.aggregations["years"].ranked]
    sections = [(name, one.doc_count) for name, one in found.aggregations["sections"].named.items()]
    sections = [Facet(*one) for one in sorted(sections, key=lambda one: (-one[1], one[0])) if one[1]]
    commonest = {one: printed.exact_terms([(papers, "")], one.field, limit)[0] for one in NAME_FILTERS}
    names = [(one.field, name) for one, some in commonest.items() for name, _ in some]
    as_printed = dict(zip(names, printed.printed(names), strict=True))
    named = {
        one.names: tuple([Facet(as_printed[one.field, name], papers) for name, papers in some])
        for one, some in commonest.items()
    }
    return Facets(matches, tuple(years), sections=tuple(sections), **named)


def _in_section(passages: Json, name: str) -> Json:
    """The papers with a matching passage in a section."""
    return has_passage({"bool": {"filter": [passages, {"term": {"section": name}}]}})
