"""What changes over the order in which people answer: do they get better, do they get faster?

`place` is the place of a question in a person's own order. Orders are drawn for each person, so that a hard question
comes early for one and late for another, and place is not confounded with the question. Where everybody has the same
order it is, and `same_order` says so. A study's places are parted into thirds, of which tables show values and times.
The trend is a slope inside people over places (`slopes.py`), of each measure that has a value for each question, and of
log seconds. Changes are over ten places. None is called a trend unless its p-value, corrected for the groups, is small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from anagnosis.array_types import Bools, Codes, Floats, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.differences import ranked_pairs
from anagnosis.evaluation.differences.power import ALPHA
from anagnosis.evaluation.intervals import Estimate, Interval
from anagnosis.evaluation.people.groups import PeopleOfGroup, title
from anagnosis.evaluation.people.pooling import MeasuredPerson, pooled_values
from anagnosis.evaluation.people.slopes import Points, Slope, slope
from anagnosis.evaluation.people.times import Spent, spent
from anagnosis.predictions import Matched

SECONDS = "seconds"
STEP = 10  # places for which a slope is given
PARTS = 3


@dataclass(frozen=True, slots=True)
class Third:
    """A group's answers at the places first … last. measures: of all of them together. spent: their seconds."""

    who: str
    first: int
    last: int
    answers: int
    measures: dict[str, Estimate]
    spent: Spent | None


@dataclass(frozen=True, slots=True)
class Trend:
    """of: a measure, or "seconds". change: over ten places, in the measure, or the factor of the seconds.

    interval: for these people. p_these, p_others: that there is none, for these people and for others, None of one
    person. holm_these, holm: of p_these and of the larger one, corrected for the groups.
    """

    who: str
    of: str
    people: int
    answers: int
    change: float
    interval: Interval
    p_these: float
    p_others: float | None
    holm_these: float
    holm: float


@dataclass(frozen=True, slots=True)
class Order:
    """thirds: of each group. trends: of groups. same_order: whether several people had one order.

    without_place: answers whose lines do not say it.
    """

    thirds: tuple[Third, ...]
    trends: tuple[Trend, ...]
    same_order: bool
    without_place: int
    alpha: float


def order(
    gold: Gold,
    groups: Sequence[PeopleOfGroup],
    measured: Sequence[MeasuredPerson],
    asked: Longs,
    *,
    alpha: float = ALPHA,
) -> Order | None:
    """measured: of all people of the groups, in their order. None where no line says its place, or only one does."""
    people = [person for group in groups for person in group.people]
    last = max((int(person.place[asked].max(initial=0)) for person in people), default=0)
    if last < 2:
        return None
    by_person = {id(own.person): own for own in measured}
    thirds: list[Third] = []
    trends: list[Trend] = []
    for group in groups:
        own = [by_person[id(person)] for person in group.people]
        who = title(group.name, len(own))
        inside = [_inside(person, asked) for person in group.people]
        thirds += _thirds(gold, who, own, inside, last)
        trends += _trends(gold, group.name, own, inside)
    without = sum(int((person.heard[asked] & (person.place[asked] == 0)).sum()) for person in people)
    return Order(tuple(thirds), _corrected(trends), _same_order(people, asked), without, alpha)


def _inside(person: Matched, asked: Longs) -> Bools:
    """bool [n]: asked, with a place."""
    found = np.zeros(len(person.place), np.bool_)
    found[asked] = person.place[asked] > 0
    return found


def _thirds(
    gold: Gold, who: str, people: Sequence[MeasuredPerson], inside: Sequence[Bools], last: int
) -> Iterator[Third]:
    ends = [round(last * part / PARTS) for part in range(PARTS + 1)]
    for before, end in pairwise(ends):
        chosen = [
            own & (one.person.place > before) & (one.person.place <= end)
            for one, own in zip(people, inside, strict=True)
        ]
        if answers := sum(int(own.sum()) for own in chosen):
            seconds = spent(gold, [one.person for one in people], chosen)
            yield Third(who, before + 1, end, answers, pooled_values(gold, people, chosen), seconds)


def _trends(
    gold: Gold, who: str, people: Sequence[MeasuredPerson], inside: Sequence[Bools]
) -> Iterator[Trend]:
    for measure in people[0].measurements:
        answers = [_values(gold, one, measure, own) for one, own in zip(people, inside, strict=True)]
        each = [own for own in answers if own is not None]
        if len(each) == len(answers) and (fitted := slope(Points.of_people(each))) is not None:
            yield _trend(who, measure, fitted, _ten_times)
    timed = [_log_seconds(gold, one.person, own) for one, own in zip(people, inside, strict=True)]
    if (fitted := slope(Points.of_people(timed))) is not None:
        yield _trend(who, SECONDS, fitted, _factor)


def _values(
    gold: Gold, one: MeasuredPerson, measure: str, inside: Bools
) -> tuple[Floats, Floats, Codes] | None:
    """Places, values and documents; None where an answer has no value of its own."""
    measured, rows = one.measurements[measure], one.rows[measure]
    if measured.credits is None:
        return None
    some = inside[rows]
    values = measured.low + measured.span * measured.credits[0][some]
    return _places(one.person, rows[some]), values, gold.document[rows[some]]


def _log_seconds(gold: Gold, person: Matched, inside: Bools) -> tuple[Floats, Floats, Codes]:
    rows = np.flatnonzero(inside & (np.nan_to_num(person.seconds) > 0))
    return _places(person, rows), np.log(person.seconds[rows]), gold.document[rows]


def _places(person: Matched, rows: Longs) -> Floats:
    return person.place[rows].astype(np.float64)


def _trend(who: str, of: str, fitted: Slope, scaled: Callable[[float], float]) -> Trend:
    """Not yet corrected."""
    ends = fitted.interval
    interval = Interval(scaled(ends.low), scaled(ends.high), ends.level, ends.method)
    return Trend(
        who,
        of,
        fitted.people,
        fitted.answers,
        scaled(fitted.value),
        interval,
        fitted.p_these,
        fitted.p_others,
        fitted.p_these,
        fitted.p,
    )


def _ten_times(value: float) -> float:
    return STEP * value


def _factor(value: float) -> float:
    """Of seconds, from a slope of their logarithms."""
    return math.exp(STEP * value)


def _corrected(trends: Sequence[Trend]) -> tuple[Trend, ...]:
    """Each measure, and the seconds, is a family of its own."""
    these, holm = (
        ranked_pairs.corrected_by_name({number: {own.of: p} for number, (own, p) in enumerate(each)})
        for each in (
            [(own, own.holm_these) for own in trends],
            [(own, own.holm) for own in trends],
        )
    )
    return tuple(
        replace(own, holm_these=these[number][own.of], holm=holm[number][own.of])
        for number, own in enumerate(trends)
    )


def _same_order(people: Sequence[Matched], asked: Longs) -> bool:
    """Whether several people answered, and each two who answered a question had it at the same place."""
    places = np.array([np.where(person.place[asked] > 0, person.place[asked], -1) for person in people])
    some = places[(places > 0).any(axis=1)]
    if len(some) < 2:
        return False
    highest = some.max(axis=0)
    return bool(((some == highest) | (some < 0)).all())
