"""What the page shows of each result: its paper, its other passages, and the citation of its best sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from anagnosis.searching.answers.asking import highlighted
from anagnosis.searching.citing.citation import citation_of_sentence, first_authors
from anagnosis.searching.citing.papers import reference
from anagnosis.searching.index.index import Index
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.records.answers import Hit
from anagnosis.searching.records.paper import NO_FACTS, Paper
from anagnosis.searching.records.paper_groups import OtherSection, PaperFound
from anagnosis.searching.sentences.highlighting import UNTRAINED

OPENED = 3  # other passages of a paper with their text; links lead to the rest


class Listed(NamedTuple):
    """A result. authors: the first of its paper.

    others: passages of its paper that fit less well. more: the rest of these, without their text. citation: of its best
    sentence, "" where no sentence is marked.
    """

    hit: Hit
    authors: str
    others: list[Hit]
    more: Sequence[OtherSection]
    citation: str


def listed(index: Index, asked: AskedQuery, hits: Sequence[Hit], found: Sequence[PaperFound]) -> list[Listed]:
    """Each result as the page shows it. found: their papers, in the same order; () in a list of passages."""
    documents = [hit.passage.document for hit in hits]
    stored = [one.paper for one in found] or index.engine.papers(documents)
    papers = [paper or NO_FACTS for paper in stored]
    more = [one.more for one in found] or [()] * len(hits)
    others = _others(index, asked, documents, more)
    return [
        Listed(hit, first_authors(paper.authors), others[place], rest[OPENED:], _citation(hit, paper))
        for place, (hit, paper, rest) in enumerate(zip(hits, papers, more, strict=True))
    ]


def _others(
    index: Index, asked: AskedQuery, documents: Sequence[str], more: Sequence[Sequence[OtherSection]]
) -> list[list[Hit]]:
    """The first other passages of each document, with scored sentences; no trained reader scores these."""
    places = [
        (place, (document, one.number))
        for place, (document, rest) in enumerate(zip(documents, more, strict=True))
        for one in rest[:OPENED]
    ]
    read = index.engine.passages([where for _, where in places])
    kept = [(place, Hit(one, 0.0)) for (place, _), one in zip(places, read, strict=True) if one is not None]
    scorer = UNTRAINED if asked.topic.text else None
    scored = highlighted(index, asked.topic, [hit for _, hit in kept], scorer)
    others: list[list[Hit]] = [[] for _ in documents]
    for (place, _), hit in zip(kept, scored, strict=True):
        others[place].append(hit)
    return others


def _citation(hit: Hit, paper: Paper) -> str:
    best = max(hit.sentences, key=lambda one: one.score, default=None)
    if best is None or not best.strength:
        return ""
    passage = hit.passage
    sentence = passage.text[best.begin : best.end]
    return citation_of_sentence(reference([passage], paper), sentence, passage.heading or passage.section)
