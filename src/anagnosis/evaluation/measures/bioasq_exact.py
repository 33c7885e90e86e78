"""Measures of exact answers to BioASQ's questions: factoid, list and yes/no, each over the questions of its type.

The protocol says how answers are read and compared, how many count, and which questions are left out
(`evaluation/phase_b/rules.py`). A text says yes if it holds "yes" in any case, else no if it holds "no", else neither,
as the organisers' program BioASQ/Evaluation-Measures reads it.

F1 of yes or no is 2·tp / (2·tp + wrong answers), whatever their gold label, as that program counts: an answer that says
neither is as wrong as the opposite one, and a gold answer that does not say yes counts as no. A label without a right
answer has an F1 of 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure, Statistics, Unit
from anagnosis.evaluation.phase_b.rules import decisions, factoid_scores, list_scores
from anagnosis.evaluation.phase_b.scores import YES
from anagnosis.predictions import Matched

_Scored = Iterable[tuple[int, float]]  # (row, value in [0, 1]) of each question that counts

# What all measures of free answers declare alike; each adds its name, its value, and its source.
_declared = partial(
    Measure,
    kinds=("question",),
    free=True,
    ties="by the order of the answers on the line",
    missing="wrong; organisers-9: left out; earlier editions of the organisers' program: refused",
    withheld="left out, as are questions of other types; editions 2 to 8 of the program: refused if answered",
)


def _mean_over_questions(
    name: str,
    title: str,
    scored: Callable[[Gold, Matched, str], _Scored],
    *,
    what: str,
    source: str,
    unit: Unit = "percent",
) -> Measure:
    """A measure whose value of a split is the mean over the questions of one type. scored: under a protocol."""
    return _declared(name=name, title=title, what=what, values=scored, unit=unit, source=source)


FACTOID_STRICT = _mean_over_questions(
    "factoid_strict",
    "strict accuracy",
    lambda gold, run, protocol: ((row, score.strict) for row, score in factoid_scores(gold, run, protocol)),
    what="Whether the first answer to a factoid question is right.",
    source="Tsatsaronis et al. 2015",
)
FACTOID_LENIENT = _mean_over_questions(
    "factoid_lenient",
    "lenient accuracy",
    lambda gold, run, protocol: ((row, score.lenient) for row, score in factoid_scores(gold, run, protocol)),
    what="Whether one of the answers to a factoid question that count is right (thesis: of the first five).",
    source="Tsatsaronis et al. 2015",
)
FACTOID_MRR = _mean_over_questions(
    "factoid_mrr",
    "MRR",
    lambda gold, run, protocol: (
        (row, score.reciprocal_rank) for row, score in factoid_scores(gold, run, protocol)
    ),
    what="One by the rank of the first right answer to a factoid question, 0 without one.",
    unit="number",
    source="Tsatsaronis et al. 2015",
)
LIST_PRECISION = _mean_over_questions(
    "list_precision",
    "list precision",
    lambda gold, run, protocol: ((row, score.precision) for row, score in list_scores(gold, run, protocol)),
    what="The share of the answers to a list question that are right (thesis: of the first ten).",
    source="Tsatsaronis et al. 2015",
)
LIST_RECALL = _mean_over_questions(
    "list_recall",
    "list recall",
    lambda gold, run, protocol: ((row, score.recall) for row, score in list_scores(gold, run, protocol)),
    what="The share of the gold entries of a list question that the answers name (thesis: the first ten).",
    source="Tsatsaronis et al. 2015",
)
LIST_F1 = _mean_over_questions(
    "list_f1",
    "list F1",
    lambda gold, run, protocol: ((row, score.f1) for row, score in list_scores(gold, run, protocol)),
    what="The harmonic mean of precision and recall of a list question; the mean is over questions.",
    source="Tsatsaronis et al. 2015",
)
YESNO_ACCURACY = _mean_over_questions(
    "yesno_accuracy",
    "yes/no accuracy",
    lambda gold, run, protocol: (
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
        unit="percent",
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
