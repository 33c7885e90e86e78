"""The passages of the papers that an engine has found, and the order that they give the papers.

A paper is as good as its best passage. The first DEPTH papers are cut into passages, which are scored; those behind
them keep the engine's order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from anagnosis.searching.engines import Found, Scored
from anagnosis.searching.filters import Filters
from anagnosis.searching.papers.bm25 import Scorer
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.queries.tree import Query
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.records.passage import Passage

DEPTH = 30  # papers whose passages are scored: more changed no ranking of the five collections by .001
# Rounding makes equal scores equal, which may differ in their last digits with the order of summation.
_DIGITS = 4


class ReadPaper(NamedTuple):
    """A paper's passages, with their words (bm25.stems_in)."""

    passages: list[Passage]
    stems: list[list[str]]


def ranked_papers(
    found: Found,
    query: Query,
    filters: Filters,
    *,
    reorder: bool = True,
    read: Callable[[StoredPaper], ReadPaper],
) -> list[list[Hit]]:
    """The papers by their best passages, each with its passages of the wanted sections, the best first.

    A passage without a word of the query comes only where its paper has no other. With a filter of sections all papers
    are cut, and those without a word there are left out. reorder: False keeps the engine's order, as of a list by date.
    read: gives a paper's passages, perhaps from memory.
    """
    scorer = Scorer(query, found.rarity)
    depth = DEPTH if reorder and not filters.sections else len(found.papers)
    best = [_hits(one.stored, scorer, query, filters, read) for one in found.papers[:depth]]
    best = [hits for hits in best if hits]
    if reorder:
        best.sort(key=lambda hits: (-hits[0].score, hits[0].passage.document))
    others = found.papers[depth:]
    if not others:
        return best
    least = best[-1][0].score if best else 0.0
    factor = least / (others[0].score or 1.0)
    return [*best, *(hits for one in others if (hits := _first(one, factor, filters, read)))]


def _hits(
    stored: StoredPaper,
    scorer: Scorer,
    query: Query,
    filters: Filters,
    read: Callable[[StoredPaper], ReadPaper],
) -> list[Hit]:
    """A paper's passages that fit, the best first; [] for none."""
    paper = read(stored)
    own = _wanted(paper.passages, filters)
    title, *of_passages = paper.stems
    stems = [title, *(of_passages[one.number] for one in own)]
    scores = [round(score, _DIGITS) for score in scorer.scores(own, stems)]
    hits = [Hit(passage, score) for passage, score in zip(own, scores, strict=True)]
    hits.sort(key=lambda hit: (-hit.score, hit.passage.number))
    if not query.ranked:
        return hits
    fitting = [hit for hit in hits if hit.score > 0]
    return fitting or ([] if filters.sections else hits[:1])


def _first(
    one: Scored, factor: float, filters: Filters, read: Callable[[StoredPaper], ReadPaper]
) -> list[Hit]:
    """The first passage that fits of a paper that is not cut for its score."""
    return [
        Hit(passage, round(one.score * factor, _DIGITS))
        for passage in _wanted(read(one.stored).passages, filters)[:1]
    ]


def _wanted(passages: Sequence[Passage], filters: Filters) -> list[Passage]:
    return [one for one in passages if not filters.sections or one.section in filters.sections]
