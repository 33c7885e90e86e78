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
from anagnosis.searching.engines.embedded.segments import META, unreadable

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
        self._lock, self._made = Lock(), self._owner_and_mode()

    def read(self, commit: Callable[[], T]) -> T:
        """What `commit` gives of the last commit; it raises ValueError where the commit's files have gone.

        Refused (InputError): files that cannot be read or linked; commits that go faster than they can be read.
        """
        with self._lock:
            for _ in range(_TIMES):
                before = self._linked()
                try:
                    return commit()
                except ValueError:
                    if self._meta() == before:
                        raise
        raise InputError("is changed faster than it can be read", str(self._source), "try again later")

    def close(self) -> None:
        """Take the links away, until something is read again."""
        shutil.rmtree(self.at, ignore_errors=True)

    def _linked(self) -> bytes:
        """Link the files of the last commit, and give what meta.json says of it."""
        meta = self._meta()
        try:
            there = {path.name for path in self._source.iterdir() if not path.name.startswith(".")} - {META}
        except OSError as fault:
            raise unreadable(self._source, fault) from fault
        try:
            self._make_own()
            linked = set[str]()
            for path in self.at.iterdir():
                if path.is_symlink() and path.name in there and path.readlink() == self._source / path.name:
                    linked.add(path.name)
                elif path.is_symlink() or path.name in there:
                    path.unlink()
            for name in there - linked:
                (self.at / name).symlink_to(self._source / name)
        except OSError as fault:
            what = f"no links can be made there ({fault.strerror})"
            raise InputError(what, str(self.at), "see to the place for temporary files") from fault
        write_bytes(self.at / META, meta)
        return meta

    def _meta(self) -> bytes:
        try:
            return (self._source / META).read_bytes()
        except OSError as fault:
            raise unreadable(self._source, fault) from fault

    def _make_own(self) -> None:
        """Make the folder anew where what tidies temporary places has taken it.

        Its name is known by then. Refused (InputError): what somebody else has put there, whose links lead elsewhere.
        """
        self.at.mkdir(0o700, exist_ok=True)
        if self._owner_and_mode() != self._made:
            raise InputError("is not the folder that was made there", str(self.at), "start again")

    def _owner_and_mode(self) -> tuple[int, int]:
        """Of the folder itself, not of what a link leads to."""
        found = self.at.lstat()
        return found.st_uid, found.st_mode
