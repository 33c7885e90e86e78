"""Strict accuracy of BioASQ: whether the first answer to a factoid question is right."""

from __future__ import annotations

from anagnosis.evaluation.measures.free_answers import mean_over_questions
from anagnosis.evaluation.phase_b.columns import factoid_scores

FACTOID_STRICT = mean_over_questions(
    "factoid_strict",
    "strict accuracy",
    lambda gold, run, protocol: ((row, score.strict) for row, score in factoid_scores(gold, run, protocol)),
    what="Whether the first answer to a factoid question is right.",
    source="Tsatsaronis et al. 2015",
)
