"""Trees of the query language and filters as queries of papers, translated once for all engines.

They are written in a part of OpenSearch's query DSL: `term`, `terms`, `match_phrase`, `prefix`, `range`, `dis_max`,
`bool` and `match_none`. Conditions are filters, which change no score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anagnosis.searching.engines.entries import FULL_TEXT, filtered_terms
from anagnosis.searching.filters import Filters
from anagnosis.searching.papers.bm25 import APART, TITLE_WEIGHT
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import type_keys
from anagnosis.searching.words import shorter_stems

Json = dict[str, Any]
FIELDS = (("content", 1.0), ("title", TITLE_WEIGHT))
Leaf = tree.Word | tree.Phrase | tree.Prefix | tree.Synonyms
_NOTHING: Json = {"match_none": {}}


class Queries:
    """The queries of an engine."""

    def among(self, field: str, values: Sequence[str]) -> Json:
        """Papers with any of these values in a field: names, keys or sections."""
        return {"terms": {field: [*values]}}

    def named(self, field: str, name: str) -> Json:
        """Papers with a folded name in a field; of a publication type, with any of its names."""
        return self.among(field, type_keys(name) if field == tree.TYPE else [name])

    def scored(self, query: tree.Query, filters: Filters) -> Json:
        """The papers of a query that match the filters, with the scores of its ranked parts."""
        if not query.ranked and not query.required:
            return _NOTHING
        ranked = [self._scored(field, part, weight) for part in query.ranked for field, weight in FIELDS]
        limits = self._limits(query, filters)
        return {"bool": {"should": ranked, "minimum_should_match": 0 if query.required else 1, **limits}}

    def meeting(self, names: Sequence[str], query: tree.Query, filters: Filters) -> Json:
        """Those of some papers that meet the filters and the conditions of a query."""
        limits = self._limits(query, filters)
        return {"bool": {**limits, "filter": [self.among("name", names), *limits["filter"]]}}

    def _limits(self, query: tree.Query, filters: Filters) -> Json:
        conditions = [self._condition(one) for one in query.required]
        conditions += [self.among(field, values) for field, values in filtered_terms(filters)]
        conditions += [self._dated(field, spans) for field, spans in filters.dated]
        return {"filter": conditions, "must_not": [self._condition(one) for one in query.excluded]}

    def _scored(self, field: str, part: tree.Ranked, weight: float) -> Json:
        """Papers with a part in a field. weight: multiplies its score."""
        if not isinstance(part, tree.Synonyms):
            return self._leaf(field, part, weight)
        best = [self._scored(field, one, weight) for one in part.members]
        if part.typed:
            best.append(any_of([self._scored(field, one, APART * weight) for one in part.typed]))
        return {"dis_max": {"queries": best}}

    def _condition(self, part: tree.Part) -> Json:
        """The papers that have a part."""
        match part:
            case tree.Word() | tree.Phrase() | tree.Prefix() | tree.Synonyms():
                return self._leaf("content", part)
            case tree.InField(field=field, part=inside):
                return self._in_field(field, inside)
            case tree.Dates(field=field):
                return self._dated(field, part.spans)
            case tree.AnyOf(parts=parts):
                return any_of([self._condition(one) for one in parts])
            case tree.AllOf(parts=parts):
                return {"bool": {"filter": [self._condition(one) for one in parts]}}
            case tree.Not(part=inside):
                return {"bool": {"must_not": [self._condition(inside)]}}
            case _:
                raise AssertionError(f"{part} is as typed")

    def _dated(self, field: str, spans: Sequence[tuple[int, int]]) -> Json:
        return any_of([{"range": {field: {"gte": low, "lte": high}}} for low, high in spans])

    def _in_field(self, field: str, part: Leaf) -> Json:
        if field == tree.TITLE:
            return self._leaf("title", part)
        if field == tree.ABSTRACT:
            # Of a paper without a full text `content` is the abstract.
            elsewhere = [self.among("section", ["title"]), self.among("kind", [FULL_TEXT])]
            alone = {"bool": {"filter": [self._leaf("content", part)], "must_not": elsewhere}}
            return any_of([alone, self._leaf("abstract", part)])
        field = "key" if field == tree.ALIAS else field
        match part:
            case tree.Word(text=name):
                return self.named(field, name)
            case tree.Prefix(letters=letters):
                return beginning_with(field, letters)
            case _:
                return _NOTHING

    def _leaf(self, field: str, part: Leaf, boost: float = 1.0) -> Json:
        """Papers with a word, a phrase or the like in a field of words."""
        match part:
            case tree.Word(text=text):
                return {"term": {field: {"value": text, "boost": boost}}}
            case tree.Phrase(words=words):
                return {"match_phrase": {field: {"query": " ".join(words), "boost": boost}}}
            case tree.Synonyms(members=members, typed=typed):
                return any_of([self._leaf(field, one) for one in (*members, *typed)])
            case tree.Prefix(letters=letters):
                return any_of([beginning_with(field, letters), {"terms": {field: shorter_stems(letters)}}])


def beginning_with(field: str, letters: str) -> Json:
    """Papers with a word or a name in a field that begins so."""
    return {"prefix": {field: letters}}


def any_of(queries: Sequence[Json]) -> Json:
    """Papers of any query, with the sum of their scores. (A bool without clauses would be all papers.)"""
    if not queries:
        return _NOTHING
    return {"bool": {"should": [*queries], "minimum_should_match": 1}}
