"""MRR of BioASQ: one by the rank of the first right answer to a factoid question."""

from __future__ import annotations

from anagnosis.evaluation.measures.free_answers import mean_over_questions
from anagnosis.evaluation.phase_b.columns import factoid_scores

FACTOID_MRR = mean_over_questions(
    "factoid_mrr",
    "MRR",
    lambda gold, run, protocol: (
        (row, score.reciprocal_rank) for row, score in factoid_scores(gold, run, protocol)
    ),
    what="One by the rank of the first right answer to a factoid question, 0 without one.",
    unit="number",
    source="Tsatsaronis et al. 2015",
)
