"""Measures of exact answers to BioASQ's questions: factoid, list and yes/no, each over the questions of its type.

The protocol says how answers are read and compared, how many count, and which questions are left out
(`evaluation/phase_b/rules.py`). A text says yes if it holds "yes" in any case, else no if it holds "no", else neither,
as the organisers' program BioASQ/Evaluation-Measures reads it.

F1 of yes or no is 2·tp / (2·tp + wrong answers), whatever their gold label, as that program counts: an answer that says
neither is as wrong as the opposite one, and a gold answer that does not say yes counts as no. A label without a right
answer has an F1 of 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure, Statistics
from anagnosis.evaluation.phase_b.rules import decisions, factoid_scores, list_scores
from anagnosis.evaluation.phase_b.scores import YES
from anagnosis.predictions import Matched

# What measures of exact answers declare, where they say nothing else.
_declared = partial(
    Measure,
    kinds=("question",),
    free=True,
    unit="percent",
    source="Tsatsaronis et al. 2015",
)


def _figures(
    scored: Callable[[Gold, Matched, str], Iterable[tuple[int, Any]]], figure: str, *of: Any
) -> Iterator[tuple[int, float]]:
    """(row, a figure of its scores) of each question that counts. of: gold side, run and protocol."""
    return ((row, getattr(scores, figure)) for row, scores in scored(*of))


FACTOID_STRICT = _declared(
    name="factoid_strict",
    title="strict accuracy",
    values=partial(_figures, factoid_scores, "strict"),
    what="Whether the first answer to a factoid question is right.",
)
FACTOID_LENIENT = _declared(
    name="factoid_lenient",
    title="lenient accuracy",
    values=partial(_figures, factoid_scores, "lenient"),
    what="Whether one of the answers to a factoid question that count is right (thesis: of the first five).",
)
FACTOID_MRR = _declared(
    name="factoid_mrr",
    title="MRR",
    values=partial(_figures, factoid_scores, "reciprocal_rank"),
    what="One by the rank of the first right answer to a factoid question, 0 without one.",
    unit="number",
)
LIST_PRECISION = _declared(
    name="list_precision",
    title="list precision",
    values=partial(_figures, list_scores, "precision"),
    what="The share of the answers to a list question that are right (thesis: of the first ten).",
)
LIST_RECALL = _declared(
    name="list_recall",
    title="list recall",
    values=partial(_figures, list_scores, "recall"),
    what="The share of the gold entries of a list question that the answers name (thesis: the first ten).",
)
LIST_F1 = _declared(
    name="list_f1",
    title="list F1",
    values=partial(_figures, list_scores, "f1"),
    what="The harmonic mean of precision and recall of a list question; the mean is over questions.",
)
YESNO_ACCURACY = _declared(
    name="yesno_accuracy",
    title="yes/no accuracy",
    values=lambda gold, run, protocol: (
        (row, float(right == answer)) for row, right, answer in decisions(gold, run, protocol)
    ),
    what="Whether the answer to a yes/no question is right.",
    source="BioASQ/Evaluation-Measures",
)


def _label_f1(sums: Floats) -> Floats:
    """[…, 2]: F1 of yes and of no, from sums […, 3] of right yes, right no and wrong answers."""
    right, wrong = sums[..., :2], sums[..., 2:]
    return np.divide(2 * right, 2 * right + wrong, out=np.zeros_like(right), where=right > 0)


def _of_labels(name: str, title: str, what: str, labels: list[int]) -> Measure:
    """A measure of the mean F1 of labels (yes: 0, no: 1); NaN where nothing is counted."""

    def value(sums: Floats) -> Floats:
        return np.where(sums.sum(-1) > 0, _label_f1(sums)[..., labels].mean(-1), np.nan)

    def f1s(rows: Floats) -> tuple[Floats, Floats]:
        return rows[:, labels], rows[:, labels] + rows[:, 2:]

    def statistics(gold: Gold, run: Matched, protocol: str) -> Statistics:
        of_instances = np.zeros((len(gold), 3))
        counted = np.zeros(len(gold), np.bool_)
        for row, right, answer in decisions(gold, run, protocol):
            counted[row] = True
            same = right == answer
            of_instances[row] = [same and right == YES, same and right != YES, not same]
        return Statistics(of_instances, value, counted, f1s=f1s)

    return _declared(
        name=name,
        title=title,
        what=what,
        statistics=statistics,
        source="BioASQ/Evaluation-Measures",
    )


YESNO_MACRO_F1 = _of_labels(
    "yesno_macro_f1",
    "yes/no macro-F1",
    "The mean of the F1 of yes and of no over the yes/no questions.",
    [0, 1],
)
YESNO_F1_YES = _of_labels(
    "yesno_f1_yes",
    "F1 of yes",
    "2·tp / (2·tp + wrong answers) of the answer yes over the yes/no questions.",
    [0],
)
YESNO_F1_NO = _of_labels(
    "yesno_f1_no",
    "F1 of no",
    "2·tp / (2·tp + wrong answers) of the answer no over the yes/no questions.",
    [1],
)
