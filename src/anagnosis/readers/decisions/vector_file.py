"""A file of vectors that stays where it is: a run folder remembers its place, and perhaps its hash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from anagnosis.errors import InputError
from anagnosis.files import sha256, write_text

REMEMBERED = "vectors.json"


def named(vectors: str) -> Path:
    """The absolute path of the file that a recipe names. Refused (InputError): there is none."""
    path = Path(vectors).expanduser().absolute()
    if not path.is_file():
        raise InputError("no such file", vectors, "check the path of vectors")
    return path


def remember(path: Path, folder: Path, width: int, *, same: bool) -> None:
    """Write where the file lies into a run folder. same: when it is found again, it must be the very same."""
    digest = sha256(path) if same else ""
    found = {"path": str(path), "width": width, "sha256": digest}
    write_text(folder / REMEMBERED, json.dumps(found, indent=1) + "\n")


def recalled(folder: Path) -> tuple[Path, int]:
    """Where the file lies now (in the run folder, beside it, or where it was) and the width of its vectors.

    Refused (InputError): nowhere, or another file than it was.
    """
    try:
        found: dict[str, Any] = json.loads((folder / REMEMBERED).read_text("utf-8"))
        before, width, digest = Path(found["path"]), int(found["width"]), str(found["sha256"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as fault:
        raise InputError(f"no readable {REMEMBERED}", str(folder), "train again, with --replace") from fault
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
