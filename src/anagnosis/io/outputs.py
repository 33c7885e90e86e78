"""Rules for the files and folders that a command may write.

An existing file is overwritten only with `replace`. An output file is never an input of the call. An output folder
contains no input; the command decides which files may be in it already (`folders.demand_new`). We report replaced files
on standard error.
"""

from __future__ import annotations

import filecmp
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.files import STANDARD_INPUT, abandoned
from anagnosis.io.folders import (
    hidden_part,
    kind_of,
    refuse_link,
    refuse_links,
    with_article,
)
from anagnosis.io.paths import PathLike, naming_faults, refuse_not_utf8
from anagnosis.progress import print_note

_ELSEWHERE = "choose another --out"
# Raised for a path with a NUL, and for circular links before Python 3.13.
_NO_PATH = (ValueError, RuntimeError)
_EXPORT = "export"  # in the hidden folder's name


@dataclass(frozen=True, slots=True)
class Output:
    """A file that may be written. replaces: whether a file existed at the check."""

    path: Path
    inputs: tuple[PathLike, ...] = ()
    replace: bool = False
    replaces: bool = False


def output_file(path: PathLike, *, inputs: Iterable[PathLike | None] = (), replace: bool = False) -> Output:
    """The file, if the command may write it; otherwise an InputError, before any work.

    inputs: all that the call reads; a string such as NAME=FILE,FILE means each file, a folder its files. replace:
    overwrite an existing file.
    """
    given, target = tuple(file for file in inputs if file is not None), Path(path)
    with naming_faults(target, _ELSEWHERE, also=_NO_PATH):
        exists = target.is_symlink() or target.exists()
        if target.is_dir():
            raise InputError("is a folder, and a file is to be written", str(path), "name a file")
        if target.exists() and not target.is_file():
            raise InputError("is no regular file", str(path), _ELSEWHERE)
        if exists and _is_input(target, given):
            raise InputError("is an input of this command", str(path), _ELSEWHERE)
        if exists and not replace:
            remedy = "choose another --out, or give --replace to overwrite it"
            raise InputError("is there already", str(path), remedy)
    return Output(target, given, replace, exists)


@contextmanager
def writing(
    path: PathLike, *, inputs: Iterable[PathLike | None] = (), replace: bool = False
) -> Generator[Output]:
    """The output of `output_file` for a block that writes it; reports a replaced file at the end."""
    output = output_file(path, inputs=inputs, replace=replace)
    yield output
    report_replaced(output)


def report_replaced(*outputs: Output) -> None:
    """Report replaced files on standard error."""
    replaced = [str(output.path) for output in outputs if output.replaces]
    if replaced:
        more = f" and {len(replaced) - 1:,} more" if len(replaced) > 1 else ""
        print_note(f"replaced {replaced[0]}{more}")


@contextmanager
def writing_into(
    folder: PathLike, *, inputs: Iterable[PathLike | None] = (), replace: bool = False
) -> Generator[tuple[Path, dict[Path, Output]]]:
    """A hidden folder for files, all of which move into `folder` when the block ends, or none.

    Other files in `folder` stay. Gives the hidden folder, and file → its Output, filled in at the end. After a kill
    during the move, files in `folder` with the same bytes count as ours.
    """
    target, given = Path(folder), tuple(file for file in inputs if file is not None)
    with naming_faults(target, _ELSEWHERE, also=_NO_PATH):
        if target.exists() and not target.is_dir():
            raise InputError("is a file, not a folder", str(folder), _ELSEWHERE)
        made = not target.exists()
        target.mkdir(parents=True, exist_ok=True)
        killed = any(True for _ in abandoned(target, _EXPORT))
    written: dict[Path, Output] = {}
    try:
        with hidden_part(target, _EXPORT) as hidden:
            yield hidden, written
            files = sorted(file for file in hidden.rglob("*") if file.is_file())
            places = {file: target / file.relative_to(hidden) for file in files}
            for place in places.values():
                for part in place.relative_to(target).parents:
                    if part.parts:
                        refuse_link(target / part)
            written |= {
                place: Output(place, given, replace, replaces=False)
                if killed and _is_copy(place, file)
                else output_file(place, inputs=given, replace=replace)
                for file, place in places.items()
            }
            with naming_faults(target, _ELSEWHERE, also=_NO_PATH):
                for file, place in places.items():
                    place.parent.mkdir(parents=True, exist_ok=True)
                    file.replace(place)
    finally:
        if made and not any(target.iterdir()):
            target.rmdir()
    report_replaced(*written.values())


def _is_copy(place: Path, file: Path) -> bool:
    """Whether `place` is a regular file, no link, with the bytes of `file`."""
    return place.is_file() and not place.is_symlink() and filecmp.cmp(place, file, shallow=False)


def output_folder(path: PathLike, kind: str | None = None, *, inputs: Iterable[PathLike | None] = ()) -> Path:
    """The folder, if a command may make it or continue in it; otherwise an InputError, before any work.

    No link may be in it. kind: of our folders that may exist there already. inputs: all that the call reads.
    """
    target = Path(path)
    refuse_not_utf8(target)
    with naming_faults(target, _ELSEWHERE, also=_NO_PATH):
        if target.exists() and not target.is_dir():
            raise InputError("is a file, not a folder", str(path), _ELSEWHERE)
        place = target.resolve()
        for read in _paths(read for read in inputs if read is not None):
            if read.exists() and (read.resolve() == place or place in read.resolve().parents):
                what = "is" if read.resolve() == place else "holds"
                raise InputError(f"{what} an input of this command", str(path), _ELSEWHERE)
        existing_kind = kind_of(target)
        if existing_kind is not None and existing_kind != kind:
            raise InputError(f"holds {with_article(existing_kind)}", str(path), _ELSEWHERE)
        refuse_links(target)
    return target


def refuse_inside_inputs(target: Path, inputs: Iterable[PathLike]) -> None:
    """Refuse (InputError) a folder that lies in a folder that the command reads."""
    above = target.resolve().parents
    for read in inputs:
        if Path(read).is_dir() and Path(read).resolve() in above:
            raise InputError(f"lies in an input of this command ({read})", str(target), _ELSEWHERE)


def strings(values: Mapping[str, object] | None) -> Iterator[str]:
    """The values among settings that may name a file."""
    return (value for value in (values or {}).values() if isinstance(value, str))


def _is_input(target: Path, inputs: Iterable[PathLike]) -> bool:
    """Whether an existing file is one of the inputs, or in a folder of them, under this or another name."""
    for read in _paths(inputs):
        if read.is_file():
            if target.exists() and target.samefile(read):
                return True
        elif read.is_dir() and (read.resolve() in target.resolve().parents or _links_into(target, read)):
            return True
    return False


def _links_into(target: Path, folder: Path) -> bool:
    """Whether a file has another name (hard link) in a folder."""
    if not target.is_file() or target.stat().st_nlink == 1:
        return False
    return any(target.samefile(file) for file in folder.rglob("*") if file.is_file())


def _paths(inputs: Iterable[PathLike]) -> Iterator[Path]:
    """Every path that the arguments of a command can mean, without impossible ones."""
    for argument in inputs:
        if str(argument) == STANDARD_INPUT:
            continue
        meant = [argument]
        if isinstance(argument, str) and "=" in argument:
            rest = argument.partition("=")[2]
            meant += [rest, *rest.split(",")]
        for text in meant:
            path = Path(text)
            try:
                path.stat()
            except (OSError, ValueError):  # too long for a path, a NUL in it
                continue
            yield path
