"""One training at a time in a folder; a killed one leaves no lock that holds."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from pathlib import Path

from anagnosis.errors import InputError

FILE = ".lock"


@contextlib.contextmanager
def alone_in(folder: Path) -> Generator[None]:
    """Hold an existing folder; refused while another process does. Where the system has no such locks, nothing."""
    try:
        import fcntl
    except ModuleNotFoundError:
        yield
        return
    path = folder / FILE
    try:
        with path.open("ab") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            try:
                yield
            finally:
                path.unlink(missing_ok=True)
    except BlockingIOError as fault:
        raise InputError(
            "another training is at work in this folder", str(folder), "wait for it, or choose another --out"
        ) from fault
