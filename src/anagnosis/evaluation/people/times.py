"""Seconds that people spend on a question, and whether right answers come sooner than wrong ones.

A group's mean is the mean of its people's means; its median is that of all their answers. The interval of a mean counts
documents, not answers, as independent, and is taken on the scale of logarithms, exp(log mean ± t · error / mean): times
are skewed, so that mean ± t · error, or percentiles of a bootstrap, hold the mean less often than they promise
(design/people.md has the counts).

The time of right answers against wrong ones is the ratio of their geometric means inside people (`slopes.py` on log
seconds), so that a slow person who is often right changes nothing. Answers of 0 seconds have no logarithm and are left
out there. Questions that are hard take long and go wrong: the ratio says how they occur together, not that haste spoils
answers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Bools, Codes, Floats, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.differences import ranked_pairs
from anagnosis.evaluation.differences.power import ALPHA
from anagnosis.evaluation.intervals import LEVEL, Interval
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people.groups import PeopleOfGroup, title
from anagnosis.evaluation.people.slopes import Points, Slope, slope
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


@dataclass(frozen=True, slots=True)
class RightAndWrong:
    """ratio: the time of right answers over that of wrong ones; interval: for these people.

    answers: right and wrong ones with a time; left_out: of 0 seconds. p_these, p_others: that it is 1, for these people
    and for others, None of one person. holm_these, holm: of p_these and of the larger one, corrected for the groups.
    """

    who: str
    people: int
    answers: int
    left_out: int
    ratio: float
    interval: Interval
    p_these: float
    p_others: float | None
    holm_these: float
    holm: float


@dataclass(frozen=True, slots=True)
class Times:
    """timings: of groups of several, then of people. right_and_wrong: of groups."""

    timings: tuple[Timing, ...]
    right_and_wrong: tuple[RightAndWrong, ...]
    alpha: float


def times(gold: Gold, groups: Sequence[PeopleOfGroup], asked: Longs, *, alpha: float = ALPHA) -> Times | None:
    """None where no time is noted."""
    inside = np.zeros(len(gold), np.bool_)
    inside[asked] = True
    if not any((np.isfinite(person.seconds) & inside).any() for group in groups for person in group.people):
        return None
    timings: list[Timing] = []
    for group in groups:
        if len(group.people) > 1:
            timings += _timing(gold, title(group.name, len(group.people)), group.name, group.people, inside)
    for group in groups:
        for person, name in zip(group.people, group.names, strict=True):
            timings += _timing(gold, name, group.name, [person], inside)
    return Times(tuple(timings), _right_and_wrong(gold, groups, inside), alpha)


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


def _timing(gold: Gold, who: str, group: str, people: Sequence[Matched], inside: Bools) -> list[Timing]:
    every = spent(gold, people, [inside] * len(people))
    if every is None:
        return []
    right, judged = _right(gold, people), inside & (gold.answer >= 0)
    silent = [person.choice == UNANSWERED for person in people]
    parts = (
        [own & judged for own in right],
        [~own & ~none & judged for own, none in zip(right, silent, strict=True)],
        [none & judged for none in silent],
    )
    return [Timing(who, group, len(people), every, *(spent(gold, people, part) for part in parts))]


def _right(gold: Gold, people: Sequence[Matched]) -> list[Bools]:
    return [named("accuracy").of_instances(gold, person, "answer") == 1 for person in people]


def _right_and_wrong(gold: Gold, groups: Sequence[PeopleOfGroup], inside: Bools) -> tuple[RightAndWrong, ...]:
    found: dict[str, tuple[Slope, int]] = {}
    for group in groups:
        answers: list[tuple[Floats, Floats, Codes]] = []
        left_out = 0
        for person, right in zip(group.people, _right(gold, group.people), strict=True):
            own = inside & (gold.answer >= 0) & (person.choice != UNANSWERED) & np.isfinite(person.seconds)
            left_out += int((own & (person.seconds == 0)).sum())
            rows = np.flatnonzero(own & (person.seconds > 0))
            answers.append(
                (right[rows].astype(np.float64), np.log(person.seconds[rows]), gold.document[rows])
            )
        if (fitted := slope(Points.of_people(answers))) is not None:
            found[group.name] = fitted, left_out
    these = ranked_pairs.corrected({name: fitted.p_these for name, (fitted, _) in found.items()})
    holm = ranked_pairs.corrected({name: fitted.p for name, (fitted, _) in found.items()})
    return tuple(
        RightAndWrong(
            who=name,
            people=fitted.people,
            answers=fitted.answers,
            left_out=left_out,
            ratio=math.exp(fitted.value),
            interval=_exponentiated(fitted.interval),
            p_these=fitted.p_these,
            p_others=fitted.p_others,
            holm_these=these[name],
            holm=holm[name],
        )
        for name, (fitted, left_out) in found.items()
    )


def _exponentiated(interval: Interval) -> Interval:
    return Interval(math.exp(interval.low), math.exp(interval.high), interval.level, interval.method)
