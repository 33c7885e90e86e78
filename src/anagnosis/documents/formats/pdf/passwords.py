"""The passwords that are tried where a PDF file needs one."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from anagnosis.errors import InputError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.paths import PathLike, read_file

_MOST = 1_000
_LARGEST = 1 << 20  # bytes of a file of passwords
_in_use: tuple[str, ...] = ()


def in_use() -> tuple[str, ...]:
    """Those of the `with_passwords` around this call."""
    return _in_use


@contextmanager
def with_passwords(passwords: Sequence[str]) -> Generator[None]:
    """Try these where a file needs one."""
    global _in_use
    before, _in_use = _in_use, tuple(passwords)
    try:
        yield
    finally:
        _in_use = before


def read_passwords(path: PathLike | None) -> list[str]:
    """The passwords of a file, one a line. InputError: it cannot be read, or is no list of passwords."""
    if path is None:
        return []
    with decoding_faults(path, "name a file with a password on each line"):
        lines = read_file(path, _LARGEST).decode("utf-8-sig").splitlines()
    if len(lines) > _MOST:
        what = f"has {len(lines):,} passwords, over {_MOST:,}"
        raise InputError(what, str(path), "keep those that the files need")
    return [line for line in lines if line]
