"""Possible mistakes of a user in the filters of a question, and in the names and dates that its query requires."""

from __future__ import annotations

from anagnosis.searching.engines import Engine
from anagnosis.searching.filters import Filters
from anagnosis.searching.near_names import unknown_among
from anagnosis.searching.queries.tree import JOURNAL, TYPE, Dates, Query, required_names
from anagnosis.searching.records.answers import LeftOut, UnknownName


def possible_mistakes(engine: Engine, filters: Filters, query: Query) -> LeftOut:
    """Undated documents that dates leave out, and names that the index does not have, in filters and query."""
    dated = filters.since or filters.until or any(isinstance(part, Dates) for part in query.required)
    journals = [*filters.journals, *required_names(query, JOURNAL)]
    types = [*filters.types, *required_names(query, TYPE)]
    return LeftOut(
        engine.undated() if dated else 0,
        [UnknownName(*one) for one in unknown_among(journals, engine.journals).items()],
        [UnknownName(*one) for one in unknown_among(types, engine.types).items()],
    )
