"""The file of one person's answers as a server keeps it: a line that was added is on the disk, also after a kill.

A line counts as added when the system has flushed it to the disk. A kill, or a disk that fills up, may leave a part of
the next line behind; the journal removes it before anything else is added. One process at a time writes the journals of
a folder (`links.opened`).
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Generator
from pathlib import Path

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.paths import naming_faults, reason_of
from anagnosis.labelling import saved_file
from anagnosis.labelling.saved_file import Check, Line, SavedFile

_ENCODER = msgspec.json.Encoder()
_NO_LINKS: int = getattr(os, "O_NOFOLLOW", 0)  # Windows has none
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | _NO_LINKS


class NotWrittenError(InputError):
    """A line that could not be written; the journal holds what it held before."""


class Journal:
    """A person's file. check: of its lines (`saved_file.read`). repaired: bytes of torn lines that were removed.

    Several threads may use it. Where another program changed the file meanwhile, it is read again.
    """

    def __init__(self, path: Path, check: Check) -> None:
        self.path, self._check, self._lock = path, check, threading.Lock()
        self.repaired = 0
        self._state: tuple[int, int] | None = None  # inode and bytes of the file; None where there is none
        with naming_faults(path, "let it be read and written"):
            self._saved = self._read()

    def lines(self) -> list[Line]:
        """The last line of each id."""
        with self._lock:
            return list(self._saved.last.values())

    def update(self, ident: str, merge: Callable[[Line | None], Line]) -> Line:
        """Add the line that `merge` makes of the last line of the id; gives it when it is on the disk.

        A line equal to the last one adds nothing. NotWrittenError: the disk is full, or the like. InputError: another
        program wrote what is no line of this study.
        """
        with self._lock:
            try:
                if self._state != self._now():
                    self._saved = self._read()
                before = self._saved.last.get(ident)
                new = merge(before)
                if new != before:
                    self._append(_ENCODER.encode(new) + b"\n")
                    self._saved.add(new)
                return new
            except OSError as fault:
                what = f"the answer could not be written: {reason_of(fault)}"
                remedy = "those who run this page must free some space; keep the page open"
                raise NotWrittenError(what, self.path.name, remedy) from fault

    def _read(self) -> SavedFile:
        """What the file holds, after the repair of a line that a kill tore."""
        self._state = self._now()
        if self._state is None:
            return SavedFile()
        found = saved_file.read(self.path, self._check)
        if found.torn:
            with self._opened() as handle:
                os.ftruncate(handle, os.fstat(handle).st_size - found.torn)
                os.fsync(handle)
            self.repaired += found.torn
        elif not found.ends:  # the line is whole, but for its end
            self._append(b"\n")
        self._state = self._now()
        return found

    def _append(self, data: bytes) -> None:
        """Write and flush. OSError: not all of it is on the disk, and what was written is removed, if possible."""
        with self._opened() as handle:
            size = os.fstat(handle).st_size
            try:
                left = memoryview(data)
                while left:
                    left = left[os.write(handle, left) :]
                os.fsync(handle)
            except OSError:
                os.ftruncate(handle, size)
                raise
        if self._state is None:
            _flush_names(self.path.parent)
        self._state = self._now()

    @contextlib.contextmanager
    def _opened(self) -> Generator[int]:
        handle = os.open(self.path, _FLAGS, 0o644)
        try:
            yield handle
        finally:
            os.close(handle)

    def _now(self) -> tuple[int, int] | None:
        try:
            state = self.path.stat()
        except FileNotFoundError:
            return None
        return state.st_ino, state.st_size


def _flush_names(folder: Path) -> None:
    """Flush the names of a folder, such as that of a new file, to the disk."""
    if sys.platform == "win32":  # folders cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
