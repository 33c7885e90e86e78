"""Accuracy of BioASQ's yes/no questions.

A text says yes if it holds "yes" in any case, else no if it holds "no", else neither, as the organisers' program
BioASQ/Evaluation-Measures reads it.
"""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import YESNO
from anagnosis.evaluation.measures import free_answers
from anagnosis.evaluation.measures.measure import Floats, Measure
from anagnosis.predictions import Matched

YES, NO = "yes", "no"


def decided(answers: Sequence[str]) -> str:
    """YES, NO, or "" for neither: of the first answer."""
    lower = answers[0].lower() if answers else ""
    return next((label for label in (YES, NO) if label in lower), "")


def values(gold: Gold, run: Matched, protocol: str) -> Floats:
    """float64 [instances], NaN for questions of other types and without an exact answer."""
    return free_answers.values(
        gold, run, YESNO, lambda entries, answers: float(decided(entries[0]) == decided(answers))
    )


YESNO_ACCURACY = Measure(
    name="yesno_accuracy",
    title="yes/no accuracy",
    what="Whether the answer to a yes/no question is right.",
    kinds=("question",),
    values=values,
    free=True,
    unit="percent",
    ties="by the order of the answers on the line",
    missing="0",
    withheld="left out, as are questions of other types",
    source="BioASQ/Evaluation-Measures",
)
