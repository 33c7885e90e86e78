"""What people and their groups show on a number of questions, by a model of two levels: questions and people.

Each answer is right or wrong. With accuracy p, an answer's variance is v = p (1 - p). Two people of a group disagree on
the share d of the questions (one is right, the other wrong), so that their answers correlate by r = 1 - d / (2 v): hard
questions are hard for both. People of two groups are taken to correlate alike, since they answer the same questions;
people and a system not at all, which asks for more questions rather than fewer. The accuracies of people scatter by s.

A difference is shown by the two tests that decide in `agreement`. For these people: a question's difference between
groups of a people each has the variance 2 v (1 - r) / a (`power.py`). For other people: the accuracy of a person on n
questions has the variance s² + v (1 - r) / n (`over_runs_power.py`). Both hold where one pair is tested; Holm's
correction for several asks for more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

from anagnosis.errors import InputError
from anagnosis.evaluation.differences.over_runs_power import ExpectedRuns
from anagnosis.evaluation.differences.power import POWER, between_means, detectable
from anagnosis.evaluation.intervals import wilson

CORRELATION = 1 / 3  # of the answers of two people, where no disagreement is expected
_ROUNDED = 1e-9  # by which a number that somebody wrote may miss the bound that we print

Share = Annotated[float, msgspec.Meta(gt=0, lt=1, description="a share above 0 and below 1, such as 0.25")]
Scatter = Annotated[
    float, msgspec.Meta(ge=0, lt=0.5, description="a share from 0 to under 0.5, such as 0.05")
]
Kappa = Annotated[float, msgspec.Meta(gt=-1, lt=1, description="a number above -1 and below 1, such as 0.7")]


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """What is expected of people and of a system, as shares of the questions.

    accuracy: of people. disagreement: the questions on which one of two people of a group is right and the other wrong
    (default: as many as let their answers correlate by 1/3). scatter: the standard deviation of people's accuracies, if
    each answered very many questions. kappa: of two people of a group (default: two who are both wrong give the same
    answer half of the time). system: the accuracy of a system (default: that of people).

    The defaults are near BIOMRC's experts (Tables 4 and 5: 61.67 to 85.00 % right, kappa .70 to .72). Two experts with
    30 questions tell nothing of the scatter; .05 says that two people of three are within 5 points of their mean.
    """

    accuracy: Share = 0.75
    disagreement: Share | None = None
    scatter: Scatter = 0.05
    kappa: Kappa | None = None
    system: Share | None = None


@dataclass(frozen=True, slots=True)
class StudyModel:
    """Of groups of so many people on n questions. correlation: r, of the answers of two people. chance: see `kappa`.

    Differences are the smallest that are found with the chance `power`, None where none that can be is.
    """

    accuracy: float
    disagreement: float
    scatter: float
    system: float
    kappa: float
    correlation: float
    chance: float

    @classmethod
    def of(cls, expected: Expected, chance: float) -> StudyModel:
        """chance: the agreement of two people who answer at random as often as each answer is right.

        InputError: expectations that contradict each other.
        """
        p = expected.accuracy
        variance = p * (1 - p)
        apart = expected.disagreement
        if apart is None:
            apart = 2 * variance * (1 - CORRELATION)
        if apart > 2 * variance * (1 + _ROUNDED):
            raise InputError(
                f"people who are right on {p:g} of the questions disagree on {2 * variance:.3g} of them if they answer "
                f"independently, not on {apart:g}",
                "--expect",
                f"expect a disagreement of {2 * variance:.3g} at most, or an accuracy nearer to 0.5",
            )
        both_right, both_wrong = p - apart / 2, 1 - p - apart / 2
        kappa = expected.kappa
        if kappa is None:
            kappa = _kappa(both_right + both_wrong / 2, chance)
        least, most = _kappa(both_right, chance), _kappa(both_right + both_wrong, chance)
        if chance < 1 and not least - _ROUNDED <= kappa <= most + _ROUNDED:
            raise InputError(
                f"two people who are right on {p:g} of the questions and disagree on {apart:.3g} have a kappa from "
                f"{least:.3g} to {most:.3g}, not {kappa:g}",
                "--expect",
                "expect a kappa between these, or another accuracy or disagreement",
            )
        return cls(
            accuracy=p,
            disagreement=apart,
            scatter=expected.scatter,
            system=p if expected.system is None else expected.system,
            kappa=kappa,
            correlation=max(1 - apart / (2 * variance), 0.0),
            chance=chance,
        )

    @property
    def _variance(self) -> float:
        return self.accuracy * (1 - self.accuracy)

    @property
    def _own(self) -> float:
        """Of a person's answer, what no other person shares."""
        return self._variance * (1 - self.correlation)

    def half_width(self, people: int, n: int) -> float:
        """Wilson's, with as many independent answers as the mean of these people is worth."""
        worth = n / (self.correlation + (1 - self.correlation) / people)
        found = wilson(self.accuracy, worth)
        return (found.high - found.low) / 2

    def groups_these(self, people: int, n: int, power: float = POWER) -> float | None:
        if people == 1:
            return self._between_groups(detectable(n, self.disagreement, power=power).difference)
        return self._between_groups(between_means(n, self._own * 2 / people, power=power))

    def groups_others(self, people: int, n: int, power: float = POWER) -> float | None:
        if people == 1:
            return None
        runs = ExpectedRuns(people, self._of_a_person(n), self._own / n, 0.0, n)
        return self._between_groups(runs.detectable(power=power))

    def system_these(self, people: int, n: int, power: float = POWER) -> float | None:
        p, q = self.accuracy, self.system
        if people == 1:
            apart = p * (1 - q) + q * (1 - p)
            return self._beside_a_system(detectable(n, apart, power=power).difference)
        of_group = self._variance * (self.correlation + (1 - self.correlation) / people)
        return self._beside_a_system(between_means(n, of_group + q * (1 - q), power=power))

    def system_others(self, people: int, n: int, power: float = POWER) -> float | None:
        if people == 1:
            return None
        questions = (self.correlation * self._variance + self.system * (1 - self.system)) / n
        runs = ExpectedRuns(people, self._of_a_person(n), self._own / n, questions, n, fixed=True)
        return self._beside_a_system(runs.detectable(power=power))

    def _of_a_person(self, n: int) -> float:
        """The variance of people's accuracies on n questions, the same for all."""
        return self.scatter**2 + self._own / n

    def _between_groups(self, difference: float | None) -> float | None:
        """Two groups lie on both sides of the accuracy, and none is right on more than all questions."""
        return _possible(difference, 2 * min(self.accuracy, 1 - self.accuracy))

    def _beside_a_system(self, difference: float | None) -> float | None:
        return _possible(difference, max(self.accuracy, 1 - self.accuracy))


def _possible(difference: float | None, most: float) -> float | None:
    return None if difference is None or difference > most else difference


def _kappa(observed: float, chance: float) -> float:
    """Cohen's, 0 where all answers are the same."""
    return 0.0 if chance == 1 else (observed - chance) / (1 - chance)
