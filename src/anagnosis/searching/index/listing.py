"""A list of results: its papers with their passages, its query by date, and the exact counts of its papers.

A paper with one word of a question is seldom about it, however new it is. So a list by date has the papers with all
words of the question; if no paper has them all, those with any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.stored_papers import papers_of
from anagnosis.searching.filters import NAME_FILTERS, Filters
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.queries.names import folded
from anagnosis.searching.queries.tree import (
    AnyOf,
    Dates,
    Part,
    Query,
    Ranked,
    Synonyms,
    Together,
    required_names,
)
from anagnosis.searching.records.hits import (
    Facets,
    FilterMistakes,
    Hit,
    Matches,
    OtherSection,
    PaperFound,
    UnknownName,
)

_ANY_WORD = "no paper here has all of these words, so the list has those with any of them"
_SHOWN = 3  # similar names of an unknown one, and unknown names for which we look them up
_NAMES = 10  # of one kind that facets have
# A search looks at this many passages for each paper that it needs, and at five times more while there are too few.
_PASSAGES = 5
_LEAST, _MOST = 100, 50_000


def groups(search: Callable[[int], list[Hit]], wanted: int) -> list[list[Hit]]:
    """The best papers, at least `wanted`, each with its passages. search: gives this many best passages."""
    depth = max(_LEAST, _PASSAGES * wanted)
    while True:
        hits = search(depth)
        papers: dict[str, list[Hit]] = {}
        for hit in hits:
            papers.setdefault(hit.passage.document, []).append(hit)
        if len(papers) >= wanted or len(hits) < depth or depth >= _MOST:
            return list(papers.values())
        depth *= _PASSAGES


def papers_found(engine: Engine, found: Sequence[list[Hit]]) -> list[PaperFound]:
    """The papers of these passages, with their other passages."""
    documents = [hits[0].passage.document for hits in found]
    return [
        PaperFound(
            document,
            [OtherSection(hit.passage.number, hit.passage.section, hit.passage.heading) for hit in hits[1:]],
            paper,
        )
        for document, hits, paper in zip(documents, found, papers_of(engine, documents), strict=True)
    ]


def by_date(engine: Engine, asked: AskedQuery, filters: Filters) -> AskedQuery:
    """The query of a list by date: all words are required where a passage has them all; else a repair says so."""
    query = asked.query
    if not query.ranked or asked.understood.papers:
        return asked
    needed = _together([_whole(part) for part in query.ranked])
    strict = replace(query, required=(*query.required, needed))
    if engine.search(strict, filters, 1).papers:
        return asked._replace(query=strict)
    if not engine.search(query, filters, 1).papers:
        return asked
    understood = asked.understood
    return asked._replace(understood=replace(understood, repairs=(*understood.repairs, _ANY_WORD)))


def _whole(part: Ranked) -> Part:
    """A ranked part with all of its words: of names that mean the same one, or all words of the typed one."""
    if not isinstance(part, Synonyms) or not part.typed:
        return part
    return AnyOf((Synonyms(part.members), _together([_whole(word) for word in part.typed])))


def _together(parts: Sequence[Part]) -> Part:
    return parts[0] if len(parts) == 1 else Together(tuple(parts))


def matches(engine: Engine, asked: AskedQuery, filters: Filters) -> Matches:
    """How many papers a list has."""
    if papers := asked.understood.papers:
        return Matches(len(papers))
    return engine.facets(asked.query, filters, 0).matches


def facets(engine: Engine, asked: AskedQuery, filters: Filters) -> Facets | None:
    """Counts of these papers; None of a query of identifiers alone."""
    if asked.understood.papers:
        return None
    return engine.facets(asked.query, filters, _NAMES)


def possible_mistakes(engine: Engine, filters: Filters, query: Query) -> FilterMistakes:
    """Papers that dates leave out since they have none, and names that no paper has, in filters and query."""
    undated, not_added = 0, 0
    if filters.since or filters.until or any(isinstance(part, Dates) for part in query.required):
        undated = _without(engine, "date")
    if filters.added_since:
        not_added = _without(engine, "added")
    unknown: dict[str, list[UnknownName]] = {}
    for one in NAME_FILTERS:
        names = map(one.unify, (*getattr(filters, one.names), *required_names(query, one.field)))
        there = unknown_among(list(names), partial(_near_to, engine, one.field))
        unknown[one.names] = [UnknownName(*each) for each in there.items()]
    return FilterMistakes(undated, not_added, **unknown)


def _without(engine: Engine, date: str) -> int:
    """The number of papers without a date. date: a field of Dates."""
    dated = engine.facets(Query((), (Dates(field=date),)), Filters(), 0)
    return engine.committed().counts.documents - dated.matches.papers


def _near_to(engine: Engine, field: str, name: str, limit: int) -> list[str]:
    """The name as printed if the collection has it, else similar ones."""
    return [one.text for one in engine.terms(field, name, limit, near=True)]


def unknown_among(names: Sequence[str], near_to: Callable[[str, int], list[str]]) -> dict[str, list[str]]:
    """unknown name → similar names. near_to: gives the name as printed if the collection has it, else similar ones."""
    unknown = dict[str, list[str]]()
    for name in names:
        near = near_to(name, _SHOWN if len(unknown) < _SHOWN else 0)
        if folded(name) not in map(folded, near):
            unknown[name] = near
    return unknown
