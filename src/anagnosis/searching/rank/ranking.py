"""The rankings of passages: by words, by dense vectors, by both, and what those bring read once more."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from anagnosis.searching.engines import Engine
from anagnosis.searching.filters import Filters
from anagnosis.searching.rank.dense import Dense, Place
from anagnosis.searching.rank.fusion import DEPTH, weighted
from anagnosis.searching.rank.reranking import READ, Weights, clues, value
from anagnosis.searching.records.answers import Hit
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import question_words

if TYPE_CHECKING:
    from anagnosis.array_types import Floats32

LEXICAL, DENSE, HYBRID, RERANKED = "lexical", "dense", "hybrid", "reranked"
RANKINGS = (LEXICAL, DENSE, HYBRID, RERANKED)
_DIGITS = 6


class Ranked(NamedTuple):
    """Passages by falling score, then by id. known: those of them that were read already. vector: the question's."""

    places: list[tuple[Place, float]]
    known: dict[Place, Passage]
    vector: Floats32 | None = None


def by_vectors(engine: Engine, dense: Dense, question: str, filters: Filters, limit: int) -> Ranked:
    """The passages nearest to a question, whatever their words; scores are cosines."""
    if not question.strip() or limit < 1:
        return Ranked([], {})
    return _ranked(dense.nearest(dense.question(question), filters, limit), {}, limit)


def by_both(engine: Engine, dense: Dense, question: str, filters: Filters, limit: int) -> Ranked:
    """The best DEPTH of each ranking, or as many as are wanted, by the weighted sum of their scores (fusion.py).

    What words alone have found has its cosine looked up, so that only a passage's words can be unknown.
    """
    if not question.strip() or limit < 1:
        return Ranked([], {})
    depth, vector = max(DEPTH, limit), dense.question(question)
    lexical = engine.search(question_words(question), filters, depth)
    found = {(hit.passage.document, hit.passage.number): hit for hit in lexical}
    near = dense.nearest(vector, filters, depth)
    near |= dense.cosines(vector, [place for place in found if place not in near])
    scores = weighted({place: hit.score for place, hit in found.items()}, near)
    ranked = _ranked(scores, {place: hit.passage for place, hit in found.items()}, limit)
    return ranked._replace(vector=vector)


def hits(engine: Engine, ranked: Ranked) -> list[Hit]:
    """The passages themselves."""
    fetched = [place for place, _ in ranked.places if place not in ranked.known]
    passages = {**ranked.known, **dict(zip(fetched, engine.passages(fetched), strict=True))}
    found = [(passages[place], score) for place, score in ranked.places]
    return [Hit(passage, score) for passage, score in found if passage is not None]


class Read(NamedTuple):
    """The best READ passages of a first ranking, seen closely. others: what comes after them.

    rows: CLUES of each. products: float32 [read, width], the question's vector times each passage's, number by number;
    None without vectors.
    """

    hits: list[Hit]
    others: list[Hit]
    rows: list[list[float]]
    products: Floats32 | None


def read(engine: Engine, dense: Dense | None, question: str, filters: Filters, limit: int) -> Read:
    """Rank, by both or without `dense` by words, and read the best."""
    wanted = max(READ, limit)
    products, vector = None, None
    if dense is None:
        first = engine.search(question_words(question), filters, wanted)
    else:
        ranked = by_both(engine, dense, question, filters, wanted)
        first, vector = hits(engine, ranked), ranked.vector
    best, cosines = first[:READ], [0.0] * len(first[:READ])
    if dense is not None and vector is not None:
        places = [(hit.passage.document, hit.passage.number) for hit in best]
        products = dense.products(vector, places)
        cosines = [float(cosine) for cosine in products.sum(axis=1)]
    rows = clues(engine, question, [(hit.passage, hit.score) for hit in best], cosines)
    return Read(best, first[READ:], rows, products)


def by_reading(
    engine: Engine, dense: Dense | None, question: str, filters: Filters, limit: int, weights: Weights
) -> list[Hit]:
    """The best READ passages in the order that reading them gives, the others as they come (reranking.py).

    dense: None ranks by words first. Scores of the others are the first ranking's; those of the read ones begin where
    these end. weights: fitted on this first ranking.
    """
    seen = read(engine, dense, question, filters, limit)
    found = [value(weights, row) for row in seen.rows]
    if weights.vector and seen.products is not None:
        import numpy as np

        found = (np.array(found) + seen.products @ np.array(weights.vector)).tolist()
    found = [round(one, _DIGITS) for one in found]
    order = sorted(range(len(found)), key=lambda number: -found[number])
    least, floor = min(found, default=0.0), seen.hits[-1].score if seen.hits else 0.0
    again = [
        Hit(seen.hits[number].passage, round(found[number] - least + floor, _DIGITS)) for number in order
    ]
    return [*again, *seen.others][:limit]


def _ranked(scores: dict[Place, float], known: dict[Place, Passage], limit: int) -> Ranked:
    ranked = sorted((-round(score, _DIGITS), place) for place, score in scores.items())[:limit]
    return Ranked([(place, -score) for score, place in ranked], known)
