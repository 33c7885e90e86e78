"""A file of vectors that stays where it is: a run folder remembers its place, and perhaps its hash."""

from __future__ import annotations

from pathlib import Path

import msgspec

from anagnosis.decoding import read_json
from anagnosis.errors import InputError
from anagnosis.files import sha256, write_json

REMEMBERED = "vectors.json"


class _Remembered(msgspec.Struct, frozen=True):
    """sha256: "" where another file may take its place."""

    path: str
    width: int
    sha256: str


def named(vectors: str) -> Path:
    """The absolute path of the file that a recipe names. Refused (InputError): there is none."""
    path = Path(vectors).expanduser().absolute()
    if not path.is_file():
        raise InputError("no such file", vectors, "check the path of vectors")
    return path


def remember(path: Path, folder: Path, width: int, *, same: bool) -> None:
    """Write where the file lies into a run folder. same: when it is found again, it must be the very same."""
    digest = sha256(path) if same else ""
    write_json(folder / REMEMBERED, _Remembered(str(path), width, digest), indent=1)


def recalled(folder: Path) -> tuple[Path, int]:
    """Where the file lies now (in the run folder, beside it, or where it was) and the width of its vectors.

    Refused (InputError): nowhere, or another file than it was.
    """
    found = read_json(folder / REMEMBERED, _Remembered)
    before, width, digest = Path(found.path), found.width, found.sha256
    places = (folder / before.name, folder.resolve().parent / before.name, before)
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise InputError(
            f"its file of vectors is not at {before} any more", str(folder), "put it back, or beside the run"
        )
    if digest and sha256(path) != digest:
        raise InputError(
            "these vectors are others than at the training",
            str(path),
            "put the old file back, or train again",
        )
    return path, width
