"""Exact counts of the papers of a query, by year, journal, type and section.

Papers are counted by the documents of papers whose passages match.
"""

from __future__ import annotations

from anagnosis.searching.engines.opensearch.printed import PrintedTerms
from anagnosis.searching.engines.opensearch.queries import PAPERS, Json, has_passage
from anagnosis.searching.engines.opensearch.searches import Searches
from anagnosis.searching.queries import tree
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
    commonest = {
        field: printed.exact_terms([(papers, "")], field, limit)[0] for field in (tree.JOURNAL, tree.TYPE)
    }
    names = [(field, name) for field, some in commonest.items() for name, _ in some]
    as_printed = dict(zip(names, printed.printed(names), strict=True))
    journals, types = (
        tuple([Facet(as_printed[field, name], papers) for name, papers in some])
        for field, some in commonest.items()
    )
    return Facets(matches, tuple(years), journals, types, tuple(sections))


def _in_section(passages: Json, name: str) -> Json:
    """The papers with a matching passage in a section."""
    return has_passage({"bool": {"filter": [passages, {"term": {"section": name}}]}})
