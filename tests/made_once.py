"""Sample worlds that a test run makes once, whichever of its workers asks first."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from anagnosis.io.files import locked


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name that `make` fills, the same for all workers: read it, and write to a copy only."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # each worker has a folder in that of the whole test run
    folder, done = base / name, base / f"{name}.done"
    with (base / f"{name}.lock").open("wb") as lock:
        locked(lock, wait=True)
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.touch()
    return folder
