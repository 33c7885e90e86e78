"""Paths that the user gave: reading regular files only, and walking folders without gaps.

Whatever may have become another file since it was checked is opened by `open_file`.

Anything that we would silently skip or wait for (an unreadable folder, a pipe, a device, a dead or circular link) is an
InputError that names it.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import zlib
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
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
_LONGEST = 200  # characters of a path in a message
_NAME = 255  # bytes that disks let a name have
_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


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


def not_utf8(path: str) -> InputError:
    """The error for a path that is not UTF-8, which Arrow, the search engine and others cannot open."""
    what = "holds bytes that are not UTF-8, which a file of this kind cannot have in its path"
    return InputError(what, path[:_LONGEST], "rename it, or choose another")


def refuse_not_utf8(path: PathLike) -> None:
    """Refuse (InputError) a path that is not UTF-8, for a relative one including its folder."""
    for written in (str(path), str(Path(path).absolute())):
        try:
            written.encode()
        except UnicodeEncodeError as fault:
            raise not_utf8(written) from fault


def fitted(name: str, room: int = 0) -> str:
    """A name that still fits on a disk with `room` more bytes; a shortened one ends in a checksum of the whole."""
    data, most = os.fsencode(name), _NAME - room
    return name if len(data) <= most else f"{data[: most - 8].decode(errors='ignore')}{zlib.crc32(data):08x}"


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
        pieces = iter(lambda: stream.read(_PIECE) or b"", b"")
        return b"".join(islice(pieces, largest // _PIECE + 1))


def _opened(path: str, flags: int) -> int:
    if str(Path(path).absolute()).startswith(_OPEN):
        return os.open(path, flags)
    # Before it is opened: nobody can open a socket, and a device may notice it.
    if not (kind := _KINDS.get(stat.S_IFMT(Path(path).stat().st_mode))):
        handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
        if not (kind := _KINDS.get(stat.S_IFMT(os.fstat(handle).st_mode))):
            return handle
        os.close(handle)
    raise OSError(errno.EINVAL, f"is {kind}, not a file", path)


def refuse_unreadable(path: Path, remedy: str = "let it be read, or move it out of the folder") -> None:
    """Refuse (InputError) a file that cannot be opened, before any work."""
    try:
        open_file(path).close()
    except OSError as fault:
        dangling = path.is_symlink() and isinstance(fault, FileNotFoundError)
        what = "is a link that leads nowhere" if dangling else reason_of(fault)
        raise InputError(what, str(path), remedy) from fault


def walk(root: PathLike, *, follow: bool = True) -> Iterator[tuple[Path, list[str], list[str]]]:
    """(folder, folders in it, files in it) of a folder and all below it, like os.walk, sorted by name.

    follow: walk links to folders too. InputError: an unreadable folder; with follow, also a link to a folder around it,
    and a dead link unless its name begins with a dot (editors leave such).
    """
    for folder, folders, files in os.walk(root, onerror=_refuse, followlinks=follow):
        at = Path(folder)
        try:
            os.stat(f"{folder}/.")  # noqa: PTH116 (a Path drops the dot, which tests whether we may enter it)
        except OSError as fault:
            _refuse(fault)
        folders.sort()
        files.sort()
        if follow:
            for name in files:
                if (at / name).is_symlink() and not name.startswith("."):
                    _refuse_dead_link(at / name)
        yield at, folders, files
        if follow:
            for name in folders:
                if (at / name).is_symlink():
                    _refuse_circle(at / name, Path(root))


def _refuse(fault: OSError) -> None:
    raise InputError(
        reason_of(fault), os.fspath(fault.filename), "let it be read, or name the files themselves"
    ) from fault


def _refuse_dead_link(link: Path) -> None:
    try:
        link.stat()
    except FileNotFoundError as fault:
        raise InputError("is a link that leads nowhere", str(link), "remove it, or repair it") from fault
    except OSError as fault:
        raise InputError(reason_of(fault), str(link), "remove it, or repair it") from fault


def _refuse_circle(link: Path, root: Path) -> None:
    leads_to = link.stat()
    above = link.parent
    while True:
        if os.path.samestat(leads_to, above.stat()):
            raise InputError(
                "is a link to a folder that it lies in", str(link), "remove it, or name the files themselves"
            )
        if above == root:
            return
        above = above.parent


def shortest_names(paths: Sequence[Path]) -> list[str]:
    """The shortest distinct ends of paths; a path given twice keeps one name."""
    different = {path.parts for path in paths}
    names: dict[tuple[str, ...], str] = {}
    length = 0
    while len(names) < len(different):
        length += 1
        ends = Counter(parts[-length:] for parts in different)
        for parts in different - names.keys():
            if ends[parts[-length:]] == 1 or length >= len(parts):
                names[parts] = Path(*parts[-length:]).as_posix()
    return [names[path.parts] for path in paths]
