"""List F1 of BioASQ: the harmonic mean of precision and recall of a list question; the mean is over questions."""

from __future__ import annotations

from anagnosis.datasets.kinds.question import LIST
from anagnosis.evaluation.measures.free_answers import listed, mean_over_questions

LIST_F1 = mean_over_questions(
    "list_f1",
    "list F1",
    LIST,
    lambda entries, answers: listed(entries, answers).f1,
    what="The harmonic mean of precision and recall of a list question; the mean is over questions.",
    source="Tsatsaronis et al. 2015",
)
