"""A leaderboard as records: what `build` prints with `--json`, and what its pages show.

    Board          everything
    Part           a dataset, a split and a view: systems are compared within it and never across
    Standing       a part by one measure: the ranking, people, baselines without reading, the progress
    Result         one system on one part: its figures and their breakdowns
    BoardSystem    one submission

Numbers of a hidden split are coarse in the records already (disclosure.py), so that nothing that prints them can tell
more. Shares are fractions.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from anagnosis.leaderboard.system_file import SystemFile
from anagnosis.showing import WithReport


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its 95 % interval. n: instances. signature: what the number is of; empty where another has it."""

    value: float
    low: float
    high: float
    n: int
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """The instances of one label of a factor. figures: by name of the measure."""

    label: str
    n: int
    figures: dict[str, Figure]


@dataclass(frozen=True, slots=True)
class FactorBreakdown:
    """A result by one factor. left_out: instances in groups of a hidden split that are too small to be shown."""

    factor: str
    groups: tuple[Group, ...]
    left_out: int = 0

    @property
    def measures(self) -> list[str]:
        """The measures of any group."""
        return [*dict.fromkeys(name for group in self.groups for name in group.figures)]

    def by(self, measure: str) -> list[Figure]:
        """The figures of the groups by that measure, where they have one."""
        return [group.figures[measure] for group in self.groups if measure in group.figures]


@dataclass(frozen=True, slots=True)
class Gain:
    """What a system has beyond the best reader that does not read.

    verdict: "better" or "worse" where a paired test shows it, else "tied". hard: its value on the hard subset, None
    where there is none.
    """

    over: str
    difference: Figure
    verdict: str
    hard: Figure | None


@dataclass(frozen=True, slots=True)
class Result:
    """A system on a part. figures, gains: by name of the measure. problems: lines that do not fit, counted by name.

    files: names of the predictions files, each a run. trained_on: instances that it was trained on, in the mean of its
    runs; None where nobody said. dated_before: share of the dated instances whose paper is not newer than the training
    cut-off, None where either is unknown or its reader is not trained. parameters: trainable ones.
    """

    submission: str
    figures: dict[str, Figure]
    gains: dict[str, Gain]
    breakdowns: tuple[FactorBreakdown, ...]
    problems: dict[str, int]
    files: tuple[str, ...]
    trained_on: float | None
    dated_before: float | None
    parameters: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A system in a ranking. ranks: the best and the worst that the tests leave open, from 1; None for the only system.

    Where a system has several runs, these tests ask what other runs would show, too. ranks_of_runs: those that remain
    with these runs alone, as of a system with one. runs: how many it has. against_next: "better", "tied" or "identical"
    to the system below; empty for the last; runs_against_next: the same of these runs alone. holm: the corrected p of
    against_next, None on a hidden split.
    """

    submission: str
    ranks: tuple[int, int] | None
    ranks_of_runs: tuple[int, int] | None
    runs: int
    figure: Figure
    against_next: str
    runs_against_next: str
    holm: float | None
    hard: Figure | None


@dataclass(frozen=True, slots=True)
class PeopleRow:
    """People of one group, by their answers. value: the mean of theirs, on the instances that anybody was asked."""

    submission: str
    group: str
    people: int
    figure: Figure


@dataclass(frozen=True, slots=True)
class ShortcutRow:
    """A reader that does not read. figure: None where it is undefined."""

    reader: str
    looks_at: str
    figure: Figure | None


@dataclass(frozen=True, slots=True)
class Step:
    """A system by date. best: the best of its date, and shown to be better than the best one before."""

    date: datetime.date
    submission: str
    figure: Figure
    best: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A part by one measure.

    family: the pairs that the tests are corrected for. too_few_draws: how many swaps were drawn, where more of them
    might tell systems apart that share ranks; else None. hard: instances that no reader without reading points at, of
    the n of each figure; None where there are no such readers. signature: of the comparison, or of the only system.
    """

    measure: str
    protocol: str
    rows: tuple[Row, ...]
    people: tuple[PeopleRow, ...]
    shortcuts: tuple[ShortcutRow, ...]
    hard: int | None
    progress: tuple[Step, ...]
    family: int
    alpha: float
    too_few_draws: int | None
    signature: str


@dataclass(frozen=True, slots=True)
class Part:
    """dataset: its title on the board. view: empty where the systems say none. hidden: whether its answers are.

    dates: of the first and the last paper of the split, as the dataset has them; empty where it has none.
    """

    dataset: str
    kind: str
    split: str
    view: str
    hidden: bool
    instances: int
    fingerprint: str
    dates: tuple[str, ...]
    standings: tuple[Standing, ...]
    results: tuple[Result, ...]


class BoardSystem(SystemFile, frozen=True, kw_only=True, omit_defaults=False):
    """A submission: what its system.toml says. submission: the name of its folder. people: whether people answered."""

    submission: str
    people: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """A submission that is not scored. faults: each a line."""

    submission: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OtherDatasets:
    """Predictions files of a submission, by name, that were made for datasets that the board does not have."""

    submission: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OverLimit:
    """A submission that is not scored on a hidden split, since its team has entered enough that month."""

    submission: str
    team: str
    date: datetime.date
    dataset: str
    split: str


@dataclass(frozen=True, slots=True, repr=False)
class Board(WithReport):
    """per_month: entries of a team on a hidden split in a calendar month; None where nothing is hidden."""

    systems: tuple[BoardSystem, ...]
    parts: tuple[Part, ...]
    refused: tuple[Refused, ...]
    over_limit: tuple[OverLimit, ...]
    other_datasets: tuple[OtherDatasets, ...]
    per_month: int | None
    version: str

    def system(self, submission: str) -> BoardSystem:
        """The system of that submission."""
        return next(system for system in self.systems if system.submission == submission)
