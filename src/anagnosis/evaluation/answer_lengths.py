"""How long the answers of a system are beside the right ones, where answers are compared as texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.answer_texts import answered
from anagnosis.evaluation.systems import System


@dataclass(frozen=True, slots=True)
class AnswerLengths:
    """Means, in white-space words. predicted: of the answers, None where there are none; right: of the hidden texts."""

    predicted: float | None
    right: float


def answer_lengths(gold: Gold, system: System, protocol: str, rows: Longs) -> AnswerLengths | None:
    """Over the instances `rows`, and over all runs; None where answers are not compared as texts."""
    wanted = set(rows.tolist())
    predicted: list[float] = []
    right: list[int] = []
    for run in system.runs if gold.exact is not None and not gold.labels else ():
        for row, texts, every in answered(gold, run, protocol):
            if row in wanted:
                right.append(len(every[0].split()))
                if texts:
                    predicted.append(float(np.mean([len(text.split()) for text in texts])))
    if not right:
        return None
    return AnswerLengths(float(np.mean(predicted)) if predicted else None, float(np.mean(right)))
