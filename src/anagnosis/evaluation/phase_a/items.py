"""Documents, concepts and triples of one question beside the gold ones: precision, recall, F1 and average precision.

Items are compared as they are: two spellings of an address are two documents. A repeated item counts once, at its first
place. No list is cut at ten, so average precision exceeds 1 where more hits are ranked than the edition divides by.
Where there is nothing to divide by, a value is 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from anagnosis.evaluation.phase_a.editions import Edition


@dataclass(frozen=True, slots=True)
class ItemScores:
    """Of one question and one kind of items. average_precision: NaN where the organisers' program divides 0 by 0."""

    precision: float
    recall: float
    f1: float
    average_precision: float


def item_scores(retrieved: Iterable[Hashable], gold: Iterable[Hashable], edition: Edition) -> ItemScores:
    """retrieved: best first."""
    ranked, right = [*dict.fromkeys(retrieved)], {*gold}
    hits, total = 0, 0.0
    for rank, item in enumerate(ranked, 1):
        if item in right:
            hits += 1
            total += hits / rank
    precision, recall = share(hits, len(ranked)), share(hits, len(right))
    return ItemScores(
        precision, recall, harmonic_mean(precision, recall), share(total, edition.divisor(len(right)))
    )


def triple_scores(retrieved: Iterable[Hashable], gold: Iterable[Hashable], edition: Edition) -> ItemScores:
    """The same of triples, of which the program drops the wrong ones before it measures the rest."""
    right = {*gold}
    return item_scores((item for item in retrieved if item in right), right, edition)


def share(part: float, whole: float) -> float:
    """0 where there is nothing to divide by."""
    return part / whole if whole else 0.0


def harmonic_mean(precision: float, recall: float) -> float:
    """F1; 0 where both are 0."""
    return share(2 * precision * recall, precision + recall)
