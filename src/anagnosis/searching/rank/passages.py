"""The passages of the papers that an engine has found, and the order that they give the papers.

A paper is as good as its best passage. The first DEPTH papers are cut into passages, which are scored; those behind
them keep the engine's order.
"""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.searching.engines import Scored
from anagnosis.searching.engines.stored_papers import shown_paper, words_of_passages
from anagnosis.searching.filters import Filters, date_number
from anagnosis.searching.papers.bm25 import Rarity, Scorer
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.queries.tree import Query
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.records.passage import Passage

DEPTH = 30  # papers whose passages are scored: more changed no ranking of the five collections by .001
# Rounding makes equal scores equal, which may differ in their last digits with the order of summation.
_DIGITS = 4


def ranked_papers(
    found: Sequence[Scored], rarity: Rarity, query: Query, filters: Filters, *, reorder: bool = True
) -> list[list[Hit]]:
    """The papers by their best passages, each with its passages of the wanted sections, the best first.

    A passage without a word of the query comes only where its paper has no other. With a filter of sections all papers
    are cut, and those without a word there are left out. reorder: False keeps the engine's order, as of a list by date,
    and sorts papers of one day by score.
    """
    scorer = Scorer(query, rarity)
    depth = DEPTH if reorder and not filters.sections else len(found)
    best = [hits for one in found[:depth] if (hits := _hits(one.stored, scorer, query, filters))]
    if query.ranked:
        best.sort(key=lambda hits: (-hits[0].score, hits[0].passage.document))
        if not reorder:
            best.sort(key=lambda hits: -date_number(hits[0].passage.date))
    others = found[depth:]
    if not others:
        return best
    least = best[-1][0].score if best else 0.0
    factor = least / (others[0].score or 1.0)
    return [*best, *(hits for one in others if (hits := _first(one, factor, filters)))]


def _hits(stored: StoredPaper, scorer: Scorer, query: Query, filters: Filters) -> list[Hit]:
    """A paper's passages that fit, the best first; [] for none."""
    own = _wanted(stored, filters)
    title, *of_passages = words_of_passages(stored)
    stems = [title, *(of_passages[one.number] for one in own)]
    scores = [round(score, _DIGITS) for score in scorer.scores(own, stems)]
    hits = [Hit(passage, score) for passage, score in zip(own, scores, strict=True)]
    hits.sort(key=lambda hit: (-hit.score, hit.passage.number))
    if not query.ranked:
        return hits
    fitting = [hit for hit in hits if hit.score > 0]
    return fitting or ([] if filters.sections else hits[:1])


def _first(one: Scored, factor: float, filters: Filters) -> list[Hit]:
    """The first passage that fits of a paper that is not cut for its score."""
    return [Hit(passage, round(one.score * factor, _DIGITS)) for passage in _wanted(one.stored, filters)[:1]]


def _wanted(stored: StoredPaper, filters: Filters) -> list[Passage]:
    every = shown_paper(stored).passages
    return [one for one in every if not filters.sections or one.section in filters.sections]
