"""The same training several times: with other seeds, for how much of a difference is luck, or on other folds.

OUT/seed-0  OUT/seed-1 …   run folders
OUT/seeds.json             written when all are finished:
                           {"seeds": [0, 1], "dev_accuracy": [.871, .868], "mean": .8695, "deviation": .0021,
                            "levels": {"chance": .165, …}}

So are OUT/fold-0 … and OUT/folds.json of cross validation.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anagnosis.checksums import write_checked_json
from anagnosis.datasets.folder import store
from anagnosis.datasets.pubmedqa.folds import folds_of
from anagnosis.errors import InputError
from anagnosis.folders import refuse_foreign, refuse_other_files
from anagnosis.paths import PathLike
from anagnosis.progress import tell
from anagnosis.training.lock import alone_in
from anagnosis.training.loop.devices import leads
from anagnosis.training.run_files import FACTS, REPLICATES, WORK, foreign, remove_whole, taken
from anagnosis.training.runs.run import Replicates, Run
from anagnosis.training.train import train


def train_replicates(
    recipe: Mapping[str, Any],
    dataset: store.Dataset,
    out: PathLike,
    what: str,
    count: int,
    *,
    kept: Path | None = None,
    replace: bool = False,
    **options: Any,
) -> Replicates:
    """Train with the seeds, or on the folds, 0 … `count` − 1; what is finished is left, so it can be resumed and
    extended.

    what: "seed" or "fold". kept, options: those of `train`; what is computed once is computed once for all. replace:
    all runs in the folder are lost, further ones too.
    """
    folder = Path(out)
    refuse_others(folder, what)
    if what == "fold":
        folds_of(dataset)  # refuses one without folds before anything is begun
    if replace and leads():
        refuse_foreign(folder, foreign(folder))
        _remove_further(folder, what, count)
    runs: list[Run] = []
    for number in range(count):
        own = folder / f"{what}-{number}"
        tell(f"{own}:")
        given = {**recipe, "seed": number} if what == "seed" else recipe
        differs = {"fold": number} if what == "fold" else {}
        place = kept or folder / WORK / "kept"
        runs.append(train(given, dataset, own, kept=place, replace=replace, **differs, **options))
    found = Replicates(folder, what, tuple(runs))
    if leads():
        finish(found)
        shutil.rmtree(folder / WORK, ignore_errors=True)
    return found


def _remove_further(folder: Path, what: str, count: int) -> None:
    """Runs that the new training does not have would stay with the old recipe."""
    (folder / REPLICATES[what]).unlink(missing_ok=True)
    for own in folder.glob(f"{what}-*"):
        if taken(own) and int(own.name.removeprefix(f"{what}-")) >= count:
            with alone_in(own):
                pass
            remove_whole(own)
            tell(f"{own}: the run that was there is removed")


def finish(found: Replicates) -> None:
    """Write down that all runs are there, and what they reached."""
    facts = {
        f"{found.what}s": [int(run.folder.name.removeprefix(f"{found.what}-")) for run in found.runs],
        "dev_accuracy": [run.facts.dev_accuracy for run in found.runs],
        "mean": found.mean,
        "deviation": found.deviation,
        "levels": found.levels,
    }
    write_checked_json(found.folder / REPLICATES[found.what], facts)


def refuse_others(folder: Path, what: str) -> None:
    """Refuse a folder with anything but such runs in it."""
    if (folder / FACTS).exists():
        raise InputError("holds a single run", str(folder), f"choose another folder for several {what}s")
    known = re.compile(rf"{what}-\d+|{re.escape(REPLICATES[what])}|{re.escape(WORK)}|\..*\.part")
    refuse_other_files(folder, lambda entry: known.fullmatch(entry.name) is not None)
