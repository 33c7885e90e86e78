"""Record of a file of vectors in a run folder: its path and, if it must not change, its hash."""

from __future__ import annotations

from pathlib import Path

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.io.files import sha256, write_json

RECORD = "vectors.json"


class _Record(msgspec.Struct, frozen=True):
    """sha256: "" where another file may take its place."""

    path: str
    width: int
    sha256: str


def resolve(vectors: str) -> Path:
    """The absolute path of the file in a recipe; InputError if there is none."""
    path = Path(vectors).expanduser().absolute()
    if not path.is_file():
        raise InputError("no such file", vectors, "check the path of vectors")
    return path


def record(path: Path, folder: Path, width: int, *, same: bool) -> None:
    """Record the file's path in a run folder. same: also its hash, so that the file must not change."""
    digest = sha256(path) if same else ""
    write_json(folder / RECORD, _Record(str(path), width, digest), indent=1)


def restore(folder: Path) -> tuple[Path, int]:
    """(path, width) of the recorded file, now in the run folder, beside it, or at its recorded path.

    InputError: it is in none of them, or has changed.
    """
    facts = read_json(folder / RECORD, _Record)
    before, width, digest = Path(facts.path), facts.width, facts.sha256
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
