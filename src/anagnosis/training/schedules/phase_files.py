"""The folder of a schedule, before its first phase and after its last."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.checksums import write_checked_json
from anagnosis.io.folders import refuse_foreign, refuse_other_files
from anagnosis.progress import tell
from anagnosis.training.phases import NAMES, PhaseOf
from anagnosis.training.replicates import refuse_others
from anagnosis.training.run_files import WORK, foreign, remove_whole
from anagnosis.training.runs.phase_folder import PHASES, Phases, read_phases


def claim_phases(
    folder: Path, schedule: str, plan: Sequence[PhaseOf], folds: int | None, *, replace: bool
) -> None:
    """Before the training, empty the folder if `replace`. InputError: it holds another schedule or other files.

    folds: so many runs of each phase that differs by fold; None without folds.
    """
    known = {*NAMES, PHASES, WORK}
    refuse_other_files(folder, lambda entry: entry.name in known or entry.match(".*.part"))
    there = [name for name in NAMES if (folder / name).is_dir()]
    if replace and there:
        refuse_foreign(folder, (f"{name}/{one}" for name in there for one in foreign(folder / name)))
        (folder / PHASES).unlink(missing_ok=True)  # first: an interrupted removal leaves no finished schedule
        for name in there:
            remove_whole(folder / name)
        tell(f"{folder}: the old phases are removed")
    if (folder / PHASES).exists() and (there := read_phases(folder).schedule) != schedule:
        raise InputError(
            f"holds the schedule {there}", str(folder), "choose another folder for --out, or give --replace"
        )
    for phase in plan:
        if folds is not None and phase.by_fold:
            refuse_others(folder / phase.name, "fold")


def finish_phases(folder: Path, phases: Phases) -> None:
    """Write phases.json, and remove what only the training needed."""
    write_checked_json(folder / PHASES, phases)
    shutil.rmtree(folder / WORK, ignore_errors=True)
