"""Macro-F1: the mean of 2·tp / (answered + right) over the labels that occur in gold or answers, as scikit-learn does.

*fixed*: a label of the split's gold counts in every draw and part of it. *official*: a stray label has an F1 of 0,
as in PubMedQA's evaluation.py. It is no mean over instances, so each instance has statistics, whose sums give the value
of any draw.
"""

from __future__ import annotations

import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure, Statistics
from anagnosis.predictions import Matched

_OFFICIAL = "official"


def macro_f1(truth: Longs, answers: Longs, labels: int) -> float:
    """Over the labels that occur in gold or answers. truth, answers: int64 [n], labels from 0, -1 for any other."""
    return float(mean_f1(*f1_by_label(counts(truth, answers, labels).sum(0))))


def counts(truth: Longs, answers: Longs, labels: int) -> Floats:
    """float64 [n, 3 · labels]: of each instance, by label, whether it is right, answered, and both."""
    right, answered = (codes[:, None] == np.arange(labels) for codes in (truth, answers))
    return np.hstack([right, answered, right & answered]).astype(np.float64)


def f1_by_label(sums: Floats) -> tuple[Floats, Bools]:
    """[…, labels] of sums of `counts` […, 3 · labels]: F1, and whether the label occurs in gold or answers."""
    right, answered, both = np.split(sums, 3, axis=-1)
    total = right + answered
    occurs = total > 0
    return np.divide(2 * both, total, out=np.zeros_like(total), where=occurs), occurs


def mean_f1(f1: Floats, occurs: Bools, always: Bools | bool = False, strays: int = 0) -> Floats:
    """The mean over the labels that occur. always: bool [labels], those that count anyway. strays: further classes."""
    return f1.sum(-1) / ((occurs | always).sum(-1) + strays)


def statistics(gold: Gold, run: Matched, protocol: str) -> Statistics:
    """The counts of each instance; none where the answer is withheld."""
    labels = len(gold.labels)
    own = counts(gold.answer.astype(np.int64), run.choice.astype(np.int64), labels)
    counted = gold.answer >= 0
    own[~counted] = 0
    strays = len(run.strays) if protocol == _OFFICIAL else 0  # classes beyond the labels
    always = False if protocol == _OFFICIAL else own[:, :labels].sum(0) > 0

    def value(sums: Floats) -> Floats:
        return mean_f1(*f1_by_label(sums), always, strays)

    def f1s(rows: Floats) -> tuple[Floats, Floats]:
        right, answered, both = np.split(rows, 3, axis=1)
        return both, right + answered - both

    # In which group a stray word stands is not known, and it would count in each.
    return Statistics(own, value, counted, divisible=not run.strays, f1s=f1s)


MACRO_F1 = Measure(
    name="macro_f1",
    title="macro-F1",
    what="The mean over the labels that occur of the harmonic mean of precision and recall.",
    kinds=("decision", "question"),
    statistics=statistics,
    unit="percent",
    source="PubMedQA, section 4; its evaluation.py for the protocol official",
)
