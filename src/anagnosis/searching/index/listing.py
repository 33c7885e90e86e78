"""A list of results: its papers with their passages, its query by date, and the exact counts of its papers.

A paper with one word of a question is seldom about it, however new it is. So a list by date has the papers with all
words of the question; if no paper has them all, those with any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.stored_papers import papers_of
from anagnosis.searching.engines.terms import near_names
from anagnosis.searching.filters import NAME_FILTERS, Filters
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.queries.names import folded
from anagnosis.searching.queries.tree import (
    EVERY_PAPER,
    Dates,
    InField,
    Part,
    Query,
    Ranked,
    Synonyms,
    Word,
    all_of,
    any_of,
    required_names,
)
from anagnosis.searching.records.hits import Facets, Hit, OtherSection
from anagnosis.wording import counted

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


def with_papers(engine: Engine, found: Sequence[list[Hit]]) -> list[Hit]:
    """The first of each of these hits of a paper, with the paper and the sections of the others."""
    papers = papers_of(engine, [hits[0].passage.document for hits in found])
    return [
        replace(hits[0], more=_others(hits), paper=paper) for hits, paper in zip(found, papers, strict=True)
    ]


def _others(hits: Sequence[Hit]) -> list[OtherSection]:
    return [OtherSection(hit.passage.number, hit.passage.section, hit.passage.heading) for hit in hits[1:]]


def by_date(engine: Engine, asked: AskedQuery, filters: Filters) -> AskedQuery:
    """The query of a list by date: all words are required where a passage has them all; else a repair says so."""
    query = asked.query
    if not query.ranked or asked.understood.papers:
        return asked
    strict = replace(query, required=(*query.required, *map(_whole, query.ranked)))
    if engine.search(strict, filters, 1):
        return asked._replace(query=strict)
    if not engine.search(query, filters, 1):
        return asked
    understood = asked.understood
    return asked._replace(understood=replace(understood, repairs=(*understood.repairs, _ANY_WORD)))


def _whole(part: Ranked) -> Part:
    """A ranked part with all of its words: of names that mean the same one, or all words of the typed one."""
    if not isinstance(part, Synonyms) or not part.typed:
        return part
    return any_of((Synonyms(part.members), all_of(map(_whole, part.typed)))) or part


def facets(engine: Engine, asked: AskedQuery, filters: Filters, *, every: bool) -> Facets:
    """Counts of the papers of a list; only how many they are unless `every`, and of a query of identifiers alone."""
    if papers := asked.understood.papers:
        return Facets(len(papers))
    if asked.query == EVERY_PAPER and filters == Filters() and not every:
        return Facets(engine.committed().counts.documents)
    return engine.facets(asked.query, filters, _NAMES if every else 0)


def possible_mistakes(engine: Engine, filters: Filters, query: Query) -> str:
    """Names of filters and query that no paper has, and the number of papers without a date; "" for none."""
    said = list[str]()
    for one in NAME_FILTERS:
        for name in map(one.unify, (*getattr(filters, one.names), *required_names(query, one.field))):
            has_name = Query((), (InField(one.field, Word(folded(name))),))
            if not engine.facets(has_name, Filters(), 0).matches:
                near = near_names(engine, one.field, name, _SHOWN) if len(said) < _SHOWN else []
                example = f"; for example {', '.join(near)}" if near else ""
                said.append(f"No such {one.noun} here: {name}{example}.")
    dates = {field for field, _ in filters.dated} | {
        part.field for part in query.required if isinstance(part, Dates)
    }
    for field in sorted(dates):
        dated = engine.facets(Query((), (Dates(field=field),)), Filters(), 0).matches
        if undated := engine.committed().counts.documents - dated:
            of = " of publication" if field == "date" else " of adding"
            said.append(f"Left out by the filter of dates: {counted(undated, 'paper')} without a date{of}.")
    return " ".join(said)
