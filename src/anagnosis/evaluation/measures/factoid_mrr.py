"""MRR of BioASQ: one by the rank of the first right answer to a factoid question, of the first five."""

from __future__ import annotations

from anagnosis.datasets.kinds.question import FACTOID
from anagnosis.evaluation.measures.free_answers import factoid, mean_over_questions

FACTOID_MRR = mean_over_questions(
    "factoid_mrr",
    "MRR",
    FACTOID,
    lambda entries, answers: factoid(entries, answers).reciprocal_rank,
    what="One by the rank of the first right answer to a factoid question, of the first five.",
    unit="number",
    source="Tsatsaronis et al. 2015",
)
