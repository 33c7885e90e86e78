"""The files of a run folder: which ones we write, how to remove them, and the lock that one training holds there.

A reader may save further files there; its module lists their names in SAVES.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from anagnosis import readers
from anagnosis.errors import InputError
from anagnosis.io import folders
from anagnosis.io.decoding import json_or_none
from anagnosis.io.files import locked
from anagnosis.io.folders import refuse_other_files
from anagnosis.io.paths import naming_faults

RECIPE = folders.RECIPE
FACTS = folders.RUN
WEIGHTS = "model.safetensors"
WORK = ".work"
LOCK = ".lock"
CHECKPOINT = "checkpoint"
PREDICTIONS = "predictions"
REPLICATES = folders.REPLICATES
MEMBER = re.compile(rf"({'|'.join(REPLICATES)})-(\d+)")  # a run folder among several
# Its presence means that we may remove everything of ours here: a removal was interrupted.
GIVEN_UP = folders.GIVEN_UP
# Written by the training and by later fits.
OURS = frozenset(
    {
        RECIPE,
        FACTS,
        WEIGHTS,
        WORK,
        CHECKPOINT,
        PREDICTIONS,
        GIVEN_UP,
        LOCK,
        folders.HISTORY,
        folders.TRAINED_ON,
        folders.PHASE_SCORES,
        folders.CALIBRATION,
    }
)
_NUMBERED = re.compile(r"pseudo-labels-[0-9a-f]{16}\.json|\..+\.part")


def lasting(module: Any) -> tuple[str, ...]:
    """The files and folders of a finished run that predictions depend on. module: the reader's."""
    return (RECIPE, WEIGHTS, folders.TRAINED_ON, *getattr(module, "SAVES", ()))


class _Reader(msgspec.Struct):
    reader: str


def holds_run(folder: Path) -> bool:
    """Whether the folder holds a run, in whatever state."""
    return (folder / FACTS).exists() or (folder / GIVEN_UP).exists()


def _bare(folder: Path) -> bool:
    """Whether the folder holds nothing but the remains of an interrupted start or removal."""
    return all(entry.name in (WORK, LOCK) or _NUMBERED.fullmatch(entry.name) for entry in folder.iterdir())


def foreign(folder: Path) -> Iterator[str]:
    """Relative paths of entries that training did not write, in the folder of a run, of replicates or of phases."""
    several = any((folder / file).exists() for file in REPLICATES.values()) or not holds_run(folder)
    saved = _saved_by_reader(folder)
    for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
        if entry.name in OURS or entry.name in saved or _NUMBERED.fullmatch(entry.name):
            continue
        if several and entry.name in REPLICATES.values():
            continue
        if several and MEMBER.fullmatch(entry.name) and entry.is_dir() and (holds_run(entry) or _bare(entry)):
            yield from (f"{entry.name}/{name}" for name in foreign(entry))
        else:
            yield entry.name


def remove(folder: Path) -> None:
    """Remove a run's files; files of others stay. After an interruption, the rest is recognised as given up."""
    if (folder / FACTS).exists():
        (folder / FACTS).replace(folder / GIVEN_UP)
    others = {name.partition("/")[0] for name in foreign(folder)}
    for entry in list(folder.iterdir()):
        if entry.name in others or entry.name == GIVEN_UP:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink(missing_ok=True)
    (folder / GIVEN_UP).unlink(missing_ok=True)


def remove_whole(folder: Path) -> None:
    """Remove a run or replicates with their folders; a folder that holds other files stays."""
    if not folder.is_dir():
        return
    for member in sorted(folder.glob("*-*")):
        if MEMBER.fullmatch(member.name) and member.is_dir() and holds_run(member):
            remove_whole(member)
    with naming_faults(folder, "remove that folder"):
        if holds_run(folder):
            remove(folder)
        for file in REPLICATES.values():
            (folder / file).unlink(missing_ok=True)
        shutil.rmtree(folder / WORK, ignore_errors=True)
        if not any(folder.iterdir()):
            folder.rmdir()


def refuse_others(folder: Path, what: str) -> None:
    """InputError: the folder holds anything but replicates of this sort."""
    if (folder / FACTS).exists():
        raise InputError("holds a single run", str(folder), f"choose another folder for several {what}s")
    known = re.compile(rf"{what}-\d+|{re.escape(REPLICATES[what])}|{re.escape(WORK)}|\..*\.part")
    refuse_other_files(folder, lambda entry: known.fullmatch(entry.name) is not None)


@contextmanager
def alone_in(folder: Path) -> Generator[None]:
    """Lock an existing folder; the lock ends with its process. InputError: another process holds it."""
    path = folder / LOCK
    with path.open("ab") as stream:
        if not locked(stream, wait=False):
            raise InputError(
                "another training is at work in this folder",
                str(folder),
                "wait for it, or choose another --out",
            )
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _saved_by_reader(folder: Path) -> tuple[str, ...]:
    """The names of files that the run's reader saves; none if the reader is not installed."""
    for file in (folder / FACTS, folder / GIVEN_UP):
        if run := json_or_none(file, _Reader):
            with suppress(InputError):
                return tuple(getattr(readers.find(run.reader), "SAVES", ()))
    return ()
