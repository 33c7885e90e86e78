"""How many questions and people a study needs, and what it will show, before it starts (`study_model.py`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.differences.power import ALPHA, POWER
from anagnosis.evaluation.intervals import LEVEL
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people.study_model import Expected, StudyModel
from anagnosis.evaluation.scoring import judged_rows
from anagnosis.notebook import WithReport

QUESTIONS = (20, 30, 50, 100, 200, 500, 1000)
PEOPLE = (1, 2, 3, 5, 10, 20)
DIFFERENCES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4)
FEWEST_QUESTIONS, MOST_QUESTIONS = 20, 10_000  # of fewer, single questions decide
_OF_BOTH = (
    1 - (1 - POWER) / 2
)  # that one of two tests finds it, so that both do with the chance POWER at least
_DIGITS = 4  # of a difference, which is a share; .1 must not miss .1


@dataclass(frozen=True, slots=True)
class StudySize:
    """What so many questions and so many people in each group show.

    accuracy: half the width of the 95 % interval of a group's accuracy, for other questions. kappa: of the kappa of two
    people, None of one person and where all right answers are the same. The others are smallest differences that are
    shown four times in five, None where none is: between two such groups, and between a group and a system, for these
    people and for others.
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
    """To show a difference for these people and for others, four times in five or more; None where 10,000 do not."""

    difference: float
    people: int
    groups: int | None
    system: int | None


@dataclass(frozen=True, slots=True, repr=False)
class StudyPlan(WithReport):
    """questions: with a gold answer in the split. expected: by name, all of `Expected`.

    sources: of each, "default", "pilot" or "given". pilot: people whose answers gave expectations, 0 of none.
    correlation: of the answers of two people. chance: the agreement by chance of two people who answer as often as each
    answer is right in the split.
    """

    dataset: str
    split: str
    questions: int
    expected: dict[str, float]
    sources: dict[str, str]
    pilot: int
    correlation: float
    chance: float
    alpha: float
    power: float
    sizes: tuple[StudySize, ...]
    needed: tuple[QuestionsNeeded, ...]


def plan_study(
    gold: Gold, expected: Expected, *, dataset: str, pilot: int = 0, sources: Mapping[str, str] | None = None
) -> StudyPlan:
    """The tables of `QUESTIONS`, `PEOPLE` and `DIFFERENCES`.

    InputError: expectations that contradict each other, a split without right answers.
    """
    rows = judged_rows(gold, named("accuracy"))
    _, counts = np.unique(gold.key[gold.starts[rows] + gold.answer[rows]], return_counts=True)
    model = StudyModel.of(expected, float(np.sum((counts / counts.sum()) ** 2)))
    fields = ("accuracy", "disagreement", "scatter", "kappa", "system")
    return StudyPlan(
        dataset=dataset,
        split=gold.split,
        questions=len(rows),
        expected={name: getattr(model, name) for name in fields},
        sources={name: (sources or {}).get(name, "default") for name in fields},
        pilot=pilot,
        correlation=model.correlation,
        chance=model.chance,
        alpha=ALPHA,
        power=POWER,
        sizes=tuple(_size(model, n, people) for n in QUESTIONS for people in PEOPLE),
        needed=tuple(own for people in PEOPLE if people > 1 for own in needed_by(model, people)),
    )


def needed_by(model: StudyModel, people: int) -> Iterator[QuestionsNeeded]:
    """The questions that each of `DIFFERENCES` needs, with so many people in each group, two or more."""
    groups = _shown_by_both(model.groups_these, model.groups_others, people)
    system = _shown_by_both(model.system_these, model.system_others, people)
    for difference in DIFFERENCES:
        yield QuestionsNeeded(difference, people, _fewest(difference, groups), _fewest(difference, system))


def _size(model: StudyModel, n: int, people: int) -> StudySize:
    return StudySize(
        n,
        people,
        model.half_width(people, n),
        None if people == 1 else _kappa_half_width(model.kappa, model.chance, n),
        model.groups_these(people, n),
        model.groups_others(people, n),
        model.system_these(people, n),
        model.system_others(people, n),
    )


def _kappa_half_width(kappa: float, chance: float, n: int) -> float | None:
    """Cohen's large-sample error (1960), with as much agreement by chance as right answers have. None of one answer."""
    if chance == 1:
        return None
    observed = chance + kappa * (1 - chance)
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    return z * math.sqrt(observed * (1 - observed) / n) / (1 - chance)


def _shown_by_both(
    these: Callable[[int, int, float], float | None],
    others: Callable[[int, int, float], float | None],
    people: int,
) -> Callable[[int], float | None]:
    """The difference that n questions show by both tests."""

    @cache
    def shown(n: int) -> float | None:
        found = these(people, n, _OF_BOTH), others(people, n, _OF_BOTH)
        return None if found[0] is None or found[1] is None else max(found[0], found[1])

    return shown


def _fewest(difference: float, shows: Callable[[int], float | None]) -> int | None:
    """The fewest questions with which no larger difference is needed. More questions never show less."""

    def enough(n: int) -> bool:
        least = shows(n)
        return least is not None and round(least, _DIGITS) <= difference

    if not enough(MOST_QUESTIONS):
        return None
    low, high = FEWEST_QUESTIONS - 1, MOST_QUESTIONS  # not enough, or fewer than are planned for; enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
