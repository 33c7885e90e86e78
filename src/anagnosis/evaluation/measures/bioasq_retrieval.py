"""Measures of the documents and snippets that a system retrieves for BioASQ's phase A.

The rules are those of `evaluation/phase_a.py`. A question without a line or without gold items is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure, Statistics
from anagnosis.evaluation.phase_a import ItemScores, scores_of_questions
from anagnosis.predictions import Matched

_SMALLEST = 0.00001  # added to each average precision before its logarithm
_SOURCE = "BioASQ/Evaluation-Measures 8c8e689"


# figure → its name in tables, what it is, its value of one question
_MEANS: dict[str, tuple[str, str, Callable[[ItemScores], float]]] = {
    "precision": (
        "precision",
        "The share of the retrieved {kind} that is gold, by {compared}; a mean over questions.",
        lambda scores: scores.precision,
    ),
    "recall": (
        "recall",
        "The share of the gold {kind} that was retrieved, by {compared}; a mean over questions.",
        lambda scores: scores.recall,
    ),
    "f1": (
        "F1",
        "The harmonic mean of precision and recall of {kind}; a mean over questions.",
        lambda scores: scores.f1,
    ),
    "map": (
        "MAP",
        "Average precision of {kind}, which may pass 1; a mean over questions.",
        lambda scores: 0.0 if math.isnan(scores.average_precision) else scores.average_precision,
    ),
}


def _measures_of(
    kind: str, prefix: str, compared: str, *, bounded: bool = True
) -> tuple[Measure, Measure, Measure, Measure, Measure]:
    """MPrec, MRec, MF1, MAP and GMAP of a kind of items, such as "documents", whose names begin with `prefix`.

    compared: in words, what two items have in common. bounded: whether precision, recall and F1 lie in [0, 1].
    """
    declared = partial(
        Measure,
        kinds=("question", "evidence"),
        retrieved=True,
        unit="number",
        source=_SOURCE,
    )
    lowest, highest = (0.0, 1.0) if bounded else (-math.inf, math.inf)

    def mean(figure: str) -> Measure:
        name, what, value = _MEANS[figure]

        def values(gold: Gold, run: Matched, protocol: str) -> list[tuple[int, float]]:
            return [(row, value(scores)) for row, scores in scores_of_questions(gold, run, kind)]

        return declared(
            name=f"{prefix}_{figure}",
            title=f"{prefix} {name}",
            what=what.format(kind=kind, compared=compared),
            values=values,
            lowest=lowest,
            highest=math.inf if figure == "map" else highest,
        )

    def geometric(gold: Gold, run: Matched, protocol: str) -> Statistics:
        columns = np.zeros((len(gold), 2))
        for row, scores in scores_of_questions(gold, run, kind):
            columns[row] = _logarithm(scores.average_precision), 1.0
        return Statistics(columns, _geometric_means, columns[:, 1] > 0)

    of_all = declared(
        name=f"{prefix}_gmap",
        title=f"{prefix} GMAP",
        what=f"The geometric mean over questions of average precision of {kind}, plus 0.00001.",
        statistics=geometric,
        lowest=_SMALLEST,
        highest=math.inf,
    )
    return mean("precision"), mean("recall"), mean("f1"), mean("map"), of_all


def _logarithm(average_precision: float) -> float:
    """What GMAP is the mean of; 0 for NaN, as in the program."""
    return 0.0 if math.isnan(average_precision) else math.log(average_precision + _SMALLEST)


def _geometric_means(sums: Floats) -> Floats:
    """Of sums of logarithms and of ones […, 2]; NaN where nothing is counted.

    0 where logarithms sum to 0, as those of snippets do where all are NaN.
    """
    flat = np.reshape(sums, (-1, 2)).tolist()
    found = [(math.exp(total / size) if total else 0.0) if size else math.nan for total, size in flat]
    return np.reshape(np.array(found), np.shape(sums)[:-1])


DOCUMENT_PRECISION, DOCUMENT_RECALL, DOCUMENT_F1, DOCUMENT_MAP, DOCUMENT_GMAP = _measures_of(
    "documents", "document", "addresses"
)
SNIPPET_PRECISION, SNIPPET_RECALL, SNIPPET_F1, SNIPPET_MAP, SNIPPET_GMAP = _measures_of(
    "snippets", "snippet", "characters", bounded=False
)
