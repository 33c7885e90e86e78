"""Write drawn sheets into a folder, without touching what people may have filled in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.files import write_bytes


def write_new(sheets: Path, files: Mapping[str, bytes]) -> None:
    """Write files by name. InputError: one is there with other bytes.

    A file that is there as it would be written comes from the same draw, which may have been killed: it stays.
    """
    for name, data in files.items():
        path = sheets / name
        if path.exists() and path.read_bytes() != data:
            raise InputError("there are sheets already", str(path), "choose another folder for new ones")
    for name, data in files.items():
        write_bytes(sheets / name, data)
