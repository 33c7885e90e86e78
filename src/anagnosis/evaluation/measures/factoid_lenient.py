"""Lenient accuracy of BioASQ: whether one of the first five answers to a factoid question is right."""

from __future__ import annotations

from anagnosis.datasets.kinds.question import FACTOID
from anagnosis.evaluation.measures.free_answers import factoid, mean_over_questions

FACTOID_LENIENT = mean_over_questions(
    "factoid_lenient",
    "lenient accuracy",
    FACTOID,
    lambda entries, answers: factoid(entries, answers).lenient,
    what="Whether one of the first five answers to a factoid question is right.",
    source="Tsatsaronis et al. 2015",
)
