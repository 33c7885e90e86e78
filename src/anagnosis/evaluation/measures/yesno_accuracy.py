"""Accuracy of BioASQ's yes/no questions.

A text says yes if it holds "yes" in any case, else no if it holds "no", else neither, as the organisers' program
BioASQ/Evaluation-Measures reads it.
"""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.datasets.kinds.question import YESNO
from anagnosis.evaluation.measures.free_answers import mean_over_questions

YES, NO = "yes", "no"


def decided(answers: Sequence[str]) -> str:
    """YES, NO, or "" for neither: of the first answer."""
    lower = answers[0].lower() if answers else ""
    return next((label for label in (YES, NO) if label in lower), "")


YESNO_ACCURACY = mean_over_questions(
    "yesno_accuracy",
    "yes/no accuracy",
    YESNO,
    lambda entries, answers: float(decided(entries[0]) == decided(answers)),
    what="Whether the answer to a yes/no question is right.",
    source="BioASQ/Evaluation-Measures",
)
