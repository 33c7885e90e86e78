"""Trees of the query language as queries of a cluster (OpenSearch's query DSL).

A condition that only a whole paper decides (queries/paper_conditions.py) is one on the parent of the passages, and
asks its children. Conditions are filters, which have no score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anagnosis.searching.engines import APART, TITLE_WEIGHT
from anagnosis.searching.engines.opensearch.schema import PAPER, PASSAGE
from anagnosis.searching.engines.paper_terms import filtered_terms
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import type_keys
from anagnosis.searching.queries.paper_conditions import (
    holds_in_one_passage,
    needs_papers,
    required_parts,
    shown_with,
    varies,
)
from anagnosis.searching.words import shorter_stems

Json = dict[str, Any]
FIELDS = (("content", 1.0), ("title", TITLE_WEIGHT))
PASSAGES: Json = {"term": {"join": PASSAGE}}
PAPERS_AND_UNFINISHED: Json = {"term": {"join": PAPER}}
PAPERS: Json = {"bool": {"filter": [PAPERS_AND_UNFINISHED, {"term": {"written": True}}]}}
UNFINISHED: Json = {"bool": {"filter": [PAPERS_AND_UNFINISHED, {"term": {"written": False}}]}}
_NOTHING: Json = {"match_none": {}}


def matches(query: tree.Query, filters: Filters) -> Json | None:
    """The passages of a query that match the filters; None for a query without passages."""
    required = required_parts(query)
    return _all([*_limits(required, query), *_filters(filters)]) if required else None


def meeting(query: tree.Query) -> Json:
    """The passages that a query's conditions let through, also where it has excluded parts alone."""
    return _all(_limits(query.required, query))


def scored(query: tree.Query, filters: Filters) -> Json:
    """The passages of `matches` with the scores of the ranked parts, of which there is at least one."""
    ranked = [_with_score(field, part, weight) for field, weight in FIELDS for part in query.ranked]
    limits = [*_limits(query.required, query), *_filters(filters)]
    if not query.required:  # only passages have words
        limits.remove(PASSAGES)
    return {"bool": {"should": ranked, "filter": limits, "minimum_should_match": 0 if query.required else 1}}


def clauses(part: tree.Ranked) -> int:
    """The number of clauses of a ranked part in all FIELDS."""
    if isinstance(part, tree.Synonyms):
        return sum(map(clauses, (*part.members, *part.typed)))
    return len(FIELDS) * (len(part.words) if isinstance(part, tree.Phrase) else 1)


def words_in(parts: Sequence[tree.Ranked]) -> Iterator[str]:
    """All words of ranked parts."""
    for part in parts:
        match part:
            case tree.Word(text=text):
                yield text
            case tree.Phrase(words=words):
                yield from words
            case tree.Synonyms(members=members, typed=typed):
                yield from words_in((*members, *typed))


def passages(part: tree.Ranked, known: Mapping[str, int]) -> int:
    """The passages with a part: of a phrase those of its rarest word, of synonyms those of the commonest.

    known: word → passages that have it.
    """
    match part:
        case tree.Word(text=text):
            return known[text]
        case tree.Phrase(words=words):
            return min(known[word] for word in words)
        case tree.Synonyms(members=members, typed=typed):
            return max(passages(one, known) for one in (*members, *typed))


def condition(part: tree.Part) -> Json:
    """The passages that have a part by themselves."""
    match part:
        case tree.Word() | tree.Phrase() | tree.Prefix() | tree.Synonyms():
            return _leaf("content", part)
        case tree.InField(field=field, part=inside):
            return _in_field(field, inside)
        case tree.Dates(field=field):
            return _dated(field, part.spans)
        case tree.AnyOf(parts=parts):
            return any_of([condition(one) for one in parts])
        case tree.AllOf(parts=parts) | tree.Together(parts=parts):
            return _all([condition(one) for one in parts])
        case tree.Not(part=inside):
            return {"bool": {"must_not": [condition(inside)]}}
        case _:
            raise AssertionError(f"{part} is as typed")


def has_passage(wanted: Json) -> Json:
    """The papers with a passage of this query."""
    return {"has_child": {"type": PASSAGE, "query": wanted}}


def _dated(field: str, spans: Sequence[tuple[int, int]]) -> Json:
    """Papers and passages with a date in one of these spans, both ends inclusive."""
    return any_of([{"range": {field: {"gte": low, "lte": high}}} for low, high in spans])


def term(field: str, value: str) -> Json:
    """Papers and passages with exactly this value in a field; with any name of a publication type."""
    if field == tree.TYPE:
        return {"terms": {field: list(type_keys(value))}}
    return {"term": {field: {"value": value}}}


def beginning_with(field: str, letters: str) -> Json:
    """What has a word or name in a field that begins so."""
    return {"prefix": {field: {"value": letters}}}


def _limits(required: Sequence[tree.Part], query: tree.Query) -> list[Json]:
    """Filters that let through the passages by which their papers meet a query's conditions."""
    if not needs_papers(query):
        without = [{"bool": {"must_not": [condition(part)]}} for part in query.excluded]
        return [PASSAGES, *map(condition, required), *without]
    of_paper = {
        "filter": [_of_paper(part) for part in required],
        "must_not": [_of_paper(part) for part in query.excluded],
    }
    shown = shown_with(required)
    limits = [PASSAGES, {"has_parent": {"parent_type": PAPER, "query": {"bool": of_paper}}}]
    return limits if shown is None else [*limits, condition(shown)]


def _of_paper(part: tree.Part) -> Json:
    """The papers that have a part."""
    if holds_in_one_passage(part):
        return has_passage(condition(part))
    match part:
        case tree.AnyOf(parts=parts):
            return any_of([_of_paper(one) for one in parts])
        case tree.AllOf(parts=parts):
            fixed = [condition(one) for one in parts if not varies(one)]
            moving = [_of_paper(one) for one in parts if varies(one)]
            return _all([*([has_passage(_all(fixed))] if fixed else []), *moving])
        case tree.Not(part=inside):
            return {"bool": {"must_not": [_of_paper(inside)]}}
        case _:
            raise AssertionError(f"{part} holds in one passage")


def _with_score(field: str, part: tree.Ranked, weight: float) -> Json:
    """Passages with a part in a field. weight: multiplies its score."""
    if not isinstance(part, tree.Synonyms):
        return _leaf(field, part, weight)
    best = [_leaf(field, one, factor * weight) for one, factor in part.weighted]
    if part.typed:
        best.append(any_of([_with_score(field, one, APART * weight) for one in part.typed]))
    return {"dis_max": {"queries": best}}


def _in_field(field: str, part: tree.Word | tree.Phrase | tree.Prefix | tree.Synonyms) -> Json:
    if field == tree.TITLE:
        return _leaf("title", part)
    if field == tree.ABSTRACT:
        elsewhere = [{"term": {"section": "title"}}, {"term": {"full_text": True}}]
        return {"bool": {"filter": [_leaf("content", part)], "must_not": elsewhere}}
    if isinstance(part, tree.Prefix):
        return beginning_with(field, part.letters)
    return term(field, part.text) if isinstance(part, tree.Word) else _NOTHING


def _leaf(
    field: str, part: tree.Word | tree.Phrase | tree.Prefix | tree.Synonyms, boost: float = 1.0
) -> Json:
    """Passages with a word, a phrase or the like in a field of words."""
    match part:
        case tree.Word(text=text):
            return {"term": {field: {"value": text, "boost": boost}}}
        case tree.Phrase(words=words, between=int(between)):
            # The distance has a direction: of the other order it takes two for the turn.
            return any_of([_phrase(field, order, slop=between) for order in (words, words[::-1])])
        case tree.Phrase(words=words):
            return _phrase(field, words, boost=boost)
        case tree.Synonyms(members=members, typed=typed):
            return any_of([_leaf(field, one) for one in (*members, *typed)])
        case tree.Prefix(letters=letters):
            stems = [{"term": {field: stem}} for stem in shorter_stems(letters)]
            return any_of([beginning_with(field, letters), *stems])


def _phrase(field: str, words: Sequence[str], *, boost: float = 1.0, slop: int = 0) -> Json:
    return {"match_phrase": {field: {"query": " ".join(words), "boost": boost, "slop": slop}}}


def _filters(filters: Filters) -> list[Json]:
    return [
        *({"terms": {field: values}} for field, values in filtered_terms(filters)),
        *(_dated(field, spans) for field, spans in filters.dated),
    ]


def _all(queries: Sequence[Json]) -> Json:
    return {"bool": {"filter": list(queries)}}


def any_of(queries: Sequence[Json]) -> Json:
    """What at least one of these queries has."""
    return {"bool": {"should": list(queries), "minimum_should_match": 1}}
