"""Checksums of stored files: we compare a file that a result depends on with its SHA-256 before we use it.

A folder's main JSON file lists the digests of the other files (`digests`, `verified`). Its last key, `checksum`, is the
CRC-32 of all its other keys as compact JSON.

    {"reader": "attention-sum", "files": {"recipe.toml": "0a1b…", "model.safetensors": "9f2c…"}, "checksum": "77de01c4"}
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.files import sha256, write_json
from anagnosis.io.paths import PathLike, read_file, reason_of

T = TypeVar("T", bound=msgspec.Struct)

_CHECKSUM = "checksum"
SHOWN = 100  # problems of a folder that a check names


@dataclass(slots=True)
class FolderCheck:
    """files: number verified. problems: the first hundred, as "place: what is wrong". counts: all, by name.

    notes: what the check could not verify.
    """

    files: int = 0
    counts: dict[str, int] = field(default_factory=dict[str, int])
    problems: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])

    def add(self, name: str, place: str, what: str) -> None:
        """Count a problem."""
        self.counts[name] = self.counts.get(name, 0) + 1
        if len(self.problems) < SHOWN:
            self.problems.append(f"{place}: {' '.join(what.split())}")

    @property
    def sound(self) -> bool:
        """Whether there is no problem."""
        return not self.counts


def digests(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of existing files of a folder, by relative path. names: of files, or of folders with files."""
    by_path: dict[str, str] = {}
    for name in names:
        place = folder / name
        inside = sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else [place]
        for path in inside:
            if path.is_file():
                by_path[path.relative_to(folder).as_posix()] = sha256(path)
    return dict(sorted(by_path.items()))


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


def verify_all(folder: Path, expected: Mapping[str, str], remedy: str) -> None:
    """Verify each file of a folder. expected: digests by path."""
    for name, digest in expected.items():
        verified(folder / name, digest, remedy)


def write_checked_json(path: PathLike, value: object) -> None:
    """Write a value as JSON with its checksum. value: encodes to a JSON object."""
    plain = {key: part for key, part in msgspec.to_builtins(value).items() if key != _CHECKSUM}
    write_json(path, {**plain, _CHECKSUM: _crc(plain)})


def read_checked_json(path: Path, of: type[T], remedy: str, *, may_lack: bool = False) -> T:
    """The value of a file from `write_checked_json`.

    may_lack: earlier versions wrote no checksum into this file; without one, it has the keys of `of` alone.
    DamagedError: the checksum is missing or differs, or the file has no value of type `of`.
    """
    plain = _checked(path, remedy, of.__struct_fields__ if may_lack else ())
    with decoding_faults(path, remedy, error=DamagedError):
        return msgspec.convert(plain, of)


def is_intact(path: Path) -> bool:
    """Whether a file from `write_checked_json` exists and its checksum is right."""
    try:
        _checked(path, "")
    except DamagedError:
        return False
    return True


def _checked(path: Path, remedy: str, unchecked: tuple[str, ...] = ()) -> dict[str, Any]:
    """The keys of a file but the checksum. unchecked: the keys with which it may lack one."""
    with decoding_faults(path, remedy, error=DamagedError):
        plain = msgspec.json.decode(read_file(path), type=dict[str, Any])
    checksum = plain.pop(_CHECKSUM, None)
    if checksum is None and plain and plain.keys() <= {*unchecked}:
        return plain
    if checksum is None:
        raise DamagedError("is damaged: its checksum is missing", str(path), remedy)
    if checksum != _crc(plain):
        raise DamagedError("is damaged: its checksum differs", str(path), remedy)
    return plain


def _crc(plain: object) -> str:
    return f"{zlib.crc32(msgspec.json.encode(plain)):08x}"


@lru_cache(maxsize=4096)
def _digest(path: str, size: int, modified: int, inode: int) -> str:
    """The SHA-256 of a file in this state."""
    return sha256(path)
