"""List recall of BioASQ: the share of the gold entries of a list question that the first ten answers name."""

from __future__ import annotations

from anagnosis.datasets.kinds.question import LIST
from anagnosis.evaluation.measures.free_answers import listed, mean_over_questions

LIST_RECALL = mean_over_questions(
    "list_recall",
    "list recall",
    LIST,
    lambda entries, answers: listed(entries, answers).recall,
    what="The share of the gold entries of a list question that the first ten answers name.",
    source="Tsatsaronis et al. 2015",
)
