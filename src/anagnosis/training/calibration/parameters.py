"""Parameters fitted on a finished run, or on several together, in files of their folder.

Every file is a record that names the weights it was fitted for, by SHA-256; `read` refuses one for other weights.
fitted.json names the files, so that one that is gone is not taken for one that was never made:

    {"files": ["calibration.json", "over_collection.json"], "checksum": "5c1a…"}
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

import msgspec

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.checksums import is_intact, read_checked_json, write_checked_json
from anagnosis.io.folder_names import FITTED as LIST
from anagnosis.progress import tell

FORMAT = 1
_REMEDY = "remove that file, then calibrate and measure again with `anagnosis calibrate RUN DATASET`"


class Parameters(msgspec.Struct, frozen=True):
    """Base of the records. file: in the folder. remedy: for a file that cannot be used."""

    file: ClassVar[str]
    remedy: ClassVar[str]

    @property
    def digests(self) -> tuple[str, ...]:
        """SHA-256 of each run's weights."""
        raise NotImplementedError  # a msgspec.Struct cannot have abstract methods

    @property
    def is_current(self) -> bool:
        """Whether this version of the program wrote it."""
        return True


class _List(msgspec.Struct, frozen=True):
    files: tuple[str, ...] = ()


P = TypeVar("P", bound=Parameters)


def write(folder: Path, value: Parameters) -> None:
    """Write the parameters, then the name of their file."""
    write_checked_json(folder / value.file, value)
    _note(folder, {*_noted(folder), value.file})


def read(folder: Path, of: type[P], digests: Sequence[str]) -> P | None:
    """The parameters for these weights, None where nothing was fitted.

    Refused (InputError): parameters for other weights or of another version of the program, a file that has changed.
    """
    found = read_unbound(folder, of)
    if found is None:
        return None
    if not found.is_current:
        raise other_version(folder, of)
    if found.digests != tuple(digests):
        raise InputError("was fitted for other weights", str(folder / of.file), of.remedy)
    return found


def read_unbound(folder: Path, of: type[P]) -> P | None:
    """The parameters, whatever weights they are for; None where nothing was fitted.

    Refused (DamagedError): a file that has changed, or is gone.
    """
    path = folder / of.file
    if path.exists():
        return read_checked_json(path, of, of.remedy)
    if of.file in _noted(folder):
        raise DamagedError("is gone", str(path), of.remedy)
    return None


def other_version(folder: Path, of: type[Parameters]) -> InputError:
    """The error of a file that another version of the program wrote."""
    return InputError("was made by another version", str(folder / of.file), of.remedy)


def forget(folder: Path, name: str) -> None:
    """Remove a file of parameters, its name first."""
    _note(folder, {*_noted(folder)} - {name})
    (folder / name).unlink(missing_ok=True)


def forget_damaged(folder: Path) -> None:
    """Before a new fit: remove files that have changed or are gone, and report them."""
    try:
        names = _noted(folder)
    except DamagedError as fault:
        (folder / LIST).unlink()
        tell(f"{fault}; removed")
        return
    for name in names:
        if not is_intact(folder / name):
            forget(folder, name)
            tell(f"{folder / name} is damaged or gone; it is forgotten")


def _noted(folder: Path) -> tuple[str, ...]:
    path = folder / LIST
    return read_checked_json(path, _List, _REMEDY).files if path.exists() else ()


def _note(folder: Path, names: set[str]) -> None:
    if names != {*_noted(folder)}:
        write_checked_json(folder / LIST, _List(tuple(sorted(names))))
