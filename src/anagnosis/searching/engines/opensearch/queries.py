"""Trees of the query language as queries of a cluster (OpenSearch's query DSL), all of papers.

Conditions are filters, which have no score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anagnosis.searching.engines.opensearch.entries import FULL_TEXT
from anagnosis.searching.engines.opensearch.schema import TAB
from anagnosis.searching.engines.paper_terms import filtered_terms
from anagnosis.searching.filters import Filters
from anagnosis.searching.papers.bm25 import APART, TITLE_WEIGHT
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import type_keys
from anagnosis.searching.words import shorter_stems

Json = dict[str, Any]
Leaf = tree.Word | tree.Phrase | tree.Prefix | tree.Synonyms
FIELDS = (("content", 1.0), ("title", TITLE_WEIGHT))
PAPERS: Json = {"exists": {"field": "passages"}}
NOTHING: Json = {"match_none": {}}


def scored(query: tree.Query, filters: Filters) -> Json:
    """The papers of a query that match the filters, with the scores of its ranked parts."""
    if not query.ranked and not query.required:
        return NOTHING
    ranked = [_with_score(field, part, weight) for field, weight in FIELDS for part in query.ranked]
    least = 0 if query.required else 1
    return {"bool": {"should": ranked, "minimum_should_match": least, **_limits(query, filters)}}


def meeting(names: Sequence[str], query: tree.Query, filters: Filters) -> Json:
    """Those of some papers that meet the filters and the conditions of a query."""
    limits = _limits(query, filters)
    return {"bool": {**limits, "filter": [*limits["filter"], {"terms": {"name": [*names]}}]}}


def clauses(part: tree.Ranked) -> int:
    """The number of clauses of a ranked part in all FIELDS."""
    if isinstance(part, tree.Synonyms):
        return sum(map(clauses, (*part.members, *part.typed)))
    return len(FIELDS) * (len(part.words) if isinstance(part, tree.Phrase) else 1)


def condition(part: tree.Part) -> Json:
    """The papers that have a part."""
    match part:
        case tree.Word() | tree.Phrase() | tree.Prefix() | tree.Synonyms():
            return _leaf("content", part)
        case tree.InField(field=field, part=inside):
            return _in_field(field, inside)
        case tree.Dates(field=field):
            return _dated(field, part.spans)
        case tree.AnyOf(parts=parts):
            return _any_of([condition(one) for one in parts])
        case tree.AllOf(parts=parts):
            return {"bool": {"filter": [condition(one) for one in parts]}}
        case tree.Not(part=inside):
            return {"bool": {"must_not": [condition(inside)]}}
        case _:
            raise AssertionError(f"{part} is as typed")


def beginning_with(field: str, letters: str) -> Json:
    """What has a word or name in a field that begins so."""
    return {"prefix": {field: {"value": letters}}}


def _limits(query: tree.Query, filters: Filters) -> Json:
    """Clauses that leave scores as they are."""
    named = [_among(field, values) for field, values in filtered_terms(filters)]
    dated = [_dated(field, spans) for field, spans in filters.dated]
    return {
        "filter": [PAPERS, *map(condition, query.required), *named, *dated],
        "must_not": [condition(one) for one in query.excluded],
    }


def _dated(field: str, spans: Sequence[tuple[int, int]]) -> Json:
    """Papers with a date in one of these spans, both ends inclusive."""
    return _any_of([{"range": {field: {"gte": low, "lte": high}}} for low, high in spans])


def _among(field: str, values: Sequence[str]) -> Json:
    """Papers with any of these values in a field."""
    if field not in tree.NAME_FIELDS:
        return {"terms": {field: [*values]}}
    return _any_of([beginning_with(field, value + TAB) for value in values])


def _with_score(field: str, part: tree.Ranked, weight: float) -> Json:
    """Papers with a part in a field. weight: multiplies its score."""
    if not isinstance(part, tree.Synonyms):
        return _leaf(field, part, weight)
    best = [_with_score(field, one, weight) for one in part.members]
    if part.typed:
        best.append(_any_of([_with_score(field, one, APART * weight) for one in part.typed]))
    return {"dis_max": {"queries": best}}


def _in_field(field: str, part: Leaf) -> Json:
    if field == tree.TITLE:
        return _leaf("title", part)
    if field == tree.ABSTRACT:
        elsewhere = [{"term": {"section": "title"}}, {"term": {"kind": FULL_TEXT}}]
        alone = {"bool": {"filter": [_leaf("content", part)], "must_not": elsewhere}}
        return _any_of([alone, _leaf("abstract", part)])
    if isinstance(part, tree.Prefix):
        return beginning_with("key" if field == tree.ALIAS else field, part.letters)
    if not isinstance(part, tree.Word):
        return NOTHING
    if field == tree.ALIAS:
        return _among("key", [part.text])
    return _among(field, type_keys(part.text) if field == tree.TYPE else [part.text])


def _leaf(field: str, part: Leaf, boost: float = 1.0) -> Json:
    """Papers with a word, a phrase or the like in a field of words."""
    match part:
        case tree.Word(text=text):
            return {"term": {field: {"value": text, "boost": boost}}}
        case tree.Phrase(words=words):
            return _phrase(field, words, boost=boost)
        case tree.Synonyms(members=members, typed=typed):
            return _any_of([_leaf(field, one) for one in (*members, *typed)])
        case tree.Prefix(letters=letters):
            stems = [{"term": {field: stem}} for stem in shorter_stems(letters)]
            return _any_of([beginning_with(field, letters), *stems])


def _phrase(field: str, words: Sequence[str], *, boost: float = 1.0) -> Json:
    return {"match_phrase": {field: {"query": " ".join(words), "boost": boost}}}


def _any_of(queries: Sequence[Json]) -> Json:
    return {"bool": {"should": list(queries), "minimum_should_match": 1}}
