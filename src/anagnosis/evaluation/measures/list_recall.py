"""List recall of BioASQ: the share of the gold entries of a list question that the answers name."""

from __future__ import annotations

from anagnosis.evaluation.measures.free_answers import mean_over_questions
from anagnosis.evaluation.phase_b.columns import list_scores

LIST_RECALL = mean_over_questions(
    "list_recall",
    "list recall",
    lambda gold, run, protocol: ((row, score.recall) for row, score in list_scores(gold, run, protocol)),
    what="The share of the gold entries of a list question that the answers name (thesis: the first ten).",
    source="Tsatsaronis et al. 2015",
)
