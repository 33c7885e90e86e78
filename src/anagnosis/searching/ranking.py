"""The rankings of passages: by words, by dense vectors, and by both."""

from __future__ import annotations

from typing import NamedTuple

from anagnosis.searching.dense import Dense, Place
from anagnosis.searching.engines import Engine, Filters, Hit
from anagnosis.searching.fusion import DEPTH, weighted
from anagnosis.searching.passages import Passage

LEXICAL, DENSE, HYBRID = "lexical", "dense", "hybrid"
RANKINGS = (LEXICAL, DENSE, HYBRID)
_DIGITS = 6


class Ranked(NamedTuple):
    """Passages by falling score, then by id. known: those of them that were read already."""

    places: list[tuple[Place, float]]
    known: dict[Place, Passage]


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
    found = {
        (hit.passage.document, hit.passage.number): hit for hit in engine.search(question, filters, depth)
    }
    near = dense.nearest(vector, filters, depth)
    near |= dense.cosines(vector, [place for place in found if place not in near])
    scores = weighted({place: hit.score for place, hit in found.items()}, near)
    return _ranked(scores, {place: hit.passage for place, hit in found.items()}, limit)


def hits(engine: Engine, ranked: Ranked) -> list[Hit]:
    """The passages themselves."""
    fetched = [place for place, _ in ranked.places if place not in ranked.known]
    passages = {**ranked.known, **dict(zip(fetched, engine.passages(fetched), strict=True))}
    found = [(passages[place], score) for place, score in ranked.places]
    return [Hit(passage, score) for passage, score in found if passage is not None]


def _ranked(scores: dict[Place, float], known: dict[Place, Passage], limit: int) -> Ranked:
    ranked = sorted((-round(score, _DIGITS), place) for place, score in scores.items())[:limit]
    return Ranked([(place, -score) for score, place in ranked], known)
