"""A question to an index: its reading in the query language, its papers, and possible mistakes in what it requires."""

from __future__ import annotations

from msgspec.structs import replace

from anagnosis.searching.engines import Engine
from anagnosis.searching.filters import Filters
from anagnosis.searching.near_names import unknown_among
from anagnosis.searching.queries.asked import AskedQuery, asked_query, read_query
from anagnosis.searching.queries.grammar import parse
from anagnosis.searching.queries.identifiers import aliases_in
from anagnosis.searching.queries.meaning import phrase
from anagnosis.searching.queries.syntax import Parsed, Quoted, Words
from anagnosis.searching.queries.tree import (
    JOURNAL,
    TYPE,
    AnyOf,
    Dates,
    Phrase,
    Query,
    Word,
    required_names,
)
from anagnosis.searching.records.answers import LeftOut, UnknownName
from anagnosis.searching.records.understood import Understood

_NAMED = 3  # identifiers that a message names


def read_question(engine: Engine, question: str) -> AskedQuery:
    """The reading of a question. Identifiers alone go to their papers, where the index has them.

    The topic is then empty: there is nothing to compare sentences with.
    """
    aliases = aliases_in(question)
    if not aliases:
        return asked_query(question, _without_absent_phrases(engine, parse(question)))
    if papers := engine.with_alias(aliases):
        return read_query(question)._replace(
            topic="", understood=Understood(query=question.strip(), papers=papers)
        )
    named = " or ".join(alias.partition(":")[2] for alias in aliases[:_NAMED])
    absent = f"no paper here is {named}, so its words are searched"
    return asked_query(question, replace(parse(question), repairs=(absent,)))


def _without_absent_phrases(engine: Engine, parsed: Parsed) -> Parsed:
    """Phrases side by side with other parts become plain words if no passage has them."""
    parts, repairs = list(parsed.parts), list(parsed.repairs)
    for place, part in enumerate(parts):
        if isinstance(part, Quoted) and not _has(engine, part.text):
            parts[place] = Words(part.text)
            repairs.append(f'no passage here has "{part.text}", so its words are searched')
    return Parsed(tuple(parts), tuple(repairs))


def _has(engine: Engine, text: str) -> bool:
    """Whether a passage has a phrase."""
    part = phrase(text)
    spellings = part.parts if isinstance(part, AnyOf) else (part,)
    wanted = [each for each in spellings if isinstance(each, Word | Phrase)]
    return bool(engine.search(Query(tuple(wanted)), Filters(), 1))


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
