"""How long the answers of a system are beside the right ones, where answers are compared as texts."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.answer_texts import answered
from anagnosis.evaluation.systems import System


@dataclass(frozen=True, slots=True)
class AnswerLengths:
    """Means, in white-space words. predicted: of the answers, None where there are none; right: of the hidden texts."""

    predicted: float | None
    right: float


def answer_lengths(gold: Gold, system: System, protocol: str) -> AnswerLengths | None:
    """Over all runs; None where answers are not compared as texts."""
    predicted: list[float] = []
    right: list[int] = []
    for run in system.runs if gold.exact is not None and not gold.labels else ():
        for _, texts, every in answered(gold, run, protocol):
            right.append(len(every[0].split()))
            if texts:
                predicted.append(fmean(len(text.split()) for text in texts))
    return AnswerLengths(fmean(predicted) if predicted else None, fmean(right)) if right else None
