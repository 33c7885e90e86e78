"""Strict accuracy of BioASQ: whether the first answer to a factoid question is right."""

from __future__ import annotations

from anagnosis.datasets.kinds.question import FACTOID
from anagnosis.evaluation.measures.free_answers import factoid, mean_over_questions

FACTOID_STRICT = mean_over_questions(
    "factoid_strict",
    "strict accuracy",
    FACTOID,
    lambda entries, answers: factoid(entries, answers).strict,
    what="Whether the first answer to a factoid question is right.",
    source="Tsatsaronis et al. 2015",
)
