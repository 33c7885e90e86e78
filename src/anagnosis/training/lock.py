"""One training at a time in a folder; a killed one leaves no lock that holds."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.locks import locked

FILE = ".lock"


@contextlib.contextmanager
def alone_in(folder: Path) -> Generator[None]:
    """Hold an existing folder; refused while another process does."""
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
