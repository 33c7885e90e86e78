"""List F1 of BioASQ: the harmonic mean of precision and recall of a list question; the mean is over questions."""

from __future__ import annotations

from anagnosis.evaluation.measures.free_answers import mean_over_questions
from anagnosis.evaluation.phase_b.columns import list_scores

LIST_F1 = mean_over_questions(
    "list_f1",
    "list F1",
    lambda gold, run, protocol: ((row, score.f1) for row, score in list_scores(gold, run, protocol)),
    what="The harmonic mean of precision and recall of a list question; the mean is over questions.",
    source="Tsatsaronis et al. 2015",
)
