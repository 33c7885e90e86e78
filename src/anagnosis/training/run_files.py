"""The files of a run folder, and how `--replace` removes them.

    recipe.toml  run.json  history.jsonl  model.safetensors  trained_on.npy  and what the reader itself saves
    checkpoint/   until run.json is written: recipe, facts and files of the reader as the training began, and its state

Predictions and pseudo-labels come later. Folders of several runs hold run folders, and a file that is
written when all are finished.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from anagnosis.errors import InputError
from anagnosis.io import folders
from anagnosis.io.decoding import json_or_none
from anagnosis.io.folders import refuse_foreign
from anagnosis.io.paths import naming_faults
from anagnosis.progress import print_note

RECIPE = folders.RECIPE
FACTS = folders.RUN
WEIGHTS = "model.safetensors"
CHECKPOINT = "checkpoint"
PREDICTIONS = "predictions"
REPLICATES = folders.REPLICATES
MEMBER = re.compile(rf"({'|'.join(REPLICATES)})-(\d+)")  # a run folder among several
_OF_SEVERAL = {*REPLICATES.values(), folders.PHASES}
_OF_A_RUN = {RECIPE, FACTS, WEIGHTS, CHECKPOINT, PREDICTIONS, folders.HISTORY, folders.TRAINED_ON}
_OTHERS = re.compile(r"pseudo-labels-[0-9a-f]{16}\.json|\..+\.part|phase_scores\.json")  # the last: of before


class _Files(msgspec.Struct):
    """What is read of run.json."""

    files: dict[str, str] = {}


def foreign(folder: Path) -> Iterator[str]:
    """Relative paths of what no training wrote in the folder of a run, of replicates or of phases."""
    begun, finished = folder / CHECKPOINT, json_or_none(folder / FACTS, _Files)
    is_run = begun.is_dir() or (folder / FACTS).exists()
    saved = {Path(name).parts[0] for name in finished.files} if finished else set[str]()
    saved |= {entry.name for entry in begun.glob("*")}
    ours = _OF_A_RUN | saved if is_run else _OF_SEVERAL
    for entry in sorted(folder.glob("*")):
        member = MEMBER.fullmatch(entry.name) or entry.name in folders.PHASE_FOLDERS
        if member and entry.is_dir() and not is_run:
            yield from (f"{entry.name}/{name}" for name in foreign(entry))
        elif entry.name not in ours and not _OTHERS.fullmatch(entry.name):
            yield entry.name


def claim_several(folder: Path, what: str, *, replace: bool = False) -> None:
    """Prepare a folder for the runs of seeds, folds or phases, and empty it if `replace`.

    what: "seed", "fold" or "phase". InputError: it holds anything else.
    """
    if (folder / FACTS).exists() or (folder / CHECKPOINT).exists():
        raise InputError("holds a single run", str(folder), "choose another folder for several runs")
    phases = "|".join((*folders.PHASE_FOLDERS, folders.PHASES))
    names = phases if what == "phase" else rf"{what}-\d+|{REPLICATES[what]}"
    there = {entry.name for entry in folder.glob("*")}
    others = {name for name in there if not re.fullmatch(rf"{names}|\..+\.part", name)}
    refuse_foreign(folder, others.union(foreign(folder)))
    if replace and there:
        remove(folder)
        print_note(f"{folder}: the old runs are removed")


def remove(folder: Path) -> None:
    """Empty the folder of a run, of replicates or of phases. InputError, before: it holds other files."""
    refuse_foreign(folder, foreign(folder))
    with naming_faults(folder, "remove that folder"):
        _empty(folder)


def _empty(folder: Path) -> None:
    """Remove what is in a folder; last what shows that the rest is ours, in case of a kill."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name in (CHECKPOINT, FACTS)):
        if entry.is_dir() and not entry.is_symlink():
            _empty(entry)
            entry.rmdir()
        else:
            entry.unlink()
