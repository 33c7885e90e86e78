"""Lenient accuracy of BioASQ: whether one of the first five answers to a factoid question is right."""

from __future__ import annotations

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import FACTOID
from anagnosis.evaluation.measures import free_answers
from anagnosis.evaluation.measures.measure import Floats, Measure
from anagnosis.predictions import Matched


def values(gold: Gold, run: Matched, protocol: str) -> Floats:
    """float64 [instances], NaN for questions of other types and without an exact answer."""
    return free_answers.values(
        gold, run, FACTOID, lambda entries, answers: free_answers.factoid(entries, answers).lenient
    )


FACTOID_LENIENT = Measure(
    name="factoid_lenient",
    title="lenient accuracy",
    what="Whether one of the first five answers to a factoid question is right.",
    kinds=("question",),
    values=values,
    free=True,
    unit="percent",
    ties="by the order of the answers on the line",
    missing="0",
    withheld="left out, as are questions of other types",
    source="Tsatsaronis et al. 2015",
)
