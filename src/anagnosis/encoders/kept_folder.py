"""Folders of an encoder's kept vectors: one process computes in each, and disk errors become an InputError."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.files import locked
from anagnosis.io.paths import naming_faults
from anagnosis.progress import print_note

LOCK = "lock"


class KeptFolder:
    """The folder for kept vectors: the given one, or a temporary one that disappears with this object."""

    def __init__(self) -> None:
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    def of(self, kept: Path | None) -> Path:
        """The folder. kept: the given one, if any."""
        if kept is not None:
            return kept
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="anagnosis-kept-")
        return Path(self._temporary.name)


@contextmanager
def exclusive(place: Path) -> Generator[None]:
    """Let one process compute while others wait; the lock ends with its process."""
    place.mkdir(parents=True, exist_ok=True)
    with (place / LOCK).open("ab") as lock:
        if not locked(lock, wait=False):
            print_note(f"waiting for another process that computes {place.name}")
            locked(lock, wait=True)
        yield


def writing(place: Path) -> AbstractContextManager[None]:
    """Turn system errors of the block into an InputError."""
    return naming_faults(place, "free some space or choose another place", "writing vectors")


def demand_room(place: Path, needed: int) -> None:
    """Refuse (InputError) a disk with fewer free bytes."""
    free = shutil.disk_usage(place).free
    if free < needed:
        raise InputError(
            f"the vectors need {size_in_words(needed)}, and {size_in_words(free)} are free",
            str(place),
            "free some space, or let the folder lie on another disk",
        )


def short_name(encoder: str) -> str:
    """An encoder's name without folders."""
    return Path(encoder).name or encoder


def size_in_words(count: int) -> str:
    """A number of bytes in GB, MB or kB."""
    for unit, size in (("GB", 1e9), ("MB", 1e6)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count / 1e3:,.0f} kB"
