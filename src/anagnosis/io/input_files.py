"""The input files of a command, from the user's files and folders, and their names in messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.compression import without_compression
from anagnosis.io.files import STANDARD_INPUT, display_name
from anagnosis.io.paths import PathLike, naming_faults, refuse_unreadable, walk
from anagnosis.showing import masked_line

ANY = ("",)  # endings of every file


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
        with naming_faults(given, "check the path"):
            if not path.is_dir():
                refuse_unreadable(path, "check the path")
                named.append((display_name(given), path))
                continue
        every = [folder / name for folder, _, names in walk(path) for name in names]
        inside = [file for file in every if has_ending(file.name, suffixes)]
        others = [file for file in every if not has_ending(file.name, suffixes) and not is_hidden(file, path)]
        if not inside:
            listed = ", ".join(dict.fromkeys(suffix.lower() for suffix in suffixes))
            found = f"; it holds {len(others):,} others, such as {others[0].name}" if others else ""
            remedy = f"{'convert them, or ' if others else ''}name the files themselves"
            raise InputError(f"no file ending in {listed}{found}", str(given), remedy)
        for file in sorted(inside, key=lambda file: file.relative_to(path).as_posix()):
            refuse_unreadable(file)
            named.append((masked_line(file.relative_to(path).as_posix()), file))
        for file in others:
            on_not_read(file.name)
    names, files = [name for name, _ in named], [path for _, path in named]
    return list(zip(_distinct_names(names, files), files, strict=True))


def refuse_repeated(named: Sequence[tuple[str, Path]]) -> None:
    """InputError: one of these files is given twice."""
    seen = set[Path]()
    for name, path in named:
        if (place := path.resolve()) in seen:
            raise InputError("the same file is given twice", name, "give each file once")
        seen.add(place)


def _distinct_names(names: Sequence[str], paths: Sequence[Path]) -> list[str]:
    """The names, with a name that several files share replaced by the ends of their paths, long enough to differ."""
    sharing: dict[str, set[Path]] = {}
    for name, path in zip(names, paths, strict=True):
        sharing.setdefault(name, set()).add(path)
    ends = {
        name: next(n for n in count(1) if len({path.parts[-n:] for path in own}) == len(own))
        for name, own in sharing.items()
    }
    return [
        name if ends[name] == 1 else masked_line(Path(*path.parts[-ends[name] :]).as_posix())
        for name, path in zip(names, paths, strict=True)
    ]


def has_ending(name: str, suffixes: Sequence[str]) -> bool:
    """Whether a file's name has one of these endings, in letters of any case; one of a compression may follow."""
    return without_compression(name).lower().endswith(tuple(each.lower() for each in suffixes))


def is_hidden(path: Path, root: Path) -> bool:
    """Whether a file, or a folder between it and a root, has a name that begins with a dot."""
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def ending(name: str) -> str:
    """The ending of a file's name that tells its format, in small letters; "" for none."""
    return masked_line(Path(without_compression(name)).suffix.lower())
