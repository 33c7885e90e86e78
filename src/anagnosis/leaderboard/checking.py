"""Is a submission what a board takes? All its faults, before it is uploaded, on a dataset without answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.files import display_name
from anagnosis.leaderboard.entries import Entry, entry
from anagnosis.leaderboard.examining import examined
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.submission import Submission, submission
from anagnosis.paths import PathLike


@dataclass(frozen=True, slots=True)
class EntryCheck:
    """faults: each a line. files: predictions file → the dataset and split that it answers, empty where none.

    notes: file → what is counted there and does no harm, by name (predictions/problems.py).
    """

    name: str
    faults: tuple[str, ...]
    files: dict[str, str]
    notes: dict[str, dict[str, int]]

    @property
    def sound(self) -> bool:
        """Whether a board takes it."""
        return not self.faults


def check(path: PathLike, datasets: Sequence[Dataset], today: date) -> EntryCheck:
    """path: the folder of a submission, or one predictions file. today: no entry may be dated later."""
    place, golds = Path(path), Golds(tuple(datasets))
    if not (place.is_dir() or place.is_file()):
        raise InputError(
            "no such file or folder", str(path), "name a submission's folder or a predictions file"
        )
    if place.is_dir():
        return _of_folder(entry(submission(place, today), golds))
    called = display_name(place)
    found = examined(place, golds, called)
    answered = golds.called(found.place, found.split)
    notes = {name: problem.count for name, problem in found.notes.items()}
    return EntryCheck(called, found.faults, {called: answered}, {called: notes} if notes else {})


def _of_folder(found: Entry) -> EntryCheck:
    made: Submission = found.submission
    notes = {
        file: {name: problem.count for name, problem in problems.items()}
        for file, problems in found.notes.items()
        if problems
    }
    return EntryCheck(made.shown, found.faults, dict(found.answered), notes)
