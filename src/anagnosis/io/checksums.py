"""Checksums of stored files: a file that a result depends on is compared with its SHA-256 when its folder is opened.

A folder's main JSON file lists the digests of the other files (`digests`, `verified`).

    {"reader": "attention-sum", "files": {"recipe.toml": "0a1b…", "model.safetensors": "9f2c…"}}
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.files import sha256
from anagnosis.io.paths import reason_of


def digests(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of existing files of a folder, by relative path. names: of files, or of folders with files."""
    files = {
        file for name in names for file in (folder / name, *(folder / name).rglob("*")) if file.is_file()
    }
    return {file.relative_to(folder).as_posix(): sha256(file) for file in sorted(files)}


def verified(path: Path, digest: str, remedy: str) -> Path:
    """The path of a file, after comparing its SHA-256. DamagedError with this remedy: it differs, or is gone.

    A file that did not change since this process verified it is not read again.
    """
    try:
        state = path.stat()
        same = _digest(os.fspath(path), state.st_size, state.st_mtime_ns, state.st_ino) == digest
    except FileNotFoundError as fault:
        raise DamagedError("is gone", str(path), remedy) from fault
    except OSError as fault:
        raise InputError(f"cannot be read ({reason_of(fault)})", str(path), "let it be read") from fault
    if not same:
        raise DamagedError("is not the file that was written here (its SHA-256 differs)", str(path), remedy)
    return path


@lru_cache(maxsize=4096)
def _digest(path: str, size: int, modified: int, inode: int) -> str:
    """The SHA-256 of a file in this state."""
    return sha256(path)
