"""Best sentence: does the sentence with the highest score hold the answer?"""

from __future__ import annotations

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.measures.sentence_scores import BELOW_ALL, by_instance
from anagnosis.predictions import Matched


def values(gold: Gold, run: Matched, protocol: str) -> Floats:
    """float64 [instances]: 1 where the first of the best sentences holds the answer, else 0; NaN where none does."""
    found = [
        float(scores.max() > BELOW_ALL and held[scores.argmax()]) if held.any() else np.nan
        for scores, held in by_instance(gold, run.scores)
    ]
    return np.array(found, np.float64)


BEST_SENTENCE = Measure(
    name="best_sentence",
    title="best sentence",
    what="Whether the sentence with the highest score holds the answer.",
    kinds=("evidence",),
    values=values,
    unit="percent",
    ties="by the first of the sentences that share the highest score",
    missing="0",
    withheld="left out",
    source="our own; precision at 1",
)
