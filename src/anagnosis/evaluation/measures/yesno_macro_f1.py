"""Macro-F1 of BioASQ's yes/no questions: the mean of the F1 of yes and of no.

F1 of a label is 2·tp / (2·tp + wrong answers), whatever their gold label, as the organisers' program
BioASQ/Evaluation-Measures counts: an answer that says neither is as wrong as the opposite one. A label without a right
answer has an F1 of 0.
"""

from __future__ import annotations

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import YESNO
from anagnosis.evaluation.measures import free_answers
from anagnosis.evaluation.measures.measure import Statistics
from anagnosis.evaluation.measures.yesno_accuracy import NO, YES, decided
from anagnosis.predictions import Matched


def statistics(gold: Gold, run: Matched, protocol: str) -> Statistics:
    """float64 [n, 3]: whether yes was right, no was right, and the answer wrong."""
    of_instances = np.zeros((len(gold), 3))
    counted = np.zeros(len(gold), np.bool_)
    for row, entries, answers in free_answers.of_type(gold, run, YESNO):
        counted[row] = True
        right, answer = decided(entries[0]), decided(answers)
        of_instances[row] = [right == answer == YES, right == answer == NO, right != answer]
    return Statistics(of_instances, value, counted)


def value(sums: Floats) -> Floats:
    """The mean of both F1; NaN where nothing is counted."""
    right, wrong = sums[..., :2], sums[..., 2:]
    f1 = np.divide(2 * right, 2 * right + wrong, out=np.zeros_like(right), where=right > 0)
    return np.where(sums.sum(-1) > 0, f1.mean(-1), np.nan)


YESNO_MACRO_F1 = free_answers.declared(
    name="yesno_macro_f1",
    title="yes/no macro-F1",
    what="The mean of the F1 of yes and of no over the yes/no questions.",
    statistics=statistics,
    unit="percent",
    missing="wrong",
    source="BioASQ/Evaluation-Measures",
)
