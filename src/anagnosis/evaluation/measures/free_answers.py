"""What the measures of free answers to BioASQ's questions declare alike: a mean over the questions of one type.

The protocol says how answers are read and compared, how many count, and which questions are left out
(`evaluation/phase_b/rules.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure, Unit
from anagnosis.predictions import Matched

Scored = Iterable[tuple[int, float]]  # (row, value in [0, 1]) of each question that counts

# What all measures of free answers declare alike; each adds its name, its value, and its source.
declared = partial(
    Measure,
    kinds=("question",),
    free=True,
    ties="by the order of the answers on the line",
    missing="wrong; organisers-9: left out; earlier editions of the organisers' program: refused",
    withheld="left out, as are questions of other types; editions 2 to 8 of the program: refused if answered",
)


def mean_over_questions(
    name: str,
    title: str,
    scored: Callable[[Gold, Matched, str], Scored],
    *,
    what: str,
    source: str,
    unit: Unit = "percent",
) -> Measure:
    """A measure whose value of a split is the mean over the questions of one type. scored: under a protocol.

    Questions that do not count have NaN.
    """

    def values(gold: Gold, run: Matched, protocol: str) -> Floats:
        of_instances = np.full(len(gold), np.nan)
        for row, value in scored(gold, run, protocol):
            of_instances[row] = value
        return of_instances

    return declared(name=name, title=title, what=what, values=values, unit=unit, source=source)
