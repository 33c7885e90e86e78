"""A system is one or several runs on the same split, such as trainings from several seeds.

Each question's credit is averaged over the runs first, and intervals are computed on these averages: more runs say
more of what the system earns on a question, but they are no further questions. How far the runs are apart is reported
beside it. It enters no interval; it enters the test that decides between two systems (`over_runs.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from statistics import stdev

from anagnosis.array_types import Floats
from anagnosis.predictions import Matched, Problem
from anagnosis.predictions.problems import Problems


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """runs: at least one, matched with the same split. folds: whether they are folds of one cross validation.

    untrained: whether its reader is not trained, so that further runs would only repeat these.
    """

    name: str
    runs: tuple[Matched, ...]
    folds: bool = False
    untrained: bool = False

    @property
    def fixed(self) -> bool:
        """Whether it has one run because it never varies."""
        return self.untrained and len(self.runs) == 1

    @classmethod
    def alone(cls, run: Matched) -> System:
        """The system or person of a single file, called as its lines or its name say."""
        return cls(run.annotator or run.name, (run,))


@dataclass(frozen=True, slots=True)
class Spread:
    """accuracies: the mean credit of each run. deviation: their standard deviation (n - 1), None for one run."""

    accuracies: tuple[float, ...]
    deviation: float | None


def spread(runs: Floats) -> Spread:
    """runs: the credits of each, float64 [runs, n]."""
    accuracies = tuple(math.fsum(run) / len(run) for run in runs.tolist())
    return Spread(accuracies, stdev(accuracies) if len(accuracies) > 1 else None)


def problems_of(system: System) -> dict[str, Problem]:
    """What of the files did not fit, counted over all runs; where there are several, an id says in which."""
    if len(system.runs) == 1:
        return system.runs[0].problems
    tally = Problems()
    for number, run in enumerate(system.runs, 1):
        for name, problem in run.problems.items():
            for place, example in enumerate(problem.first):
                tally.add(name, f"{example} (run {number})", 0 if place else problem.count)
    return tally.found()


def distinct_names(systems: Iterable[System]) -> list[str]:
    """The names, numbered from the second of a kind on: a file can be compared with itself."""
    found: list[str] = []
    for system in systems:
        copies = (f"{system.name} ({number})" for number in count(2))
        found.append(
            system.name if system.name not in found else next(copy for copy in copies if copy not in found)
        )
    return found
