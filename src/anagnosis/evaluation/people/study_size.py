"""How many questions and people a study needs, and what it will show, before it starts (`study_model.py`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.differences.power import ALPHA, POWER
from anagnosis.evaluation.intervals import LEVEL
from anagnosis.evaluation.people.study_model import Expected, StudyModel
from anagnosis.notebook import WithReport

QUESTIONS = (10, 20, 30, 50, 100, 200, 500, 1000)
PEOPLE = (1, 2, 3, 5, 10, 20)
DIFFERENCES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4)
MOST_QUESTIONS = 10_000


@dataclass(frozen=True, slots=True)
class StudySize:
    """What so many questions and so many people in each group show.

    accuracy: half the width of the 95 % interval of a group's accuracy, for other questions. kappa: of the kappa of two
    people, None where all right answers are the same. The others are smallest differences that are shown four times in
    five, None where none is: between two such groups, and between a group and a system, for these people and others.
    """

    questions: int
    people: int
    accuracy: float
    kappa: float | None
    groups_these: float | None
    groups_others: float | None
    system_these: float | None
    system_others: float | None


@dataclass(frozen=True, slots=True)
class QuestionsNeeded:
    """To show a difference four times in five, for these people and others; None where 10,000 questions do not."""

    difference: float
    people: int
    groups: int | None
    system: int | None


@dataclass(frozen=True, slots=True, repr=False)
class StudyPlan(WithReport):
    """questions: with a gold answer in the split. pilot: people whose answers gave the expectations, 0 of none.

    correlation: of the answers of two people, r. chance: the agreement by chance of two people who answer as often as
    each answer is right in the split.
    """

    dataset: str
    split: str
    questions: int
    expected: Expected
    pilot: int
    correlation: float
    chance: float
    alpha: float
    power: float
    sizes: tuple[StudySize, ...]
    needed: tuple[QuestionsNeeded, ...]


def plan_study(gold: Gold, expected: Expected, *, dataset: str, pilot: int = 0) -> StudyPlan:
    """The tables of `QUESTIONS`, `PEOPLE` and `DIFFERENCES`. InputError: expectations that contradict each other."""
    model = StudyModel.of(expected)
    right = gold.answer >= 0
    if not right.any():
        raise InputError(
            "no question with a gold answer",
            f"{dataset}, {gold.split}",
            "plan on another --split, such as dev",
        )
    _, counts = np.unique(gold.key[gold.starts[:-1][right] + gold.answer[right]], return_counts=True)
    chance = float(np.sum((counts / counts.sum()) ** 2))
    return StudyPlan(
        dataset=dataset,
        split=gold.split,
        questions=int(right.sum()),
        expected=expected,
        pilot=pilot,
        correlation=model.correlation,
        chance=chance,
        alpha=ALPHA,
        power=POWER,
        sizes=tuple(
            StudySize(
                n,
                people,
                model.half_width(people, n),
                _kappa_half_width(expected.kappa, chance, n),
                model.groups_these(people, n),
                model.groups_others(people, n),
                model.system_these(people, n),
                model.system_others(people, n),
            )
            for n in QUESTIONS
            for people in PEOPLE
        ),
        needed=tuple(
            QuestionsNeeded(
                difference,
                people,
                _fewest(difference, lambda n, a=people: model.between_groups(a, n)),
                _fewest(difference, lambda n, a=people: model.beside_system(a, n)),
            )
            for difference in DIFFERENCES
            for people in PEOPLE
            if people > 1
        ),
    )


def _kappa_half_width(kappa: float, chance: float, n: int) -> float | None:
    """Cohen's large-sample error (1960), with as much agreement by chance as right answers have. None of one answer."""
    if chance == 1:
        return None
    observed = chance + kappa * (1 - chance)
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    return z * math.sqrt(observed * (1 - observed) / n) / (1 - chance)


def _fewest(difference: float, shows: Callable[[int], float | None]) -> int | None:
    """The fewest questions with which no larger difference is needed. More questions never show less."""

    def enough(n: int) -> bool:
        least = shows(n)
        return least is not None and least <= difference

    if not enough(MOST_QUESTIONS):
        return None
    low, high = 1, MOST_QUESTIONS  # not enough (or never asked), enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
