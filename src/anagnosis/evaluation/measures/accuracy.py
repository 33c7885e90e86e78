"""Accuracy: is the candidate that was answered the right one (BIOMRC, section 3.2).

A protocol (evaluation/protocols.py) says what was answered. *expected*: the candidate with the highest score; if k
share it, the gold one among them, the credit is 1/k, the expectation of choosing one of them at random, as BIOMRC's and
BioRead's baselines do; a line without scores counts by its answer. All others: the answer on the line, whatever the
scores. Unanswered is wrong.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.errors import unknown_name
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.predictions import Matched


def credits(gold: Gold, matched: Matched, protocol: str) -> Floats:
    """The credit of each instance, 0 to 1: the right answer, or its share of a tie at the top.

    float64 [n]; 0 where the answer is wrong or missing.
    """
    if protocol not in PROTOCOLS:
        raise unknown_name("protocol", protocol, PROTOCOLS)
    return PROTOCOLS[protocol](gold, matched)


def answer(gold: Gold, matched: Matched) -> Floats:
    """1 where the answer on the line is the gold one."""
    return ((matched.choice == gold.answer) & (gold.answer >= 0)).astype(np.float64)


def expected(gold: Gold, matched: Matched) -> Floats:
    """1/k where the gold answer is among the k candidates with the highest score."""
    shared = matched.on_top / np.maximum(matched.tied, 1)
    return np.where(matched.tied > 0, shared, answer(gold, matched))


PROTOCOLS: dict[str, Callable[[Gold, Matched], Floats]] = {
    "expected": expected,
    "answer": answer,
    "fixed": answer,
    "official": answer,
    "as-published": answer,
}

ACCURACY = Measure(
    name="accuracy",
    what="The credit of each instance, 0 to 1: the right answer, or its share of a tie at the top.",
    kinds=("cloze", "decision", "question"),
    values=credits,
    unit="percent",
    source="BIOMRC, section 3.2",
)
