"""Queries (engines/queries.py) as the library's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anagnosis.searching.engines.queries import Json
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import Query, Schema

# Signs with a meaning in the library's expressions.
_SIGNS = {ord(sign): f"\\{sign}" for sign in r"\.+*?()|[]{}^$#&-~"}


def native(schema: Schema, query: Json) -> Query:
    """A query for an index of this schema."""
    make, ((kind, of),) = library().Query, query.items()
    match kind:
        case "bool":
            return _boolean(schema, of)
        case "dis_max":
            return make.disjunction_max_query([native(schema, one) for one in of["queries"]])
        case "match_none":
            return make.empty_query()
        case _:
            ((field, value),) = of.items()
    match kind:
        case "term":
            return _boosted(make.term_query(schema, field, value["value"]), value)
        case "terms":
            return make.term_set_query(schema, field, value)
        case "match_phrase":
            words = value["query"].split(" ")
            return _boosted(make.phrase_query(schema, field, words), value)
        case "prefix":
            return make.regex_query(schema, field, f"{value.translate(_SIGNS)}.*")
        case "range":
            unsigned = library().FieldType.Unsigned
            return make.range_query(schema, field, unsigned, value["gte"], value["lte"])
        case _:
            raise AssertionError(f"{kind} is no query of ours")


def _boolean(schema: Schema, of: Json) -> Query:
    make, occur = library().Query, library().Occur
    should, limits, excluded = (
        [native(schema, one) for one in of.get(clause, ())] for clause in ("should", "filter", "must_not")
    )
    clauses = [(occur.Should, one) for one in should]
    if of.get("minimum_should_match") and (limits or excluded):
        clauses = [(occur.Must, make.boolean_query(clauses))]
    elif not should and not limits:
        clauses = [(occur.Must, make.all_query())]
    clauses += [(occur.Must, make.const_score_query(one, 0.0)) for one in limits]
    return make.boolean_query([*clauses, *((occur.MustNot, one) for one in excluded)])


def _boosted(query: Query, of: Json) -> Query:
    return query if of["boost"] == 1.0 else library().Query.boost_query(query, of["boost"])
