"""Predictions of a few fixed labels, class by class: precision, recall, F1, and the confusion.

Their mean F1, macro-F1, is a measure (measures/macro_f1.py). Of several runs each figure is the mean of theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Floats, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.intervals import Interval, of_f1s
from anagnosis.evaluation.systems import System


@dataclass(frozen=True, slots=True)
class ClassScore:
    """One label: how often it is right (support) and answered, means over the runs, and what that is worth.

    interval: of its F1, by instance; None of a label that does not occur.
    """

    label: str
    support: int
    answered: float
    precision: float
    recall: float
    f1: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Classes:
    """scores: of each label.

    confusion: gold label, then the instances by answer, a mean over the runs; the answers are the labels, then whatever
    is none. strays: answers that are no label, by text.
    """

    scores: tuple[ClassScore, ...]
    confusion: tuple[tuple[str, tuple[float, ...]], ...]
    strays: dict[str, int]


@dataclass(frozen=True, slots=True)
class Majority:
    """What the commonest right label would be worth as the answer to every instance."""

    label: str
    accuracy: float
    macro_f1: float

    def of(self, measure: str) -> float | None:
        """By the measure of that name; None where it is not known."""
        return {"accuracy": self.accuracy, "macro_f1": self.macro_f1}.get(measure)

    @classmethod
    def counted(cls, supports: Mapping[str, int]) -> Majority:
        """supports: how often each label is right, at least once in all."""
        label = max(supports, key=supports.__getitem__)
        share = supports[label] / sum(supports.values())
        occurring = sum(count > 0 for count in supports.values())
        return cls(label, share, 2 * share / (1 + share) / occurring)


def classes(gold: Gold, system: System, rows: Longs) -> Classes:
    """rows: int64 [m], the instances with a gold label."""
    truth = gold.answer[rows].astype(np.int64)
    answers = [np.maximum(run.choice[rows], -1).astype(np.int64) for run in system.runs]
    labels = len(gold.labels)
    strays: dict[str, int] = {}
    for run in system.runs:
        for text, count in run.strays.items():
            strays[text] = strays.get(text, 0) + count
    table = np.mean([_confusion(truth, own, labels) for own in answers], axis=0)
    return Classes(
        scores=tuple(_class_scores(gold.labels, truth, answers)),
        confusion=tuple((label, tuple(row.tolist())) for label, row in zip(gold.labels, table, strict=True)),
        strays=strays,
    )


def majority(gold: Gold, rows: Longs) -> Majority | None:
    """rows: int64 [m], the instances with a gold label. None where instances have no labels in common."""
    if not gold.labels:
        return None
    found = np.bincount(gold.answer[rows], minlength=len(gold.labels)).tolist()
    return Majority.counted(dict(zip(gold.labels, found, strict=True)))


def _class_scores(labels: Sequence[str], truth: Longs, answers: Sequence[Longs]) -> list[ClassScore]:
    found: list[ClassScore] = []
    for code, label in enumerate(labels):
        true, said = truth == code, np.array(answers) == code
        support, answered, both = int(true.sum()), said.sum(1), (said & true).sum(1)
        precision = np.divide(both, answered, out=np.zeros(len(both)), where=answered > 0)
        recall = both / support if support else np.zeros(len(both))
        total = answered + support
        f1 = np.divide(2 * both, total, out=np.zeros(len(both)), where=total > 0)
        means = [float(each.mean()) for each in (answered, precision, recall, f1)]
        interval = of_f1s(means[-1], (said & true)[..., None], (said | true)[..., None])
        found.append(ClassScore(label, support, *means, interval=interval))
    return found


def _confusion(truth: Longs, answers: Longs, labels: int) -> Floats:
    """float64 [labels, labels + 1]: gold by answer, whatever is no label in the last column."""
    table = np.zeros((labels, labels + 1))
    np.add.at(table, (truth, np.where(answers < 0, labels, answers)), 1)
    return table
