"""What people and their groups show on a number of questions, by a model of two levels: questions and people.

Each answer is right or wrong. With accuracy p, an answer's variance is v = p (1 - p). Two people of a group disagree on
the share d of the questions (one is right, the other wrong), so that their answers correlate by r = 1 - d / (2 v): hard
questions are hard for both. People of two groups are taken to correlate alike, since they answer the same questions;
people and a system not at all, which asks for more questions rather than fewer. The accuracies of people scatter by s.

The smallest difference that is shown four times in five is that of the two tests by which `agreement` decides: for
these people Connor's solution (`power.py`), where a question's difference between groups of a people each has the
variance 2 v (1 - r) / a, for other people the test of `over_runs.py`, given people who scatter as they are expected to,
by √(s² + v (1 - r) / n) on n questions. Both hold where one pair is tested; Holm's correction for more asks for more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np

from anagnosis.array_types import Floats
from anagnosis.errors import InputError
from anagnosis.evaluation.differences.over_runs import over_runs
from anagnosis.evaluation.differences.power import between_means, detectable
from anagnosis.evaluation.intervals import wilson

Share = Annotated[float, msgspec.Meta(gt=0, lt=1, description="a share above 0 and below 1, such as 0.25")]
Scatter = Annotated[
    float, msgspec.Meta(ge=0, lt=0.5, description="a share from 0 to under 0.5, such as 0.05")
]


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """What is expected of people and of a system, as shares of the questions.

    accuracy: of people. disagreement: the questions on which one of two people of a group is right and the other wrong.
    scatter: the standard deviation of the accuracies of people, were they asked endless questions. kappa: of two people
    of a group. system: the accuracy of a system (default: that of people).

    The defaults are near BIOMRC's experts (Tables 4 and 5: 61.67 to 85.00 % right, kappa .70 to .72). Two experts with
    30 questions tell nothing of the scatter; .05 says that two people of three are within 5 points of their mean.
    """

    accuracy: Share = 0.75
    disagreement: Share = 0.25
    scatter: Scatter = 0.05
    kappa: Share = 0.7
    system: Share | None = None


@dataclass(frozen=True, slots=True)
class StudyModel:
    """Of groups of so many people on n questions. correlation: r, of the answers of two people.

    Differences are the smallest that are shown four times in five, None where none is.
    """

    expected: Expected
    correlation: float

    @classmethod
    def of(cls, expected: Expected) -> StudyModel:
        """InputError: expectations that contradict each other."""
        variance = expected.accuracy * (1 - expected.accuracy)
        if expected.disagreement > 2 * variance * (1 + 1e-9):  # as it is written, rounded
            raise InputError(
                f"people who are right on {expected.accuracy:g} of the questions disagree on {2 * variance:.3g} of "
                f"them if they answer independently, not on {expected.disagreement:g}",
                "--expect",
                f"expect a disagreement of {2 * variance:.3g} at most, or an accuracy nearer to 0.5",
            )
        return cls(expected, max(1 - expected.disagreement / (2 * variance), 0.0))

    @property
    def _variance(self) -> float:
        return self.expected.accuracy * (1 - self.expected.accuracy)

    @property
    def _own(self) -> float:
        """Of a person's answer, what no other person shares."""
        return self._variance * (1 - self.correlation)

    @property
    def _system(self) -> float:
        expected = self.expected
        return expected.accuracy if expected.system is None else expected.system

    def half_width(self, people: int, n: int) -> float:
        """Wilson's, with as many independent answers as the mean of these people is worth."""
        worth = n / (self.correlation + (1 - self.correlation) / people)
        found = wilson(self.expected.accuracy, worth)
        return (found.high - found.low) / 2

    def groups_these(self, people: int, n: int) -> float | None:
        if people == 1:
            return detectable(n, self.expected.disagreement).difference
        return between_means(n, self._own * 2 / people)

    def system_these(self, people: int, n: int) -> float | None:
        p, q = self.expected.accuracy, self._system
        if people == 1:
            return detectable(n, p * (1 - q) + q * (1 - p)).difference
        return between_means(
            n, self._variance * (self.correlation + (1 - self.correlation) / people) + q * (1 - q)
        )

    def groups_others(self, people: int, n: int) -> float | None:
        if people == 1:
            return None
        values = self._values(people, n)
        covariance = self._of_people(2 * people, n)
        return _others(values, values, covariance, n, fixed=(False, False))

    def system_others(self, people: int, n: int) -> float | None:
        if people == 1:
            return None
        covariance = np.zeros((people + 1, people + 1))
        covariance[:people, :people] = self._of_people(people, n)
        covariance[people, people] = self._system * (1 - self._system) / n
        return _others(self._values(people, n), np.array([self._system]), covariance, n, fixed=(False, True))

    def between_groups(self, people: int, n: int) -> float | None:
        """For these people and others, of at least two."""
        return _larger(self.groups_these(people, n), self.groups_others(people, n))

    def beside_system(self, people: int, n: int) -> float | None:
        return _larger(self.system_these(people, n), self.system_others(people, n))

    def _values(self, people: int, n: int) -> Floats:
        """Accuracies that scatter exactly as those of so many people are expected to."""
        places = np.arange(people) - (people - 1) / 2
        scatter = math.sqrt(self.expected.scatter**2 + self._own / n)
        return self.expected.accuracy + scatter * places / places.std(ddof=1)

    def _of_people(self, people: int, n: int) -> Floats:
        """float64 [people, people]: how their accuracies vary together over other questions."""
        covariance = np.full((people, people), self.correlation * self._variance / n)
        np.fill_diagonal(covariance, self._variance / n)
        return covariance


def _others(
    first: Floats, second: Floats, covariance: Floats, n: int, *, fixed: tuple[bool, bool]
) -> float | None:
    found = over_runs(first, second, covariance, n, fixed=fixed)
    return None if found is None else found.detectable


def _larger(these: float | None, others: float | None) -> float | None:
    return None if these is None or others is None else max(these, others)
