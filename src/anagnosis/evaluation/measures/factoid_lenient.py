"""Lenient accuracy of BioASQ: whether one of the answers to a factoid question that count is right."""

from __future__ import annotations

from anagnosis.evaluation.measures.free_answers import mean_over_questions
from anagnosis.evaluation.phase_b.columns import factoid_scores

FACTOID_LENIENT = mean_over_questions(
    "factoid_lenient",
    "lenient accuracy",
    lambda gold, run, protocol: ((row, score.lenient) for row, score in factoid_scores(gold, run, protocol)),
    what="Whether one of the answers to a factoid question that count is right (thesis: of the first five).",
    source="Tsatsaronis et al. 2015",
)
