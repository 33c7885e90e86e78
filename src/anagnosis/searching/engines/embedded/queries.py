"""The library's queries for trees of the query language and filters, all of them native boolean queries of papers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from anagnosis.searching.engines.embedded.fields import FULL_TEXT
from anagnosis.searching.engines.paper_terms import filtered_terms
from anagnosis.searching.filters import ANY_DATE, Filters
from anagnosis.searching.papers.bm25 import APART, TITLE_WEIGHT
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import type_keys
from anagnosis.searching.words import library, shorter_stems

if TYPE_CHECKING:
    from tantivy import Occur, Query, Schema

Leaf = tree.Word | tree.Phrase | tree.Prefix | tree.Synonyms
_SIGNS = {
    ord(sign): f"\\{sign}" for sign in r"\.+*?()|[]{}^$#&-~"
}  # with a meaning in the library's expressions


class Queries:
    """Queries over the fields of one index."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def scored(self, query: tree.Query, filters: Filters) -> Query:
        """The papers of a query that match the filters, with the scores of its ranked parts."""
        occur, make = library().Occur, library().Query.boolean_query
        limits = self._limits(query, filters)
        ranked = [(occur.Should, one) for one in self._ranked(query.ranked)]
        if not query.required:
            if not ranked:
                return library().Query.empty_query()
            ranked = [(occur.Must, make(ranked))] if limits else ranked
        return make([*ranked, *limits])

    def meeting(self, names: Sequence[str], query: tree.Query, filters: Filters) -> Query:
        """Those of some papers that meet the filters and the conditions of a query."""
        among = (library().Occur.Must, self.among("name", names))
        return library().Query.boolean_query([among, *self._limits(query, filters)])

    def _limits(self, query: tree.Query, filters: Filters) -> list[tuple[Occur, Query]]:
        """Clauses that leave scores as they are."""
        occur, without_score = library().Occur, library().Query.const_score_query
        required = [*map(self.condition, query.required), *self._filters(filters)]
        return [
            *((occur.Must, without_score(one, 0.0)) for one in required),
            *((occur.MustNot, self.condition(one)) for one in query.excluded),
        ]

    def _ranked(self, parts: Sequence[tree.Ranked]) -> Iterator[Query]:
        """One query for each part in content and title."""
        for part in parts:
            yield self._with_score("content", part)
            yield library().Query.boost_query(self._with_score("title", part), TITLE_WEIGHT)

    def _with_score(self, field: str, part: tree.Ranked) -> Query:
        query, should = library().Query, library().Occur.Should
        if not isinstance(part, tree.Synonyms):
            return self._leaf(field, part)
        best = [self._with_score(field, one) for one in part.members]
        if part.typed:
            typed = query.boolean_query([(should, self._with_score(field, one)) for one in part.typed])
            best.append(query.boost_query(typed, APART))
        return query.disjunction_max_query(best)

    def condition(self, part: tree.Part) -> Query:
        """The papers that have a part."""
        query, occur = library().Query, library().Occur
        match part:
            case tree.Word() | tree.Phrase() | tree.Prefix() | tree.Synonyms():
                return self._leaf("content", part)
            case tree.InField(field=field, part=inside):
                return self._in_field(field, inside)
            case tree.Dates(field=field):
                return self._dated(field, part.spans)
            case tree.AnyOf(parts=parts):
                return self._any(map(self.condition, parts))
            case tree.AllOf(parts=parts):
                return query.boolean_query([(occur.Must, self.condition(one)) for one in parts])
            case tree.Not(part=inside):
                every = (occur.Must, query.all_query())
                return query.boolean_query([every, (occur.MustNot, self.condition(inside))])
            case _:
                raise AssertionError(f"{part} is as typed")

    def _in_field(self, field: str, part: Leaf) -> Query:
        query, occur = library().Query, library().Occur
        if field == tree.TITLE:
            return self._leaf("title", part)
        if field == tree.ABSTRACT:
            elsewhere = self.term("section", "title"), self.term("kind", FULL_TEXT)
            alone = [(occur.Must, self._leaf("content", part)), *((occur.MustNot, one) for one in elsewhere)]
            return self._any([query.boolean_query(alone), self._leaf("abstract", part)])
        if isinstance(part, tree.Word):
            return self.term("key" if field == tree.ALIAS else field, part.text)
        return (
            self._beginning_with(field, part.letters)
            if isinstance(part, tree.Prefix)
            else query.empty_query()
        )

    def _leaf(self, field: str, part: Leaf) -> Query:
        """Papers with a word, a phrase or the like in a field of words."""
        query = library().Query
        match part:
            case tree.Word(text=text):
                return self.term(field, text)
            case tree.Phrase(words=words) if len(words) > 1:
                return query.phrase_query(self._schema, field, list(words))
            case tree.Phrase(words=words):
                return self._any(self.term(field, word) for word in words)
            case tree.Synonyms(members=members, typed=typed):
                return self._any(self._leaf(field, one) for one in (*members, *typed))
            case tree.Prefix(letters=letters):
                begun = self._beginning_with(field, letters)
                return self._any([begun, *(self.term(field, stem) for stem in shorter_stems(letters))])

    def _beginning_with(self, field: str, letters: str) -> Query:
        return library().Query.regex_query(self._schema, field, f"{letters.translate(_SIGNS)}.*")

    def _filters(self, filters: Filters) -> Iterator[Query]:
        for field, values in filtered_terms(filters):
            yield self.among(field, values)
        for field, spans in filters.dated:
            yield self._dated(field, spans)

    def _dated(self, field: str, spans: Sequence[tuple[int, int]]) -> Query:
        """Papers with a date in one of these spans."""
        return self._any(self.dates(*span, field) for span in spans)

    def among(self, field: str, values: Sequence[str]) -> Query:
        """Papers with any of these values in a field."""
        return library().Query.term_set_query(self._schema, field, [*values])

    def term(self, field: str, value: str) -> Query:
        """Papers with exactly this value in a field; with any name of a publication type."""
        if field == tree.TYPE:
            return self.among(field, type_keys(value))
        return library().Query.term_query(self._schema, field, value)

    def within(self, query: Query, low: int = ANY_DATE[0], high: int = ANY_DATE[1]) -> Query:
        """The papers of a query with such a date, with their scores."""
        make, must = library().Query, library().Occur.Must
        return make.boolean_query([(must, query), (must, make.const_score_query(self.dates(low, high), 0.0))])

    def undated(self, query: Query) -> Query:
        """The papers of a query without a date, with their scores."""
        occur = library().Occur
        return library().Query.boolean_query([(occur.Must, query), (occur.MustNot, self.dates(*ANY_DATE))])

    def dates(self, low: int, high: int, field: str = "date") -> Query:
        """Papers with such a date, both inclusive, as filters.date_number."""
        unsigned = library().FieldType.Unsigned
        return library().Query.range_query(self._schema, field, unsigned, low, high)

    def _any(self, queries: Iterable[Query]) -> Query:
        return library().Query.boolean_query([(library().Occur.Should, one) for one in queries])
