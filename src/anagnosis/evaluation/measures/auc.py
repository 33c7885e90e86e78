"""AUC: the chance that a sentence that holds an answer scores above one that does not (Mann and Whitney 1947)."""

from __future__ import annotations

import numpy as np

from anagnosis.array_types import Bools, Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.measures.sentence_scores import by_instance
from anagnosis.predictions import Matched


def auc(scores: Floats, held: Bools) -> float | None:
    """The chance that one that is held scores above one that is not, ties at half; None where a kind is missing.

    scores: float64 [n]. held: bool [n].
    """
    ours, theirs = np.sort(scores[held]), np.sort(scores[~held])
    if not len(ours) or not len(theirs):
        return None
    below = np.searchsorted(theirs, ours, "left")
    not_above = np.searchsorted(theirs, ours, "right")
    # Whole numbers, so that the order of the sentences changes no digit.
    return int((below + not_above).sum()) / (2 * len(ours) * len(theirs))


def values(gold: Gold, run: Matched, protocol: str) -> Floats:
    """float64 [instances]: the AUC of each, NaN where it has one kind of sentences only."""
    found = [auc(*own) for own in by_instance(gold, run.scores)]
    return np.array([np.nan if own is None else own for own in found], np.float64)


AUC = Measure(
    name="auc",
    title="AUC",
    what="The chance that a sentence that holds the answer scores above another one of its instance.",
    kinds=("evidence",),
    values=values,
    unit="number",
    ties="1/2",
    missing="1/2; a sentence without a score ranks below all that have one",
    withheld="left out, as are instances with one kind of sentences only",
    source="Mann and Whitney 1947",
)
