"""Queries of the embedded engine: trees of the query language with filters, and single terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from anagnosis.searching.engines import APART, TITLE_WEIGHT
from anagnosis.searching.engines.embedded import fields
from anagnosis.searching.engines.paper_terms import filtered_terms
from anagnosis.searching.filters import ANY_DATE, Filters
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import type_keys
from anagnosis.searching.queries.paper_conditions import (
    decided_by_passages,
    grows,
    required_parts,
    shown_with,
    varies,
)
from anagnosis.searching.words import library, shorter_stems

if TYPE_CHECKING:
    from tantivy import Occur, Query, Schema, Searcher

Leaf = tree.Word | tree.Phrase | tree.Prefix | tree.Synonyms
_SIGNS = {
    ord(sign): f"\\{sign}" for sign in r"\.+*?()|[]{}^$#&-~"
}  # with a meaning in the library's expressions


class Queries:
    """Queries over the fields of one index."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def matches(self, query: tree.Query, filters: Filters) -> Query | None:
        """The passages of a query that match the filters; None for a query without passages.

        Of papers with several passages also some that do not meet its conditions (paper_numbers.py).
        """
        required = required_parts(query)
        return library().Query.boolean_query(self._limits(required, query, filters)) if required else None

    def meeting(self, query: tree.Query, documents: Sequence[str]) -> Query:
        """The passages of some documents that `matches` has, also for a query of excluded parts alone."""
        return library().Query.boolean_query(
            self._limits(query.required, query, Filters(documents=tuple(documents)))
        )

    def scored(self, query: tree.Query, filters: Filters) -> Query:
        """The passages of `matches` with the scores of the ranked parts, of which there is at least one."""
        make, occur = library().Query.boolean_query, library().Occur
        ranked = [(occur.Should, one) for one in self._ranked(query.ranked)]
        limits = self._limits(query.required, query, filters)
        if query.required or not limits:
            return make([*ranked, *limits])
        return make([(occur.Must, make(ranked)), *limits])

    def _ranked(self, parts: Sequence[tree.Ranked]) -> list[Query]:
        """One query for each part in content and title."""
        in_content = [self._with_score("content", part) for part in parts]
        in_title = [self._with_score("title", part) for part in parts]
        return [*in_content, *(library().Query.boost_query(one, TITLE_WEIGHT) for one in in_title)]

    def _with_score(self, field: str, part: tree.Ranked) -> Query:
        """Passages with a part in a field."""
        if not isinstance(part, tree.Synonyms):
            return self._leaf(field, part)
        query, should = library().Query, library().Occur.Should
        best = [query.boost_query(self._leaf(field, one), weight) for one, weight in part.weighted]
        if part.typed:
            typed = query.boolean_query([(should, self._with_score(field, one)) for one in part.typed])
            best.append(query.boost_query(typed, APART))
        return query.disjunction_max_query(best)

    def _limits(
        self, required: Sequence[tree.Part], query: tree.Query, filters: Filters
    ) -> list[tuple[Occur, Query]]:
        """Clauses that leave scores as they are."""
        occur, without_score = library().Occur, library().Query.const_score_query
        excluded = query.excluded
        if decided_by_passages(required) and all(map(grows, excluded)):
            limits = [*map(self.condition, required), *self._filters(filters)]
        else:
            limits = [self._alone_or_shown(required, excluded), *self._filters(filters)]
            excluded = [part for part in excluded if grows(part)]
        return [
            *((occur.Must, without_score(one, 0.0)) for one in limits),
            *((occur.MustNot, self.condition(part)) for part in excluded),
        ]

    def _alone_or_shown(self, required: Sequence[tree.Part], excluded: Sequence[tree.Part]) -> Query:
        """The passages that meet the conditions and are all of their paper, and those of others that may be shown."""
        make, occur = library().Query, library().Occur
        alone = [(occur.Must, self.condition(part)) for part in required]
        alone += [
            (occur.Must, self._one_passage()),
            *((occur.MustNot, self.condition(one)) for one in excluded),
        ]
        shown = [(occur.Must, self.condition(part)) for part in required if not varies(part)]
        if (part := shown_with(required)) is not None:
            shown.append((occur.Must, self.condition(part)))
        shown = shown or [(occur.Must, make.all_query())]
        shown.append((occur.MustNot, self._one_passage()))
        return make.boolean_query([(occur.Should, make.boolean_query(one)) for one in (alone, shown)])

    def condition(self, part: tree.Part) -> Query:
        """The passages that have a part by themselves."""
        query, occur = library().Query, library().Occur
        match part:
            case tree.Word() | tree.Phrase() | tree.Prefix() | tree.Synonyms():
                return self._leaf("content", part)
            case tree.InField(field=field, part=inside):
                return self._in_field(field, inside)
            case tree.Dates(field=field):
                return self._dated(field, part.spans)
            case tree.AnyOf(parts=parts):
                return query.boolean_query([(occur.Should, self.condition(one)) for one in parts])
            case tree.AllOf(parts=parts):
                return self.of_all(parts)
            case tree.Together(parts=parts):
                return query.boolean_query([(occur.Must, self.condition(one)) for one in parts])
            case tree.Not(part=inside):
                return query.boolean_query(
                    [(occur.Must, query.all_query()), (occur.MustNot, self.condition(inside))]
                )
            case _:
                raise AssertionError(f"{part} is as typed")

    def of_all(self, parts: Sequence[tree.Part]) -> Query:
        """The passages that have all of these parts by themselves."""
        query, occur = library().Query, library().Occur
        negated = [one for one in parts if isinstance(one, tree.Not)]
        clauses = [(occur.Must, self.condition(one)) for one in parts if one not in negated]
        clauses = clauses or [(occur.Must, query.all_query())]
        clauses += [(occur.MustNot, self.condition(one.part)) for one in negated]
        return query.boolean_query(clauses)

    def _in_field(self, field: str, part: Leaf) -> Query:
        query, must = library().Query, library().Occur.Must
        if field == tree.TITLE:
            return self._leaf("title", part)
        if field == tree.ABSTRACT:
            elsewhere = self.term("section", "title"), self.term("kind", fields.FULL_TEXT)
            without = [(library().Occur.MustNot, one) for one in elsewhere]
            return query.boolean_query([(must, self._leaf("content", part)), *without])
        if isinstance(part, tree.Prefix):
            return self._beginning_with(field, part.letters)
        return self.term(field, part.text) if isinstance(part, tree.Word) else query.empty_query()

    def _leaf(self, field: str, part: Leaf) -> Query:
        """Passages with a word, a phrase or the like in a field of words."""
        query, occur = library().Query, library().Occur
        match part:
            case tree.Word(text=text):
                return self.term(field, text)
            case tree.Phrase(words=words, between=int(between)):
                # The library's distance has a direction: of the other order it takes two for the turn.
                either = [
                    query.phrase_query(self._schema, field, list(order), slop=between)
                    for order in (words, words[::-1])
                ]
                return query.boolean_query([(occur.Should, one) for one in either])
            case tree.Phrase(words=words) if len(words) > 1:
                return query.phrase_query(self._schema, field, list(words))
            case tree.Phrase(words=words):
                return query.boolean_query([(occur.Must, self.term(field, word)) for word in words])
            case tree.Synonyms(members=members, typed=typed):
                return query.boolean_query(
                    [(occur.Should, self._leaf(field, one)) for one in (*members, *typed)]
                )
            case tree.Prefix(letters=letters):
                stems = [self.term(field, stem) for stem in shorter_stems(letters)]
                begun = self._beginning_with(field, letters)
                return query.boolean_query([(occur.Should, one) for one in (begun, *stems)])

    def _beginning_with(self, field: str, letters: str) -> Query:
        return library().Query.regex_query(self._schema, field, f"{letters.translate(_SIGNS)}.*")

    def _filters(self, filters: Filters) -> list[Query]:
        among = library().Query.term_set_query
        return [
            *(among(self._schema, field, values) for field, values in filtered_terms(filters)),
            *(self._dated(field, spans) for field, spans in filters.dated),
        ]

    def _dated(self, field: str, spans: Sequence[tuple[int, int]]) -> Query:
        """Passages of papers with a date in one of these spans."""
        should = library().Occur.Should
        return library().Query.boolean_query([(should, self.dates(*span, field)) for span in spans])

    def first(self) -> Query:
        """The first passage of every document."""
        return self.term("kind", fields.FIRST)

    def first_with(self, field: str, values: Sequence[str]) -> Query:
        """The first passage of every document with one of these values in a field."""
        must, values_in = library().Occur.Must, library().Query.term_set_query
        return library().Query.boolean_query(
            [(must, self.first()), (must, values_in(self._schema, field, list(values)))]
        )

    def term(self, field: str, value: str) -> Query:
        """Passages with exactly this value in a field; with any name of a publication type."""
        if field == tree.TYPE:
            return library().Query.term_set_query(self._schema, field, type_keys(value))
        return library().Query.term_query(self._schema, field, value)

    def within(self, query: Query, low: int = ANY_DATE[0], high: int = ANY_DATE[1]) -> Query:
        """The passages of a query from papers with such a date, with their scores."""
        make, must = library().Query, library().Occur.Must
        return make.boolean_query([(must, query), (must, make.const_score_query(self.dates(low, high), 0.0))])

    def undated(self, query: Query) -> Query:
        """The passages of a query from papers without a date, with their scores."""
        occur = library().Occur
        return library().Query.boolean_query([(occur.Must, query), (occur.MustNot, self.dates(*ANY_DATE))])

    def _one_passage(self) -> Query:
        return self.term("kind", fields.ALONE)

    def every(self) -> Query:
        """All passages."""
        return library().Query.all_query()

    def free_slot(self, searcher: Searcher) -> int:
        """The first slot that no entry has, nor any later one."""
        found: Any = searcher.aggregate(self.every(), {"last": {"max": {"field": fields.SLOT}}})
        last = found["last"]["value"]
        return 0 if last is None else int(last) + 1

    def of_slots(self, query: Query, low: int, high: int) -> Query:
        """The passages of a query with such slots (paper_numbers.py), both inclusive."""
        make, must, unsigned = library().Query, library().Occur.Must, library().FieldType.Unsigned
        slots = make.range_query(self._schema, fields.SLOT, unsigned, low, high)
        return make.boolean_query([(must, query), (must, slots)])

    def dates(self, low: int, high: int, field: str = "date") -> Query:
        """Passages of papers with such a date, both inclusive, as filters.date_number."""
        unsigned = library().FieldType.Unsigned
        return library().Query.range_query(self._schema, field, unsigned, low, high)
