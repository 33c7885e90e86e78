"""List F1 of BioASQ: the harmonic mean of precision and recall of a list question; the mean is over questions."""

from __future__ import annotations

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import LIST
from anagnosis.evaluation.measures import free_answers
from anagnosis.evaluation.measures.measure import Floats, Measure
from anagnosis.predictions import Matched


def values(gold: Gold, run: Matched, protocol: str) -> Floats:
    """float64 [instances], NaN for questions of other types and without an exact answer."""
    return free_answers.values(
        gold, run, LIST, lambda entries, answers: free_answers.listed(entries, answers).f1
    )


LIST_F1 = Measure(
    name="list_f1",
    title="list F1",
    what="The harmonic mean of precision and recall of a list question; the mean is over questions.",
    kinds=("question",),
    values=values,
    free=True,
    unit="percent",
    ties="by the order of the answers on the line",
    missing="0",
    withheld="left out, as are questions of other types",
    source="Tsatsaronis et al. 2015",
)
