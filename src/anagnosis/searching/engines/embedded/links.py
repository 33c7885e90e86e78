"""Read an embedded engine without the right to write its folder, through a temporary folder of links to its files.

To read a commit, the library writes a lock file beside the other files. In the temporary folder it can. meta.json,
which names the files of a commit, is a copy there, written last.

The writer does not see this lock, and may remove a commit's files while we open it. Then there is a newer commit, which
`Segments.read` opens instead. Open files stay readable.
"""

from __future__ import annotations

import shutil
import tempfile
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TypeVar

from anagnosis.errors import InputError
from anagnosis.io.files import write_bytes
from anagnosis.io.paths import read_file
from anagnosis.searching.engines.embedded.segments import META, unreadable

_TIMES = 5  # attempts to remove the folder, while the library locks it
_PAUSE = 0.02  # seconds between attempts to remove the folder; the library holds its lock for less
T = TypeVar("T")


def _remove(folder: Path) -> None:
    """Remove a folder of links, again if the library, which watches it in its own thread, locks it meanwhile."""
    for _ in range(_TIMES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(_PAUSE)


class Links:
    """A folder of links. at: its path; it is empty before `read` and removed with this object. source: the target."""

    def __init__(self, source: Path) -> None:
        self._source = source.absolute()
        try:
            self.at = Path(tempfile.mkdtemp(prefix="anagnosis-"))
        except OSError as fault:
            what = f"cannot be written, and there is no place for temporary files either ({fault.strerror})"
            raise InputError(what, str(source), "let one of them be written") from fault
        weakref.finalize(self, _remove, self.at)
        self._lock, self._made = Lock(), self._owner_and_mode()

    def read(self, commit: Callable[[], T]) -> T:
        """Link the last commit and return the result of `commit`, which opens it.

        InputError: files cannot be read or linked.
        """
        with self._lock:
            self._link()
            return commit()

    def close(self) -> None:
        """Remove the links; `read` makes them again."""
        _remove(self.at)

    def _link(self) -> None:
        """Link the files of the last commit."""
        try:
            meta = read_file(self._source / META)
            there = {path.name for path in self._source.iterdir() if not path.name.startswith(".")} - {META}
        except OSError as fault:
            raise unreadable(self._source, fault) from fault
        try:
            self._make_own()
            for path in self.at.iterdir():
                if path.is_symlink() or path.name in there:
                    path.unlink()
            for name in there:
                (self.at / name).symlink_to(self._source / name)
        except OSError as fault:
            what = f"no links can be made there ({fault.strerror})"
            raise InputError(what, str(self.at), "check the folder for temporary files") from fault
        write_bytes(self.at / META, meta)

    def _make_own(self) -> None:
        """Make the folder again if a clean-up of temporary files has removed it.

        InputError: somebody else has made a folder of this name, whose links may lead elsewhere.
        """
        self.at.mkdir(0o700, exist_ok=True)
        if self._owner_and_mode() != self._made:
            raise InputError("is not the folder that we made", str(self.at), "start again")

    def _owner_and_mode(self) -> tuple[int, int]:
        """Owner and mode of the folder itself; lstat does not follow a link."""
        status = self.at.lstat()
        return status.st_uid, status.st_mode
