"""The five measures of one kind of items that phase A of BioASQ asks for, by the rules of `evaluation/phase_a/`.

The protocol names the edition of the organisers' program. A question without a line is left out, as in every edition.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure, Statistics
from anagnosis.evaluation.phase_a.columns import item_scores
from anagnosis.evaluation.phase_a.figures import SMALLEST, geometric_mean, logarithm
from anagnosis.evaluation.phase_a.items import ItemScores
from anagnosis.predictions import Matched

_SOURCE = "BioASQ/Evaluation-Measures 8c8e689"


class MeasuresOfItems(NamedTuple):
    """MPrec, MRec, MF1, MAP and GMAP of the organisers' program."""

    precision: Measure
    recall: Measure
    f1: Measure
    average_precision: Measure
    geometric: Measure


def measures_of(
    kind: str, prefix: str, compared: str, *, bounded: bool = True, empty_left_out: bool = False
) -> MeasuresOfItems:
    """The measures of a kind of items, such as "documents", whose names begin with `prefix`.

    compared: in words, what two items have in common. bounded: whether precision, recall and F1 lie in [0, 1].
    empty_left_out: whether a question without retrieved items is left out.
    """
    declared = partial(
        Measure,
        kinds=("question", "evidence"),
        retrieved=True,
        left_out=("missing", "empty") if empty_left_out else ("missing",),
        counts_withheld=True,
        unit="number",
        ties="by the order on the line",
        missing="left out; of a line without such items 0" if not empty_left_out else "left out",
        withheld="organisers-9: left out; earlier editions: 0",
        source=_SOURCE,
    )
    lowest, highest = (0.0, 1.0) if bounded else (-math.inf, math.inf)

    def mean(value: Callable[[ItemScores], float]) -> Callable[[Gold, Matched, str], Floats]:
        def values(gold: Gold, run: Matched, protocol: str) -> Floats:
            of_instances = np.full(len(gold), np.nan)
            for row, scores in item_scores(gold, run, protocol, kind):
                of_instances[row] = value(scores)
            return of_instances

        return values

    def geometric(gold: Gold, run: Matched, protocol: str) -> Statistics:
        columns = np.zeros((len(gold), 2))
        for row, scores in item_scores(gold, run, protocol, kind):
            columns[row] = logarithm(scores.average_precision), 1.0
        return Statistics(columns, _geometric_means, columns[:, 1] > 0)

    return MeasuresOfItems(
        declared(
            name=f"{prefix}_precision",
            title=f"{prefix} precision",
            what=f"The share of the retrieved {kind} that is gold, by {compared}; a mean over questions.",
            values=mean(lambda scores: scores.precision),
            lowest=lowest,
            highest=highest,
        ),
        declared(
            name=f"{prefix}_recall",
            title=f"{prefix} recall",
            what=f"The share of the gold {kind} that was retrieved, by {compared}; a mean over questions.",
            values=mean(lambda scores: scores.recall),
            lowest=lowest,
            highest=highest,
        ),
        declared(
            name=f"{prefix}_f1",
            title=f"{prefix} F1",
            what=f"The harmonic mean of precision and recall of {kind}; a mean over questions.",
            values=mean(lambda scores: scores.f1),
            lowest=lowest,
            highest=highest,
        ),
        declared(
            name=f"{prefix}_map",
            title=f"{prefix} MAP",
            what=f"Average precision of {kind}, which may pass 1; a mean over questions.",
            values=mean(lambda scores: _or_zero(scores.average_precision)),
            lowest=lowest,
            highest=math.inf,
        ),
        declared(
            name=f"{prefix}_gmap",
            title=f"{prefix} GMAP",
            what=f"The geometric mean over questions of average precision of {kind}, plus 0.00001.",
            statistics=geometric,
            lowest=SMALLEST,
            highest=math.inf,
        ),
    )


def _or_zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value


def _geometric_means(sums: Floats) -> Floats:
    """Of sums of logarithms and of ones […, 2]; NaN where nothing is counted."""
    flat = np.reshape(sums, (-1, 2)).tolist()
    found = [geometric_mean(logarithms, size) if size else math.nan for logarithms, size in flat]
    return np.reshape(np.array(found), np.shape(sums)[:-1])
