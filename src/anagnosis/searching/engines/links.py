"""An embedded engine's folder that cannot be written, to be read through a folder of links to its files.

The library takes a lock to read a commit, and wants to write a file for it beside the others. So the links lie in a
temporary folder, where it can; meta.json, which names the files of a commit, is a copy there, written last.

The one who writes does not know of this lock, and may take a commit's files away while it is being read: then there is
a newer commit, which is read instead. Files that are open stay readable.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TypeVar

from anagnosis.errors import InputError
from anagnosis.files import write_bytes

META = "meta.json"
_TIMES = 5  # as often a commit may go while it is read
T = TypeVar("T")


class Links:
    """at: the folder of links, empty before `read`; it goes with this object. source: where they lead."""

    def __init__(self, source: Path) -> None:
        self._source = source.absolute()
        try:
            self.at = Path(tempfile.mkdtemp(prefix="anagnosis-"))
        except OSError as fault:
            what = f"cannot be written, and there is no place for temporary files either ({fault.strerror})"
            raise InputError(what, str(source), "let one of them be written") from fault
        weakref.finalize(self, shutil.rmtree, self.at, ignore_errors=True)
        self._lock = Lock()

    def read(self, commit: Callable[[], T]) -> T:
        """What `commit` gives of the last commit; it raises ValueError where the commit's files have gone.

        Refused (InputError): files that cannot be read.
        """
        with self._lock:
            for _ in range(_TIMES - 1):
                before = self._linked()
                try:
                    return commit()
                except ValueError:
                    if (self._source / META).read_bytes() == before:
                        raise
            self._linked()
            return commit()

    def close(self) -> None:
        """Take the links away, until something is read again."""
        shutil.rmtree(self.at, ignore_errors=True)

    def _linked(self) -> bytes:
        """Link the files of the last commit, and give what meta.json says of it."""
        try:
            meta = (self._source / META).read_bytes()
            there = {path.name for path in self._source.iterdir() if not path.name.startswith(".")} - {META}
        except OSError as fault:
            what = f"cannot be read ({fault.strerror})"
            raise InputError(what, str(self._source), "let it be read") from fault
        self.at.mkdir(0o700, exist_ok=True)  # what tidies temporary places may have taken it
        linked = {path.name for path in self.at.iterdir() if path.is_symlink()}
        for name in linked - there:
            (self.at / name).unlink()
        for name in there - linked:
            (self.at / name).symlink_to(self._source / name)
        write_bytes(self.at / META, meta)
        return meta
