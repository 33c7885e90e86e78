"""Is a submission what a board takes? All its faults, before it is uploaded, on a dataset without answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.io.files import display_name
from anagnosis.io.paths import PathLike
from anagnosis.leaderboard.entries import Entry, entry
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.submission import Submission, file_faults, submission
from anagnosis.showing import masked_line
from anagnosis.wording import counted


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


def check(path: PathLike, datasets: Sequence[Dataset], today: date, recent: int | None = None) -> EntryCheck:
    """path: the folder of a submission, or one predictions file. today: no entry may be dated later.

    recent: by how many days an entry may be dated earlier, so that nobody enters for a month that is past and escapes
    the limit of this one; None for any.
    """
    place, golds = Path(path), Golds(tuple(datasets))
    if not (place.is_dir() or place.is_file()):
        raise InputError(
            "no such file or folder", str(path), "name a submission's folder or a predictions file"
        )
    if place.is_dir():
        found = entry(submission(place, today), golds)
        late = [] if recent is None else _late(found.submission, today, recent)
        checked = _checked(found, golds)
        return replace(checked, faults=(*checked.faults, *late))
    if recent is not None:
        what = "a file alone names no date, which --recent asks for"
        raise InputError(what, str(path), "name the folder with its system.toml")
    called = display_name(place)
    # As the only file of a submission, of which system.toml is not known.
    alone = Submission(place.parent, None, (place,), tuple(file_faults(place)))
    return replace(_checked(entry(alone, golds), golds), name=called)


def _late(made: Submission, today: date, recent: int) -> list[str]:
    """The fault of an entry that is dated too long ago."""
    if made.system is None or (today - made.system.date).days <= recent:
        return []
    return [
        f"system.toml: date: {made.system.date} is more than {counted(recent, 'day')} before today, {today}"
    ]


def _checked(found: Entry, golds: Golds) -> EntryCheck:
    made: Submission = found.submission
    notes = {
        masked_line(file.name): {name: problem.count for name, problem in examined.notes.items()}
        for file, examined in found.examined.items()
        if examined.notes
    }
    answered = {
        masked_line(file.name): golds.called(each.place, each.split) for file, each in found.examined.items()
    }
    return EntryCheck(made.shown, found.faults, answered, notes)
