"""The lock that lets one training at a time work in a folder. The system releases it when a process is killed."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.files import locked

FILE = ".lock"


@contextlib.contextmanager
def alone_in(folder: Path) -> Generator[None]:
    """Lock an existing folder. InputError: another process holds the lock."""
    path = folder / FILE
    with path.open("ab") as stream:
        if not locked(stream, wait=False):
            raise InputError(
                "another training is at work in this folder",
                str(folder),
                "wait for it, or choose another --out",
            )
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
