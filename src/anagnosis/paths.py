"""What lies under a path that the user gave: only regular files are read, and a folder is walked without a gap.

Whatever would be passed over in silence or wait for ever (a folder that may not be read, a pipe, a device, a link that
leads nowhere or in a circle) is an InputError that names it.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from anagnosis.errors import InputError

# A path that a user or a caller names.
PathLike = str | Path

# What is open already, such as a shell's <(command), has someone at its other end.
_OPEN = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
_LONGEST = 200  # characters of a path in a message
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
    """Turn what the system refuses in the block into an InputError; a pipe that nobody reads is left to the caller.

    where: None stands for the path that the fault names. doing: what failed, such as "writing". also: other faults
    that mean the same.
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
    """The fault of a path that Arrow, the search engine and others cannot open, since it is no UTF-8."""
    what = "holds bytes that are not UTF-8, which a file of this kind cannot have in its path"
    return InputError(what, path[:_LONGEST], "rename it, or choose another")


def refuse_not_utf8(path: PathLike) -> None:
    """Refuse (InputError) such a path, relative ones by the folder that they are in too."""
    for written in (str(path), str(Path(path).absolute())):
        try:
            written.encode()
        except UnicodeEncodeError as fault:
            raise not_utf8(written) from fault


def refuse_special(path: PathLike) -> None:
    """Refuse (InputError) what exists and is no file: to read a pipe may wait for ever, a device may never end."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):  # whoever opens it says why
        return
    kind = _KINDS.get(stat.S_IFMT(mode))
    if kind and not str(Path(path).absolute()).startswith(_OPEN):
        raise InputError(f"is {kind}, not a file", str(path), "name a file, or - for standard input")


def refuse_unreadable(path: Path) -> None:
    """Refuse (InputError) what cannot be opened as a file, now and not in an hour."""
    refuse_special(path)
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError as fault:
        dangling = path.is_symlink() and isinstance(fault, FileNotFoundError)
        what = "is a link that leads nowhere" if dangling else reason_of(fault)
        raise InputError(what, str(path), "let it be read, or move it out of the folder") from fault


def walk(root: PathLike, *, follow: bool = True) -> Iterator[tuple[Path, list[str], list[str]]]:
    """(folder, folders in it, files in it) of a folder and all below it, as os.walk gives them, by name.

    Refused: a folder that may not be read. follow: links to folders too; then refused too: a link to a folder that it
    lies in, and one that leads nowhere unless its name begins with a dot (editors leave such).
    """
    for folder, folders, files in os.walk(root, onerror=_refuse, followlinks=follow):
        at = Path(folder)
        try:
            os.stat(f"{folder}/.")  # noqa: PTH116 (a Path drops the dot, which asks whether it can be entered)
        except OSError as fault:
            _refuse(fault)
        folders.sort()
        files.sort()
        if follow:
            for name in files:
                if (at / name).is_symlink() and not name.startswith("."):
                    _refuse_leading_nowhere(at / name)
        yield at, folders, files
        if follow:
            for name in folders:
                if (at / name).is_symlink():
                    _refuse_circle(at / name, Path(root))


def _refuse(fault: OSError) -> None:
    raise InputError(
        reason_of(fault), os.fspath(fault.filename), "let it be read, or name the files themselves"
    ) from fault


def _refuse_leading_nowhere(link: Path) -> None:
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
    """As many of each path's last parts, as given, as set it apart; one path given twice keeps one name."""
    different = {path.parts for path in paths}
    names: dict[tuple[str, ...], str] = {}
    length = 0
    while len(names) < len(different):
        length += 1
        ends = Counter(own[-length:] for own in different)
        for own in different - names.keys():
            if ends[own[-length:]] == 1 or length >= len(own):
                names[own] = Path(*own[-length:]).as_posix()
    return [names[path.parts] for path in paths]
