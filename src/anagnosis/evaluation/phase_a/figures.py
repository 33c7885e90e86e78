"""The twenty figures of the organisers' program for phase A, from the questions of a golden and a system file.

    MPrec, MRec, MF1, MAP   means over questions
    GMAP                    exp(mean of ln(average precision + 0.00001))

each of concepts, documents, snippets and triples. A question that the system lacks is left out, so that the means run
over the questions that were answered.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from anagnosis.datasets.kinds.relevant_items import RelevantItems
from anagnosis.evaluation.phase_a.editions import EDITIONS, Edition
from anagnosis.evaluation.phase_a.items import ItemScores, item_scores, triple_scores
from anagnosis.evaluation.phase_a.snippets import snippet_scores

SMALLEST = 0.00001  # added to each average precision before its logarithm
FIGURES = ("MPrec", "MRec", "MF1", "MAP", "GMAP")
_NAN = math.nan
# What the program prints of no question at all, in the order of FIGURES.
_OF_NONE = {
    "concepts": (0.0, 0.0, 0.0, 0.0, 0.0),
    "documents": (0.0, 0.0, _NAN, _NAN, _NAN),
    "snippets": (_NAN, _NAN, _NAN, _NAN, 0.0),
    "triples": (0.0, 0.0, 0.0, 0.0, 0.0),
}


def document_scores(retrieved: RelevantItems, gold: RelevantItems, edition: Edition) -> ItemScores | None:
    """None where the edition leaves the question out."""
    if edition.leaves_out and not gold.documents:
        return None
    return item_scores(retrieved.documents, gold.documents, edition)


def concept_scores(retrieved: RelevantItems, gold: RelevantItems, edition: Edition) -> ItemScores | None:
    """Of a question that has gold and retrieved concepts; None elsewhere, and where documents are left out."""
    left_out = edition.leaves_out and not gold.documents
    if left_out or not gold.concepts or not retrieved.concepts:
        return None
    return item_scores(retrieved.concepts, gold.concepts, edition)


def snippets_of(retrieved: RelevantItems, gold: RelevantItems, edition: Edition) -> ItemScores | None:
    """None where the edition leaves the question out."""
    if edition.leaves_out and not gold.snippets:
        return None
    return snippet_scores(retrieved.snippets, gold.snippets, edition)


def triples_of(retrieved: RelevantItems, gold: RelevantItems, edition: Edition) -> ItemScores | None:
    """Of a question that has gold triples; None elsewhere, and where snippets are left out."""
    left_out = edition.leaves_out and not gold.snippets
    return None if left_out or not gold.triples else triple_scores(retrieved.triples, gold.triples, edition)


# kind of items → the scores of one question, None where it does not count.
SCORES: dict[str, Callable[[RelevantItems, RelevantItems, Edition], ItemScores | None]] = {
    "concepts": concept_scores,
    "documents": document_scores,
    "snippets": snippets_of,
    "triples": triples_of,
}


def figures(
    questions: Iterable[tuple[RelevantItems, RelevantItems | None]], edition: int
) -> dict[str, float]:
    """`MPrec documents` → value, of (gold, retrieved) of each question; None for one that the system lacks."""
    rules = EDITIONS[edition]
    pairs = [(gold, retrieved) for gold, retrieved in questions if retrieved is not None]
    found: dict[str, float] = {}
    for kind, scores in SCORES.items():
        each = [score for gold, retrieved in pairs if (score := scores(retrieved, gold, rules)) is not None]
        values = five_figures(each) if each else _OF_NONE[kind]
        found |= {f"{name} {kind}": value for name, value in zip(FIGURES, values, strict=True)}
    return found


def five_figures(scores: Sequence[ItemScores]) -> tuple[float, float, float, float, float]:
    """In the order of FIGURES, of at least one question. An average precision that is NaN counts as 0 in MAP."""
    size = len(scores)
    averages = [score.average_precision for score in scores]
    return (
        sum(score.precision for score in scores) / size,
        sum(score.recall for score in scores) / size,
        sum(score.f1 for score in scores) / size,
        sum(0.0 if math.isnan(average) else average for average in averages) / size,
        geometric_mean(sum(map(logarithm, averages)), size),
    )


def logarithm(average_precision: float) -> float:
    """What GMAP is the mean of; 0 for NaN, as in the program."""
    return 0.0 if math.isnan(average_precision) else math.log(average_precision + SMALLEST)


def geometric_mean(logarithms: float, size: float) -> float:
    """exp of the mean of a sum of logarithms; 0 where they sum to 0, as those of snippets do where all are NaN."""
    return math.exp(logarithms / size) if logarithms else 0.0
