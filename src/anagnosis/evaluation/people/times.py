"""Seconds that people spend on a question: all of them, and those of right, wrong and unanswered ones.

A group's mean is the mean of its people's means; its median is that of all their answers. The interval of a mean counts
documents, not answers, as independent, and is taken on the scale of logarithms, exp(log mean ± t · error / mean): times
are skewed, so that mean ± t · error, or percentiles of a bootstrap, hold the mean less often than they promise
(design/people.md has the counts).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Bools, Codes, Floats, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.intervals import LEVEL, Interval
from anagnosis.evaluation.measures.accuracy import credits as accuracy
from anagnosis.evaluation.people.groups import PeopleOfGroup, groups_then_people
from anagnosis.predictions import UNANSWERED, Matched

LEAST_DOCUMENTS = 3  # from there on a mean has an interval


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of some answers. interval: of the mean, None of too few documents."""

    answers: int
    median: float
    mean: float
    interval: Interval | None
    total: float


@dataclass(frozen=True, slots=True)
class Timing:
    """A group, or one person. right, wrong, unanswered: of questions with a gold answer; None where there is none."""

    who: str
    group: str
    people: int
    all: Spent
    right: Spent | None
    wrong: Spent | None
    unanswered: Spent | None


def times(gold: Gold, groups: Sequence[PeopleOfGroup], asked: Longs) -> tuple[Timing, ...]:
    """Of groups of several, then of people; none where no time is noted."""
    inside = np.zeros(len(gold), np.bool_)
    inside[asked] = True
    if not any((np.isfinite(person.seconds) & inside).any() for group in groups for person in group.people):
        return ()
    timings = (_timing(gold, *of, inside) for of in groups_then_people(groups))
    return tuple(timing for timing in timings if timing is not None)


def spent(gold: Gold, people: Sequence[Matched], chosen: Sequence[Bools]) -> Spent | None:
    """chosen: for each person bool [n], which answers count. None where none of them has a time."""
    timed = [own & np.isfinite(person.seconds) for person, own in zip(people, chosen, strict=True)]
    some = [(person.seconds, own) for person, own in zip(people, timed, strict=True) if own.any()]
    if not some:
        return None
    every = np.concatenate([seconds[own] for seconds, own in some])
    means = [float(seconds[own].mean()) for seconds, own in some]
    influence = np.zeros(len(gold))
    for (seconds, own), mean in zip(some, means, strict=True):
        influence[own] += (seconds[own] - mean) / own.sum() / len(some)
    mean = float(np.mean(means))
    union: Bools = np.any([own for _, own in some], axis=0)
    return Spent(
        answers=len(every),
        median=float(np.median(every)),
        mean=mean,
        interval=_interval(mean, influence[union], gold.document[union]),
        total=math.fsum(every.tolist()),
    )


def _interval(mean: float, influence: Floats, documents: Codes) -> Interval | None:
    """influence: of each question on the mean."""
    from scipy.special import stdtrit

    sums = np.bincount(np.unique(documents, return_inverse=True)[1], influence)
    count = len(sums)
    if count < LEAST_DOCUMENTS or mean == 0:
        return None
    error = math.sqrt(count / (count - 1) * float(np.sum(sums**2)))
    by = math.exp(float(stdtrit(count - 1, (1 + LEVEL) / 2)) * error / mean)
    return Interval(mean / by, mean * by, LEVEL, "t on logarithms, by document")


def _timing(gold: Gold, who: str, group: str, people: Sequence[Matched], inside: Bools) -> Timing | None:
    every = spent(gold, people, [inside] * len(people))
    if every is None:
        return None
    right = [accuracy(gold, person, "answer") == 1 for person in people]
    judged = inside & (gold.answer >= 0)
    silent = [person.choice == UNANSWERED for person in people]
    parts = (
        [own & judged for own in right],
        [~own & ~none & judged for own, none in zip(right, silent, strict=True)],
        [none & judged for none in silent],
    )
    return Timing(who, group, len(people), every, *(spent(gold, people, part) for part in parts))
