"""The input files of a command, from the user's files and folders, and their names in messages."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.compression import without_compression
from anagnosis.io.files import STANDARD_INPUT, display_name
from anagnosis.io.paths import PathLike, reason_of, refuse_unreadable, shortest_names, walk
from anagnosis.showing import masked_line

ANY = ("",)  # endings of every file
_SHOWN = 5  # endings in a message


def display_names(paths: Sequence[PathLike]) -> list[str]:
    """Distinct names for several files: the file name, with folders if two share it."""
    return _distinct_names([display_name(path) for path in paths], [Path(path) for path in paths])


def input_files(
    paths: Sequence[PathLike], suffixes: Sequence[str], on_not_read: Callable[[str], None] = lambda _: None
) -> list[tuple[str, Path]]:
    """(name, path) of every input file, in the order given; a folder gives its files by relative path.

    suffixes: endings that count inside a folder (compression endings may follow). on_not_read: called with the name of
    each other file in a folder, but for hidden ones and those in hidden folders. InputError: no path, a path that does
    not exist, a folder without such files, anything unreadable in a folder (paths.py).
    """
    if not paths:
        raise InputError("no input file", "", "name at least one file or folder, or - for standard input")
    named: list[tuple[str, Path]] = []
    for given in paths:
        path = Path(given)
        if str(given) == STANDARD_INPUT:
            named.append((display_name(given), path))
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
            refuse_unreadable(path, "name a file that can be read, or - for standard input")
            named.append((display_name(path), path))
            continue
        inside: list[Path] = []
        others: list[str] = []
        for folder, _, names in walk(path):
            for name in names:
                if has_ending(name, suffixes):
                    inside.append(folder / name)
                elif not is_hidden(folder / name, path):
                    others.append(name)
        inside.sort(key=lambda p: p.relative_to(path).as_posix())
        for p in inside:
            refuse_unreadable(p)
        if not inside:
            found = f"; it holds {_shown(others)}" if others else ""
            listed = ", ".join(dict.fromkeys(suffix.lower() for suffix in suffixes))
            remedy = f"{'convert them, or ' if others else ''}name the files themselves"
            raise InputError(f"no file ending in {listed}{found}", str(given), remedy)
        for name in others:
            on_not_read(name)
        named.extend((masked_line(p.relative_to(path).as_posix()), p) for p in inside)
    names, files = [name for name, _ in named], [path for _, path in named]
    return list(zip(_distinct_names(names, files), files, strict=True))


def _distinct_names(names: Sequence[str], paths: Sequence[Path]) -> list[str]:
    """The names, with a name that several files share replaced by the shortest distinct ends of their paths."""
    distinct, alike = list(names), dict[str, list[int]]()
    for place, name in enumerate(names):
        alike.setdefault(name, []).append(place)
    for places in alike.values():
        sharing = [paths[place] for place in places]
        if len(set(sharing)) > 1:
            for place, longer in zip(places, shortest_names(sharing), strict=True):
                distinct[place] = masked_line(longer)
    return distinct


def has_ending(name: str, suffixes: Sequence[str]) -> bool:
    """Whether a file's name has one of these endings, in letters of any case; one of a compression may follow."""
    return without_compression(name).lower().endswith(tuple(each.lower() for each in suffixes))


def is_hidden(path: Path, root: Path) -> bool:
    """Whether a file, or a folder between it and a root, has a name that begins with a dot."""
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def ending(name: str) -> str:
    """The ending of a file's name that tells its format, in small letters; "" for none."""
    return masked_line(Path(without_compression(name)).suffix.lower())


def _shown(names: Sequence[str]) -> str:
    """How many files have each of the most frequent endings."""
    counts = Counter(map(ending, names)).most_common(_SHOWN)
    rest = len(names) - sum(count for _, count in counts)
    told = [f"{count:,} {of or 'without ending'}" for of, count in counts]
    return ", ".join([*told, *([f"{rest:,} others"] if rest else [])])
