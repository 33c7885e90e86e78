"""Does a number of each answer change with another one, inside people: accuracy with place, time with being right?

    slope = sum of (x - mean of the person's x) (y - mean of the person's y) / sum of (x - mean of the person's x)²

so that a slow person, or a good one, changes nothing. Its error is that of the jackknife: the slope is computed again
without each document, and without each person, with Student's t on one fewer than there are of them. The error over
documents holds for these people and other questions: a question that several of them answered counts once. That over
people holds for other people. The larger p-value decides. One person alone has only the first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Bools, Codes, Floats
from anagnosis.evaluation.intervals import LEVEL, Interval


@dataclass(frozen=True, slots=True)
class Slope:
    """value: of y for 1 of x; interval: for these people. people: whose x varies; answers: theirs.

    p_these: two-tailed, for these people; p_others: for other people, None of one person.
    """

    value: float
    interval: Interval
    p_these: float
    p_others: float | None
    people: int
    answers: int

    @property
    def p(self) -> float:
        """The one that decides."""
        return max(self.p_these, self.p_others or 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Answers: x and y, whose answer it is, to a question of which document."""

    x: Floats
    y: Floats
    people: Codes
    documents: Codes

    @classmethod
    def of_people(cls, each: Sequence[tuple[Floats, Floats, Codes]]) -> Points:
        """each: x, y and documents of each person."""
        return cls(
            np.concatenate([x for x, _, _ in each]),
            np.concatenate([y for _, y, _ in each]),
            np.repeat(np.arange(len(each)), [len(x) for x, _, _ in each]),
            np.concatenate([documents for _, _, documents in each]),
        )

    def of(self, chosen: Bools) -> Points:
        """Some of them."""
        return Points(self.x[chosen], self.y[chosen], self.people[chosen], self.documents[chosen])


def slope(points: Points, *, level: float = LEVEL) -> Slope | None:
    """None where x varies inside nobody, or where leaving out a document or person leaves no slope."""
    from scipy.special import stdtrit

    with_slope = [own for own in np.unique(points.people) if np.ptp(points.x[points.people == own]) > 0]
    points = points.of(np.isin(points.people, with_slope))
    if not with_slope:
        return None
    value = float(_slopes(_sums(points)[None])[0])
    error, freedom = _error(points, points.documents)
    between, people = _error(points, points.people) if len(with_slope) > 1 else (0.0, 0)
    if not (math.isfinite(error) and math.isfinite(between)):
        return None
    half = error * float(stdtrit(freedom, (1 + level) / 2))
    return Slope(
        value,
        Interval(value - half, value + half, level, "jackknife of documents"),
        _p(value, error, freedom),
        _p(value, between, people) if people else None,
        len(with_slope),
        len(points.x),
    )


def _p(value: float, error: float, freedom: int) -> float:
    from scipy.special import stdtr

    if error == 0:
        return float(value == 0)
    return min(1.0, 2 * float(stdtr(freedom, -abs(value) / error)))


def _error(points: Points, units: Codes) -> tuple[float, int]:
    """The jackknife's error without each unit, and its degrees of freedom; not finite where a slope is lacking."""
    units = np.unique(units, return_inverse=True)[1]
    count = int(units.max()) + 1
    if count < 2:
        return math.nan, 0
    whole = _sums(points)
    places = np.unique(points.people, return_inverse=True)[1]
    without = np.repeat(whole[None], count, axis=0)  # [units, 5, people]
    for number, term in enumerate(_terms(points)):
        np.subtract.at(without[:, number], (units, places), term)
    slopes = _slopes(without)
    return float(np.sqrt((count - 1) / count * np.sum((slopes - slopes.mean()) ** 2))), count - 1


def _terms(points: Points) -> tuple[Floats, ...]:
    x, y = points.x, points.y
    return np.ones_like(x), x, y, x * x, x * y


def _sums(points: Points) -> Floats:
    """float64 [5, people]: of 1, x, y, x² and xy."""
    places = np.unique(points.people, return_inverse=True)[1]
    return np.array([np.bincount(places, term) for term in _terms(points)], np.float64)


def _slopes(sums: Floats) -> Floats:
    """float64 [k] of sums [k, 5, people]; NaN where x varies inside nobody."""
    n, x, y, xx, xy = np.moveaxis(sums, 1, 0)
    n = np.maximum(np.rint(n), 1)  # where nobody's answers are left, all sums are 0
    spread, together = (xx - x * x / n).sum(axis=1), (xy - x * y / n).sum(axis=1)
    found = np.full(len(sums), np.nan)
    enough = spread > 1e-9 * np.maximum(xx.sum(axis=1), 1)
    found[enough] = together[enough] / spread[enough]
    return found
