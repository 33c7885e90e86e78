"""The rankings of passages: by words, by dense vectors, and by both.

An engine finds papers by their words. A paper is as good as its best passage: the first SCORED papers are cut into
passages, which are scored; those behind them keep the engine's order.

Source of `weighted`: Bruch, Gai and Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval", 3 (TM2C2).
Kind and weight were chosen on SciFact's training queries (design/search.md).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from anagnosis.searching.engines import BY_SCORE, Engine, Scored
from anagnosis.searching.engines.stored_papers import (
    PassageKey,
    passages_of,
    shown_paper,
    words_of_passages,
)
from anagnosis.searching.filters import Filters, date_number
from anagnosis.searching.papers.bm25 import Rarity, Scorer, countable, words_in
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.queries.tree import Query
from anagnosis.searching.rank.dense import Dense
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.records.passage import Passage

RANKINGS = LEXICAL, DENSE, HYBRID = "lexical", "dense", "hybrid"
K = TypeVar("K", bound=Hashable)
# Rounding makes equal scores equal, which may differ in their last digits with the order of summation.
_DIGITS, _DIGITS_BY_WORDS = 6, 4
WEIGHT = 0.7  # of the dense scores
SCORED = 30  # papers whose passages are scored: more changed no ranking of the five collections by .001
DEPTH = 500  # candidates of each ranking
# A search with a filter of sections looks at so many more papers while it has too few, and cuts no more.
_DEEPER, _MOST = 5, 1_000


def by_words(
    engine: Engine, query: Query, filters: Filters, limit: int, *, sort: str = BY_SCORE
) -> list[list[Hit]]:
    """The best papers, each with its passages that fit, the best first: at least `limit`, if there are as many."""
    query, depth, most = countable(query), max(limit, SCORED), max(limit, _MOST)
    reorder = sort == BY_SCORE and bool(query.ranked)
    rarity = engine.rarity(words_in(query))
    while True:
        found = engine.search(query, filters, depth, sort=sort)
        papers = ranked_papers(found, rarity, query, filters, reorder=reorder)
        # A filter of sections leaves out papers without a word there.
        if len(papers) >= limit or len(found) < depth or depth >= most:
            return papers
        depth = min(depth * _DEEPER, most)


def ranked_papers(
    found: Sequence[Scored], rarity: Rarity, query: Query, filters: Filters, *, reorder: bool = True
) -> list[list[Hit]]:
    """The papers by their best passages, each with its passages of the wanted sections, the best first.

    A passage without a word of the query comes only where its paper has no other. With a filter of sections all papers
    are cut, and those without a word there are left out. reorder: False keeps the engine's order, as of a list by date,
    and sorts papers of one day by score.
    """
    scorer = Scorer(query, rarity)
    depth = SCORED if reorder and not filters.sections else len(found)
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
    scores = [round(score, _DIGITS_BY_WORDS) for score in scorer.scores(own, stems)]
    hits = [Hit(passage, score) for passage, score in zip(own, scores, strict=True)]
    hits.sort(key=lambda hit: (-hit.score, hit.passage.number))
    if not query.ranked:
        return hits
    fitting = [hit for hit in hits if hit.score > 0]
    return fitting or ([] if filters.sections else hits[:1])


def _first(one: Scored, factor: float, filters: Filters) -> list[Hit]:
    """The first passage that fits of a paper that is not cut for its score."""
    return [
        Hit(passage, round(one.score * factor, _DIGITS_BY_WORDS))
        for passage in _wanted(one.stored, filters)[:1]
    ]


def _wanted(stored: StoredPaper, filters: Filters) -> list[Passage]:
    every = shown_paper(stored).passages
    return [one for one in every if not filters.sections or one.section in filters.sections]


def by_vectors(engine: Engine, dense: Dense, asked: AskedQuery, filters: Filters, limit: int) -> list[Hit]:
    """The passages nearest to a question by cosine, of papers that meet its conditions.

    Vectors know nothing of words: where conditions or filters let few papers through, these are found by their words.
    """
    if not asked.topic.text.strip() or limit < 1:
        return []
    vector = dense.question(asked.topic.text)
    near = dense.nearest(vector, asked.query, filters, limit)
    known = {} if len(near) >= limit else _by_words(engine, dense, asked, filters, limit)
    near |= dense.cosines(vector, [place for place in known if place not in near])
    return _best(engine, near, known, limit)


def by_both(engine: Engine, dense: Dense, asked: AskedQuery, filters: Filters, limit: int) -> list[Hit]:
    """The best passages of both rankings by the weighted sum of their scores (`weighted`).

    Each ranking contributes its best DEPTH passages, or `limit` if that is more. Passages that only the words retrieve
    get their cosines; passages that only the vectors retrieve have no score by words.
    """
    if not asked.topic.text.strip() or limit < 1:
        return []
    depth, vector = max(DEPTH, limit), dense.question(asked.topic.text)
    lexical = _by_words(engine, dense, asked, filters, depth)
    near = dense.nearest(vector, asked.query, filters, depth)
    near |= dense.cosines(vector, [place for place in lexical if place not in near])
    scores = weighted({place: hit.score for place, hit in lexical.items()}, near)
    return _best(engine, scores, lexical, limit)


def weighted(lexical: Mapping[K, float], dense: Mapping[K, float]) -> dict[K, float]:
    """WEIGHT · (cosine + 1) / (best cosine + 1) + (1 - WEIGHT) · BM25 / best BM25, for each key of either ranking.

    Both scores are thereby shares of the best: 1 is the best score, 0 the lowest possible. Without a lexical score a
    key counts as having none of the words; without a vector it gets the lowest cosine.
    """
    highest = max(lexical.values(), default=0.0) or 1.0
    nearest = max(dense.values(), default=0.0) + 1 or 1.0
    furthest = min(dense.values(), default=-1.0)
    return {
        key: WEIGHT * (dense.get(key, furthest) + 1) / nearest
        + (1 - WEIGHT) * lexical.get(key, 0.0) / highest
        for key in dict.fromkeys((*lexical, *dense))
    }


def _by_words(
    engine: Engine, dense: Dense, asked: AskedQuery, filters: Filters, limit: int
) -> dict[PassageKey, Hit]:
    """The best passages of the best papers by words, of as many papers as have about so many passages."""
    papers = by_words(engine, asked.query, filters, dense.papers_with(limit))
    every = [hit for paper in papers for hit in paper]
    best = sorted(every, key=lambda hit: (-hit.score, hit.passage.document, hit.passage.number))[:limit]
    return {(hit.passage.document, hit.passage.number): hit for hit in best}


def _best(
    engine: Engine, scores: Mapping[PassageKey, float], known: Mapping[PassageKey, Hit], limit: int
) -> list[Hit]:
    """The passages by falling score, then by id. known: hits whose passages need not be read."""
    ranked = sorted((-round(score, _DIGITS), place) for place, score in scores.items())[:limit]
    loaded = {place: hit.passage for place, hit in known.items()}
    fetched = [place for _, place in ranked if place not in loaded]
    loaded |= {place: one for place, one in zip(fetched, passages_of(engine, fetched), strict=True) if one}
    return [Hit(loaded[place], -score) for score, place in ranked if place in loaded]
