"""Queries of the embedded engine: words with filters, and single terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anagnosis.searching.filters import Filters, date_number
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import Query, Schema

TITLE_WEIGHT = 0.2
_ANY_DATE = (1, 99_999_999)


class Queries:
    """Queries over the fields of one index."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def words(self, words: Sequence[str], filters: Filters) -> Query:
        """Passages with any of these words that match the filters. Filters do not change scores."""
        query, must, should = library().Query, library().Occur.Must, library().Occur.Should
        wanted = [(should, self.term("content", word)) for word in words]
        wanted += [(should, query.boost_query(self.term("title", word), TITLE_WEIGHT)) for word in words]
        any_word = query.boolean_query(wanted)
        limits = [(must, query.const_score_query(one, 0.0)) for one in self._limits(filters)]
        return query.boolean_query([(must, any_word), *limits]) if limits else any_word

    def _limits(self, filters: Filters) -> list[Query]:
        query = library().Query
        limits = [
            query.term_set_query(self._schema, field, list(values))
            for field, values in (
                ("section", filters.sections),
                ("journal", [one.casefold() for one in filters.journals]),
                ("type", [one.casefold() for one in filters.types]),
                ("document", filters.documents),
            )
            if values
        ]
        if filters.since or filters.until:
            low = date_number(filters.since) or _ANY_DATE[0]
            high = date_number(filters.until, last=True) or _ANY_DATE[1]
            limits.append(self._dates(low, high))
        return limits

    def passage(self, document: str, number: int) -> Query:
        """One passage of a document."""
        must, of_number = library().Occur.Must, library().Query.term_query(self._schema, "number", number)
        return library().Query.boolean_query([(must, self.term("document", document)), (must, of_number)])

    def first(self) -> Query:
        """The first passage of every document."""
        return library().Query.term_query(self._schema, "number", 0)

    def dated(self) -> Query:
        """The first passage of every document with a date."""
        must = library().Occur.Must
        return library().Query.boolean_query([(must, self.first()), (must, self._dates(*_ANY_DATE))])

    def term(self, field: str, value: str) -> Query:
        """Passages with exactly this value in a field."""
        return library().Query.term_query(self._schema, field, value)

    def _dates(self, low: int, high: int) -> Query:
        unsigned = library().FieldType.Unsigned
        return library().Query.range_query(self._schema, "date", unsigned, low, high)
