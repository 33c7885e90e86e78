"""Pooled AUC: the AUC (auc.py) over the sentences of all instances together.

It says whether scores of different questions are comparable. Each instance's statistics are how many of its sentences
that hold an answer, and how many others, have each of the scores that occur.
"""

from __future__ import annotations

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure, Statistics
from anagnosis.evaluation.measures.sentence_scores import held_of, scores_of
from anagnosis.predictions import Matched


def statistics(gold: Gold, run: Matched, protocol: str) -> Statistics:
    """[n, 2 · scores], sparse: how often each score, from the lowest, is that of a sentence that holds, or does not."""
    from scipy.sparse import csr_matrix

    held = held_of(gold)
    levels, level = np.unique(scores_of(gold, run.scores), return_inverse=True)
    instance = np.repeat(np.arange(len(gold)), np.diff(gold.starts))
    column = np.where(held, level, level + len(levels))
    counts = csr_matrix((np.ones(len(held)), (instance, column)), (len(gold), 2 * len(levels)))
    return Statistics(counts, value, np.diff(gold.starts) > 0, shared=False)


def value(sums: Floats) -> Floats:
    """The share of the pairs that are won, a tie counting half; NaN without pairs."""
    held, others = np.split(sums, 2, axis=-1)
    below = np.cumsum(others, axis=-1) - others
    pairs = held.sum(-1) * others.sum(-1)
    with np.errstate(invalid="ignore"):
        return (held * (below + others / 2)).sum(-1) / pairs


POOLED_AUC = Measure(
    name="pooled_auc",
    title="pooled AUC",
    what="The chance that a sentence that holds an answer scores above another one of any instance.",
    kinds=("evidence",),
    statistics=statistics,
    unit="number",
    ties="1/2",
    missing="1/2; a sentence without a score ranks below all that have one",
    counts_withheld=True,
    withheld="an instance without a sentence that holds its answer counts with the others",
    source="Mann and Whitney 1947",
)
