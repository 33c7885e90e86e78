"""A system is one or several runs on the same split, such as trainings from several seeds.

More runs say more of what a system earns on a question, but they are no further questions: values are averaged over
runs before intervals are computed (run_measurements.py). How far the runs are apart is reported beside them. It enters
no interval; it enters the test that decides between two systems (`over_runs.py`).

What several measures read of a run is computed once (`kept_with_run`), and let go with the run or its gold side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import count
from statistics import fmean
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.io.counts import Counts
from anagnosis.predictions import Matched, Problem
from anagnosis.predictions.notes import ModelNote, Note, TrainingNote
from anagnosis.predictions.problems import OF_CANDIDATES, problems_found

T = TypeVar("T")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Training:
    """What Table 3 says of a system besides accuracy; None where nobody said. seconds: of one epoch.

    epochs and seconds of several runs are means. parameters: trainable ones. instances: those of train that it was
    trained on. reader: its name; settings: SHA-256 of its recipe but for the seed and what a machine has room for. None
    where runs differ.
    """

    epochs: float | None = None
    seconds: float | None = None
    parameters: int | None = None
    instances: int | None = None
    reader: str | None = None
    settings: str | None = None

    @classmethod
    def of(cls, runs: Sequence[TrainingNote]) -> Training:
        """runs: the note of each, at least one."""
        alike = ("parameters", "instances", "reader", "settings")
        return cls(
            _mean([run.epochs for run in runs]),
            _mean([run.seconds for run in runs]),
            **{name: _same([getattr(run, name) for run in runs]) for name in alike},
        )


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """runs: matched with the same split; none before they are read. folds: whether they are of one cross validation.
    people: whether they are those of people.

    untrained: whether its reader is not trained, so that further runs would only repeat these. place: among the
    systems that the user gave. view: what it saw; training: of its runs; None where nobody reported it. faults: why its
    training is not shown where something was reported. unread: the faults of its notes. notes: of each run as it was
    given, empty where it has none.
    """

    name: str
    runs: tuple[Matched, ...]
    folds: bool = False
    untrained: bool = False
    place: int = 0
    view: str | None = None
    training: Training | None = None
    faults: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    people: bool = False

    def is_fixed_beside(self, other: System) -> bool:
        """Whether its one run is taken as it stands: it never varies, or it varies as the other's runs do not, since
        how people vary says nothing of trainings.
        """
        return len(self.runs) == 1 and (self.untrained or self.people != other.people)

    @property
    def language_models(self) -> tuple[ModelNote, ...]:
        """How the model of each run was asked; none where no model was."""
        return tuple(note.language_model for note in self.notes if note.language_model is not None)

    @classmethod
    def alone(cls, run: Matched) -> System:
        """The system or person of a single file, called as its lines or its name say."""
        return cls(run.annotator or run.name, (run,))


def runs_of(files: Sequence[Matched], gold: Gold, name: str) -> tuple[Matched, ...]:
    """The runs of a system, one a file. name: of the system. InputError: they do not answer the same ids."""
    lines = np.array([each.has_line for each in files])
    differing = np.flatnonzero(lines.any(axis=0) != lines.all(axis=0))
    if not len(differing):
        return tuple(files)
    row = int(differing[0])
    having, lacking = (next(each for each in files if each.has_line[row] == has) for has in (True, False))
    example = f"{gold.ids.between(row, row + 1)[0]} is in {having.name}, not in {lacking.name}"
    what = f"its {len(files)} files do not answer the same ids ({example})"
    raise InputError(
        what, name, "give runs with the same ids in each; join the parts of a run into a file first"
    )


def problems_of(system: System, *, free: bool = False, decides: bool = False) -> dict[str, Problem]:
    """What of the files did not fit, counted over all runs; where there are several, an id says in which.

    free: by measures of texts alone, to which it is no problem that an answer is no candidate's key. People
    miss lines of what they were not asked. decides: of fixed labels, of which a rule need not take the most probable.
    """
    tally = Counts()
    runs = enumerate(system.runs, 1)
    for number, name, problem in ((number, *item) for number, run in runs for item in run.problems.items()):
        for place, example in enumerate(problem.first):
            tally.add(name, f"{example} (run {number})", 0 if place else problem.count)
    found = system.runs[0].problems if len(system.runs) == 1 else problems_found(tally)
    passed_over = {*(OF_CANDIDATES if free else ()), *(["missing"] if system.people else ())}
    passed_over |= {"answer_not_on_top"} if decides else set()
    return {name: problem for name, problem in found.items() if name not in passed_over}


def distinct_names(systems: Iterable[System]) -> list[str]:
    """The names, numbered from the second of a kind on: a file can be compared with itself."""
    found: list[str] = []
    for system in systems:
        copies = (f"{system.name} ({number})" for number in count(2))
        found.append(
            system.name if system.name not in found else next(copy for copy in copies if copy not in found)
        )
    return found


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None


def _same(values: Sequence[T | None]) -> T | None:
    return values[0] if len(set(values)) == 1 else None


def kept_with_run(compute: Callable[..., Value]) -> Callable[..., Value]:
    """A function of (gold, run, names…) that keeps its values; they must refer neither to `gold` nor to `run`."""
    kept: WeakKeyDictionary[Matched, WeakKeyDictionary[Gold, dict[tuple[str, ...], Value]]] = (
        WeakKeyDictionary()
    )

    @wraps(compute)
    def remembered(gold: Gold, run: Matched, *names: str) -> Value:
        values = kept.setdefault(run, WeakKeyDictionary()).setdefault(gold, {})
        if names not in values:
            values[names] = compute(gold, run, *names)
        return values[names]

    return remembered
