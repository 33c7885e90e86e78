"""Accuracy of BioASQ's yes/no questions.

A text says yes if it holds "yes" in any case, else no if it holds "no", else neither, as the organisers' program
BioASQ/Evaluation-Measures reads it.
"""

from __future__ import annotations

from anagnosis.evaluation.measures.free_answers import mean_over_questions
from anagnosis.evaluation.phase_b.columns import decisions

YESNO_ACCURACY = mean_over_questions(
    "yesno_accuracy",
    "yes/no accuracy",
    lambda gold, run, protocol: (
        (row, float(right == answer)) for row, right, answer in decisions(gold, run, protocol)
    ),
    what="Whether the answer to a yes/no question is right.",
    source="BioASQ/Evaluation-Measures",
)
