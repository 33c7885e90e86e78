"""List precision of BioASQ: the share of the first ten answers to a list question that are right."""

from __future__ import annotations

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import LIST
from anagnosis.evaluation.measures import free_answers
from anagnosis.evaluation.measures.measure import Floats, Measure
from anagnosis.predictions import Matched


def values(gold: Gold, run: Matched, protocol: str) -> Floats:
    """float64 [instances], NaN for questions of other types and without an exact answer."""
    return free_answers.values(
        gold, run, LIST, lambda entries, answers: free_answers.listed(entries, answers).precision
    )


LIST_PRECISION = Measure(
    name="list_precision",
    title="list precision",
    what="The share of the first ten answers to a list question that are right.",
    kinds=("question",),
    values=values,
    free=True,
    unit="percent",
    ties="by the order of the answers on the line",
    missing="0",
    withheld="left out, as are questions of other types",
    source="Tsatsaronis et al. 2015",
)
