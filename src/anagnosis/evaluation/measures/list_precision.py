"""List precision of BioASQ: the share of the answers to a list question that are right."""

from __future__ import annotations

from anagnosis.evaluation.measures.free_answers import mean_over_questions
from anagnosis.evaluation.phase_b.columns import list_scores

LIST_PRECISION = mean_over_questions(
    "list_precision",
    "list precision",
    lambda gold, run, protocol: ((row, score.precision) for row, score in list_scores(gold, run, protocol)),
    what="The share of the answers to a list question that are right (thesis: of the first ten).",
    source="Tsatsaronis et al. 2015",
)
