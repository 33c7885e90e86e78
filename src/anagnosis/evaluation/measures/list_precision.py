"""List precision of BioASQ: the share of the first ten answers to a list question that are right."""

from __future__ import annotations

from anagnosis.datasets.kinds.question import LIST
from anagnosis.evaluation.measures.free_answers import listed, mean_over_questions

LIST_PRECISION = mean_over_questions(
    "list_precision",
    "list precision",
    LIST,
    lambda entries, answers: listed(entries, answers).precision,
    what="The share of the first ten answers to a list question that are right.",
    source="Tsatsaronis et al. 2015",
)
