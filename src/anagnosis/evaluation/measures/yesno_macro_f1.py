"""Macro-F1 of BioASQ's yes/no questions: the mean of the F1 of yes and of no.

F1 of a label is 2·tp / (2·tp + wrong answers), whatever their gold label, as the organisers' program
BioASQ/Evaluation-Measures counts: an answer that says neither is as wrong as the opposite one, and a gold answer that
does not say yes counts as no. A label without a right answer has an F1 of 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures import free_answers
from anagnosis.evaluation.measures.measure import Measure, Statistics
from anagnosis.evaluation.phase_b.columns import decisions
from anagnosis.evaluation.phase_b.scores import YES
from anagnosis.predictions import Matched


def label_f1(sums: Floats) -> Floats:
    """[…, 2]: F1 of yes and of no, from sums […, 3] of right yes, right no and wrong answers."""
    right, wrong = sums[..., :2], sums[..., 2:]
    return np.divide(2 * right, 2 * right + wrong, out=np.zeros_like(right), where=right > 0)


def of_labels(name: str, title: str, what: str, of_both: Callable[[Floats], Floats]) -> Measure:
    """A measure of the F1 of both labels. of_both: […, 2] → its value […]; NaN where nothing is counted."""

    def value(sums: Floats) -> Floats:
        return np.where(sums.sum(-1) > 0, of_both(label_f1(sums)), np.nan)

    def statistics(gold: Gold, run: Matched, protocol: str) -> Statistics:
        of_instances = np.zeros((len(gold), 3))
        counted = np.zeros(len(gold), np.bool_)
        for row, right, answer in decisions(gold, run, protocol):
            counted[row] = True
            same = right == answer
            of_instances[row] = [same and right == YES, same and right != YES, not same]
        return Statistics(of_instances, value, counted)

    return free_answers.declared(
        name=name,
        title=title,
        what=what,
        statistics=statistics,
        unit="percent",
        source="BioASQ/Evaluation-Measures",
    )


YESNO_MACRO_F1 = of_labels(
    "yesno_macro_f1",
    "yes/no macro-F1",
    "The mean of the F1 of yes and of no over the yes/no questions.",
    lambda both: both.mean(-1),
)
