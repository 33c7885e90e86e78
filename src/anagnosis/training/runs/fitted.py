"""What is fitted on a finished run, or on several, and lies in their folder: calibration, levels, held-out figures.

fitted.json names these files, so that one that is gone is not taken for one that was never made:

    {"files": ["calibration.json", "held_out.json"], "checksum": "5c1a…"}
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from anagnosis.checksums import is_intact, read_checked_json, write_checked_json
from anagnosis.errors import DamagedError
from anagnosis.folder_names import FITTED as FILE
from anagnosis.progress import tell

_REMEDY = "remove that file, then calibrate and measure again with `anagnosis calibrate`"

T = TypeVar("T", bound=msgspec.Struct)


class _Fitted(msgspec.Struct, frozen=True):
    files: tuple[str, ...] = ()


def write_fitted(folder: Path, name: str, value: object) -> None:
    """Write what was fitted, then its name."""
    write_checked_json(folder / name, value)
    _note(folder, {*_noted(folder), name})


def read_fitted(folder: Path, name: str, of: type[T], remedy: str) -> T | None:
    """What was fitted; None where nothing was. DamagedError with this remedy: it has changed, or is gone."""
    path = folder / name
    if path.exists():
        return read_checked_json(path, of, remedy)[0]
    if name in _noted(folder):
        raise DamagedError("is gone", str(path), remedy)
    return None


def forget(folder: Path, name: str) -> None:
    """Remove what was fitted, its name first."""
    _note(folder, {*_noted(folder)} - {name})
    (folder / name).unlink(missing_ok=True)


def forget_damaged(folder: Path) -> None:
    """Before something is fitted anew: remove what has changed or is gone, and say so."""
    try:
        names = _noted(folder)
    except DamagedError as fault:
        (folder / FILE).unlink()
        tell(f"{fault}; removed")
        return
    for name in names:
        if not is_intact(folder / name):
            forget(folder, name)
            tell(f"{folder / name} is damaged or gone; it is forgotten")


def _noted(folder: Path) -> tuple[str, ...]:
    path = folder / FILE
    return read_checked_json(path, _Fitted, _REMEDY)[0].files if path.exists() else ()


def _note(folder: Path, names: set[str]) -> None:
    if names != {*_noted(folder)}:
        write_checked_json(folder / FILE, _Fitted(tuple(sorted(names))))
