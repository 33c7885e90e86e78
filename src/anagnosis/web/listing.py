"""What the page shows of each result, and the facets beside the list.

Facets are what each further value of a filter would bring, as shops and libraries count them. Values of one filter are
alternatives. So each filter's values are counted with the other filters alone: a list of one journal offers other
journals, and a list of some years has bars for the years around them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from anagnosis.searching.answers.asking import highlighted
from anagnosis.searching.citing.citation import citation_of_sentence, first_authors
from anagnosis.searching.citing.reference import reference
from anagnosis.searching.engines.stored_papers import papers_of, passages_of
from anagnosis.searching.filters import NAME_FILTERS, Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.queries.names import folded
from anagnosis.searching.records.hits import Facet, Facets, Hit, OtherSection, PaperFound
from anagnosis.searching.records.paper import NO_FACTS, Paper
from anagnosis.searching.sentences.highlighting import UNTRAINED
from anagnosis.searching.sentences.sentences import plain

OPENED = 3  # other passages of a paper with their text; links lead to the rest


class Listed(NamedTuple):
    """A result with its paper, its other passages, and the citation of its best sentence.

    authors: the first of its paper. others: passages of its paper that fit less well. more: the rest of these,
    without their text. citation: "" where no sentence is marked, or the answer quotes it.
    """

    hit: Hit
    authors: str
    others: list[Hit]
    more: Sequence[OtherSection]
    citation: str


def listed(
    index: Index, asked: AskedQuery, hits: Sequence[Hit], found: Sequence[PaperFound], quoted: Container[str]
) -> list[Listed]:
    """Each result as the page shows it.

    found: their papers, in the same order; () in a list of passages. quoted: the sentences that the answer quotes.
    """
    documents = [hit.passage.document for hit in hits]
    stored = [one.paper for one in found] or papers_of(index.engine, documents)
    papers = [paper or NO_FACTS for paper in stored]
    more = [one.more for one in found] or [()] * len(hits)
    others = _others(index, asked, documents, more)
    return [
        Listed(hit, first_authors(paper.authors), others[place], rest[OPENED:], _citation(hit, paper, quoted))
        for place, (hit, paper, rest) in enumerate(zip(hits, papers, more, strict=True))
    ]


def facets_to_choose(count: Callable[[Filters], Facets | None], filters: Filters) -> Facets | None:
    """The facets of a list, with values that the filters leave out; chosen values come first.

    count: the facets of the list with such filters; None where they cannot be counted, or that would take long.
    """
    counted = count(filters)
    if counted is None:
        return None
    if filters.since or filters.until:
        others = count(replace(filters, since="", until=""))
        counted = replace(counted, years=others.years if others else counted.years)
    for name in ("sections", *(one.names for one in NAME_FILTERS)):  # of the fields of both records
        chosen = {folded(value) for value in getattr(filters, name)}
        others = count(replace(filters, **{name: ()})) if chosen else None
        if others is not None:
            here: tuple[Facet, ...] = getattr(counted, name)
            first = tuple(one for one in here if folded(one.name) in chosen)
            rest = tuple(one for one in getattr(others, name) if folded(one.name) not in chosen)
            counted = replace(counted, **{name: first + rest})
    return counted


def _others(
    index: Index, asked: AskedQuery, documents: Sequence[str], more: Sequence[Sequence[OtherSection]]
) -> list[list[Hit]]:
    """The first other passages of each document, with scored sentences; no trained reader scores these."""
    places = [
        (place, (document, one.number))
        for place, (document, rest) in enumerate(zip(documents, more, strict=True))
        for one in rest[:OPENED]
    ]
    read = passages_of(index.engine, [where for _, where in places])
    kept = [(place, Hit(one, 0.0)) for (place, _), one in zip(places, read, strict=True) if one is not None]
    scorer = UNTRAINED if asked.topic.text else None
    scored = highlighted(index, asked.topic, [hit for _, hit in kept], scorer)
    others: list[list[Hit]] = [[] for _ in documents]
    for (place, _), hit in zip(kept, scored, strict=True):
        others[place].append(hit)
    return others


def _citation(hit: Hit, paper: Paper, quoted: Container[str]) -> str:
    best = max(hit.sentences, key=lambda one: one.score, default=None)
    if best is None or not best.strength:
        return ""
    passage = hit.passage
    sentence = passage.text[best.begin : best.end]
    if plain(sentence) in quoted:
        return ""
    return citation_of_sentence(reference([passage], paper), sentence, passage.heading or passage.section)
