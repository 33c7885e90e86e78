"""Is a submission what a board takes? All its faults, before it is uploaded, on a dataset without answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.files import display_name
from anagnosis.leaderboard.entries import Entry, entry
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.hidden_splits import withheld_splits
from anagnosis.leaderboard.ledger import read
from anagnosis.leaderboard.ledger_chain import LedgerLine
from anagnosis.leaderboard.ledger_check import LedgerCheck, ledger_check
from anagnosis.leaderboard.submission import Submission, file_faults, submission
from anagnosis.paths import PathLike
from anagnosis.wording import counted


@dataclass(frozen=True, slots=True)
class EntryCheck:
    """faults: each a line. files: predictions file → the dataset and split that it answers, empty where none.

    notes: file → what is counted there and does no harm, by name (predictions/problems.py). seen: of each hidden split,
    in words, when a ledger has the entry first; without a ledger empty.
    """

    name: str
    faults: tuple[str, ...]
    files: dict[str, str]
    notes: dict[str, dict[str, int]]
    seen: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether a board takes it."""
        return not self.faults


def check(
    path: PathLike,
    datasets: Sequence[Dataset],
    today: date,
    recent: int | None = None,
    *,
    ledger: PathLike | None = None,
    per_month: int = 2,
) -> EntryCheck:
    """path: the folder of a submission, or one predictions file. today: no entry may be dated later.

    recent: by how many days an entry may be dated earlier, so that nobody enters for a month that is past and escapes
    the limit of this one; None for any; an entry that the ledger has may have any date. ledger: of the board, which is
    not written; an entry over the limit of `per_month` on a split that a dataset withholds is a fault.
    """
    place, golds = Path(path), Golds(tuple(datasets))
    if not (place.is_dir() or place.is_file()):
        raise InputError(
            "no such file or folder", str(path), "name a submission's folder or a predictions file"
        )
    if place.is_file():
        for option, given, lacks in (("--ledger", ledger, "team"), ("--recent", recent, "date")):
            if given is not None:
                what = f"a file alone names no {lacks}, which {option} asks for"
                raise InputError(what, str(path), "name the folder with its system.toml")
    lines = None if ledger is None else _read(ledger, golds, today)
    if place.is_dir():
        found = entry(submission(place, today), golds)
        of_ledger = LedgerCheck()
        if lines is not None and not found.faults:
            of_ledger = ledger_check(found, golds, lines, per_month, today)
        late = [] if recent is None or of_ledger.is_known else _late(found.submission, today, recent)
        checked = _checked(found)
        return replace(checked, faults=(*checked.faults, *late, *of_ledger.faults), seen=of_ledger.seen)
    called = display_name(place)
    # As the only file of a submission, of which system.toml is not known.
    alone = Submission(place.parent, None, (place,), tuple(file_faults(place)))
    return replace(_checked(entry(alone, golds)), name=called)


def _read(ledger: PathLike, golds: Golds, today: date) -> list[LedgerLine]:
    """The lines of a ledger. Refused (InputError): no dataset withholds a split, so that nothing is limited."""
    if not withheld_splits(golds.datasets):
        what = "no dataset withholds the answers of a split, so no entry is limited"
        raise InputError(what, "--ledger", "give the public copy to --dataset")
    return read(ledger, today)


def _late(made: Submission, today: date, recent: int) -> list[str]:
    """The fault of an entry that is dated too long ago."""
    if made.system is None or (today - made.system.date).days <= recent:
        return []
    return [
        f"system.toml: date: {made.system.date} is more than {counted(recent, 'day')} before today, {today}"
    ]


def _checked(found: Entry) -> EntryCheck:
    made: Submission = found.submission
    notes = {
        file: {name: problem.count for name, problem in problems.items()}
        for file, problems in found.notes.items()
        if problems
    }
    return EntryCheck(made.shown, found.faults, dict(found.answered), notes)
