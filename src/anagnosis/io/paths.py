"""Paths that the user gave: reading regular files only, and walking folders without gaps.

Whatever may have become another file since it was checked is opened by `open_file`.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import islice
from pathlib import Path

from anagnosis.errors import InputError

# A path that a user or a caller names.
PathLike = str | Path

# Open already, such as a shell's <(command), so reading does not wait for ever.
_OPEN = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
LARGEST = 512 << 20
"""Bytes of a file that is read into memory."""
_PIECE = 1 << 20


def reason_of(fault: Exception) -> str:
    """The fault in a few words, without number and path."""
    return (getattr(fault, "strerror", None) or str(fault)).lower()


@contextmanager
def naming_faults(
    where: PathLike | None, remedy: str, doing: str = "", *, also: tuple[type[Exception], ...] = ()
) -> Generator[None]:
    """Turn system errors of the block into an InputError; BrokenPipeError stays for the caller.

    where: None means the path that the error names. doing: the failed action, such as "writing". also: other exceptions
    to treat alike.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, *also) as fault:
        if where is None:
            path = getattr(fault, "filename", None)
            where = os.fsdecode(path) if isinstance(path, str | bytes) else ""
        reason = reason_of(fault)
        raise InputError(f"{doing} failed: {reason}" if doing else reason, str(where), remedy) from fault


def open_file(path: PathLike, largest: int = sys.maxsize) -> BufferedReader:
    """A file open for reading, without having waited for a writer.

    OSError: more bytes than `largest`, or a pipe, socket or device, unless it is open already: reading may never end.
    """
    stream = open(path, "rb", opener=_opened)  # noqa: SIM115 the caller closes it
    if os.fstat(stream.fileno()).st_size > largest:
        stream.close()
        raise OSError(errno.EFBIG, f"is larger than {largest >> 20:,} MiB", str(path))
    return stream


def read_file(path: PathLike, largest: int = LARGEST) -> bytes:
    """The bytes of a file, of one that grows little more than `largest`. OSError: as of `open_file`."""
    with open_file(path, largest) as stream:
        pieces = iter(lambda: stream.read(_PIECE), b"")
        return b"".join(islice(pieces, largest // _PIECE + 1))


def _opened(path: str, flags: int) -> int:
    if str(Path(path).absolute()).startswith(_OPEN):
        return os.open(path, flags)
    handle = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # of which Python says that it is one
        return handle
    os.close(handle)
    raise OSError(errno.EINVAL, "is no regular file", path)


def refuse_unreadable(path: Path, remedy: str = "let it be read, or move it out of the folder") -> None:
    """Refuse (InputError) a file that cannot be opened, before any work."""
    with naming_faults(path, remedy):
        open_file(path).close()


def walk(root: PathLike) -> Iterator[tuple[Path, list[str], list[str]]]:
    """(folder, folders in it, files in it) of a folder and all below it, links too, like os.walk, sorted by name.

    InputError: an unreadable folder; a link to a folder around it.
    """
    for folder, folders, files in os.walk(root, onerror=_refuse, followlinks=True):
        at = Path(folder)
        folders.sort()
        yield at, folders, sorted(files)
        for link in (at / name for name in folders if (at / name).is_symlink()):
            if any(above.samefile(link) for above in (at, *at.parents)):
                what = "is a link to a folder that it lies in"
                raise InputError(what, str(link), "remove it, or name the files themselves")


def _refuse(fault: OSError) -> None:
    remedy = "let it be read, or name the files themselves"
    raise InputError(reason_of(fault), os.fspath(fault.filename), remedy) from fault
