"""Checksums of what we store: a file that a result depends on is compared with its SHA-256 before it is believed.

A folder's main JSON file names the digests of the others (`digests`, `verified`), and holds one of itself: `checksum`,
its last key, is the CRC-32 of all other keys as compact JSON.

    {"reader": "attention-sum", "files": {"recipe.toml": "0a1b…", "model.safetensors": "9f2c…"}, "checksum": "77de01c4"}
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from anagnosis.decoding import decoding_faults
from anagnosis.errors import DamagedError
from anagnosis.files import sha256, write_json
from anagnosis.paths import PathLike

T = TypeVar("T", bound=msgspec.Struct)

_CHECKSUM = "checksum"


def digests(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of files of a folder, by their paths in it. names: of files, or of folders of them, if there."""
    found: dict[str, str] = {}
    for name in names:
        place = folder / name
        inside = sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else [place]
        for path in inside:
            if path.is_file():
                found[path.relative_to(folder).as_posix()] = sha256(path)
    return dict(sorted(found.items()))


def verified(path: Path, digest: str, remedy: str) -> Path:
    """The path of a file that is as it was written. DamagedError with this remedy: it is another one, or is gone.

    A file that was not touched since it was verified by this process is not read again.
    """
    try:
        state = path.stat()
        same = _digest(os.fspath(path), state.st_size, state.st_mtime_ns, state.st_ino) == digest
    except FileNotFoundError as fault:
        raise DamagedError("is gone", str(path), remedy) from fault
    except OSError as fault:
        raise DamagedError(f"cannot be read ({fault})", str(path), remedy) from fault
    if not same:
        raise DamagedError("is not the file that was written here (its SHA-256 differs)", str(path), remedy)
    return path


def verify_all(folder: Path, expected: Mapping[str, str], remedy: str) -> None:
    """Verify each file of a folder. expected: digests by path."""
    for name, digest in expected.items():
        verified(folder / name, digest, remedy)


def write_checked_json(path: PathLike, value: object) -> None:
    """The same as `write_json`, with a checksum, the CRC-32 of everything else in it. value: gives a JSON object."""
    plain = {key: part for key, part in msgspec.to_builtins(value).items() if key != _CHECKSUM}
    write_json(path, {**plain, _CHECKSUM: _crc(plain)})


def read_checked_json(path: Path, of: type[T], remedy: str) -> tuple[T, bool]:
    """What `write_checked_json` wrote, and whether there is a checksum: files of earlier versions have none.

    of: a struct. Refused (DamagedError): a file whose checksum differs, that holds no value of type `of`, or that has
    neither a checksum nor only fields of `of`, since one of them may be the checksum with another name.
    """
    plain, has_checksum = _checked(path, remedy)
    if not has_checksum and not plain.keys() <= {one.encode_name for one in msgspec.structs.fields(of)}:
        raise DamagedError("is damaged: its checksum is missing", str(path), remedy)
    with decoding_faults(path, remedy, error=DamagedError):
        return msgspec.convert(plain, of), has_checksum


def is_intact(path: Path) -> bool:
    """Whether a file is there as `write_checked_json` wrote it, or has no checksum."""
    try:
        _checked(path, "")
    except DamagedError:
        return False
    return True


def _checked(path: Path, remedy: str) -> tuple[dict[str, Any], bool]:
    with decoding_faults(path, remedy, error=DamagedError):
        plain = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    checksum = plain.pop(_CHECKSUM, None)
    if checksum is not None and checksum != _crc(plain):
        raise DamagedError("is damaged: its checksum differs", str(path), remedy)
    return plain, checksum is not None


def _crc(plain: object) -> str:
    return f"{zlib.crc32(msgspec.json.encode(plain)):08x}"


@lru_cache(maxsize=256)
def _digest(path: str, size: int, modified: int, inode: int) -> str:
    """Of a file in this state."""
    return sha256(path)
