"""Which files a command reads, and what they are called: those that the user named, and those in named folders."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path

from anagnosis.compression import without_compression
from anagnosis.errors import InputError
from anagnosis.files import STANDARD_INPUT, display_name
from anagnosis.masking import masked_line
from anagnosis.paths import PathLike, reason_of, refuse_special, refuse_unreadable, shortest_names, walk


def display_names(paths: Sequence[PathLike]) -> list[str]:
    """How several files are called beside each other: by name, and with folders where two share a name."""
    return _set_apart([display_name(path) for path in paths], [Path(path) for path in paths])


def input_files(paths: Sequence[PathLike], suffixes: Sequence[str]) -> list[tuple[str, Path]]:
    """(name, path) of every input file, in the order given; a folder gives its files by relative path.

    suffixes: endings that count inside a folder (compression endings may follow). Refused: a path that does not
    exist, a folder without such files, no path at all, whatever in a folder cannot be read (paths.py).
    """
    if not paths:
        raise InputError("no input file", "", "name at least one file or folder, or - for standard input")
    found: list[tuple[str, Path]] = []
    for given in paths:
        path = Path(given)
        if str(given) == STANDARD_INPUT:
            found.append((display_name(given), path))
            continue
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError) as fault:
            missing = isinstance(fault, FileNotFoundError)
            reason = (
                reason_of(fault) if isinstance(fault, OSError) and not missing else "no such file or folder"
            )
            raise InputError(reason, str(given), "check the path") from fault
        if not stat.S_ISDIR(mode):
            refuse_special(path)
            found.append((display_name(path), path))
            continue
        inside = sorted(
            (
                folder / name
                for folder, _, names in walk(path)
                for name in names
                if without_compression(name).endswith(tuple(suffixes))
            ),
            key=lambda p: p.relative_to(path).as_posix(),
        )
        for p in inside:
            refuse_unreadable(p)
        if not inside:
            raise InputError(
                f"no file ending in {_endings(suffixes)}", str(given), "name the files themselves"
            )
        found.extend((masked_line(p.relative_to(path).as_posix()), p) for p in inside)
    names, files = [name for name, _ in found], [path for _, path in found]
    return list(zip(_set_apart(names, files), files, strict=True))


def _set_apart(names: Sequence[str], paths: Sequence[Path]) -> list[str]:
    """The same names; those that several files share become as much of their paths as sets them apart."""
    apart, alike = list(names), dict[str, list[int]]()
    for place, name in enumerate(names):
        alike.setdefault(name, []).append(place)
    for places in alike.values():
        own = [paths[place] for place in places]
        if len(set(own)) > 1:
            for place, longer in zip(places, shortest_names(own), strict=True):
                apart[place] = masked_line(longer)
    return apart


def _endings(suffixes: Sequence[str]) -> str:
    """Each ending once, whatever its case."""
    return ", ".join(dict.fromkeys(suffix.lower() for suffix in suffixes))
