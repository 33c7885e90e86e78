"""Where a command may write: one rule for every file and folder that a user names for it.

A file is never an input of the call and never lies in a dataset, run or index folder, whatever the options. A file that
is there is overwritten if it is our own output of the same kind (`recognition.py`), and else only with `replace`. A
folder neither holds an input nor lies in one of our folders; what may lie in it already is for the command to say
(`folders.refuse_foreign`). What was replaced is reported on standard error.
"""

from __future__ import annotations

import filecmp
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.files import STANDARD_INPUT, abandoned, checked_place
from anagnosis.folders import a, hidden_part, kind_of, refuse_inside_ours
from anagnosis.paths import PathLike, naming_faults
from anagnosis.progress import tell
from anagnosis.recognition import RECOGNISED, is_ours

_ELSEWHERE = "choose another --out"
# Of a path with a NUL; of links in a circle before Python 3.13.
_NO_PATH = (ValueError, RuntimeError)
_EXPORT = "export"  # of the hidden folder's name


@dataclass(frozen=True, slots=True)
class Output:
    """A file that may be written. replaces: whether one was there when this was found out."""

    path: Path
    kind: str
    inputs: tuple[PathLike, ...] = ()
    replace: bool = False
    replaces: bool = False


def output_file(
    path: PathLike, kind: str, *, inputs: Iterable[PathLike | None] = (), replace: bool = False
) -> Output:
    """The file, if it may be written; refused (InputError) where not, before anything is done.

    kind: of `recognition.RECOGNISED`. inputs: all that the call reads; of a string such as NAME=FILE,FILE each file.
    A folder among them stands for the files in it. replace: overwrite what is not recognised as ours.
    """
    given, target = tuple(one for one in inputs if one is not None), Path(path)
    if kind not in RECOGNISED:
        raise ValueError(f"no kind of output: {kind}")
    with naming_faults(target, _ELSEWHERE, also=_NO_PATH):
        there = target.is_symlink() or target.exists()
        if target.is_dir():
            raise InputError("is a folder, and a file is to be written", str(path), "name a file")
        if target.exists() and not target.is_file():
            raise InputError("is no regular file", str(path), _ELSEWHERE)
        refuse_inside_ours(target)
        ours = there and is_ours(target, kind)
        if there and _is_input(target, given, ours=ours):
            raise InputError("is an input of this command", str(path), _ELSEWHERE)
        if there and not (replace or ours):
            raise InputError(
                "is there already, and is not recognised as an earlier output of this command",
                str(path),
                "choose another --out, or give --replace to overwrite it",
            )
    checked_place(target)
    return Output(target, kind, given, replace, there)


@contextmanager
def writing(
    path: PathLike, kind: str, *, inputs: Iterable[PathLike | None] = (), replace: bool = False
) -> Generator[Output]:
    """The same for a block that writes the file; then says if one was replaced."""
    output = output_file(path, kind, inputs=inputs, replace=replace)
    yield output
    report_replaced(output)


def report_replaced(*outputs: Output) -> None:
    """Say on standard error which files were replaced."""
    replaced = [str(output.path) for output in outputs if output.replaces]
    if replaced:
        more = f" and {len(replaced) - 1:,} more" if len(replaced) > 1 else ""
        tell(f"replaced {replaced[0]}{more}")


@contextmanager
def writing_into(
    folder: PathLike, kind: str, *, inputs: Iterable[PathLike | None] = (), replace: bool = False
) -> Generator[tuple[Path, dict[Path, Output]]]:
    """A hidden folder for files of a kind, which come into `folder` when the block ends: all of them or none.

    Other files in `folder` stay. Gives the hidden folder, and file → what it replaced, filled in at the end. Where one
    was killed while its files came into `folder`, those that are there byte for byte are its own.
    """
    target, given = Path(folder), tuple(one for one in inputs if one is not None)
    with naming_faults(target, _ELSEWHERE, also=_NO_PATH):
        if target.exists() and not target.is_dir():
            raise InputError("is a file, not a folder", str(folder), _ELSEWHERE)
        refuse_inside_ours(target / "file")
        made = not target.exists()
        target.mkdir(parents=True, exist_ok=True)
        killed = any(True for _ in abandoned(target, _EXPORT))
    written: dict[Path, Output] = {}
    try:
        with hidden_part(target, _EXPORT) as hidden:
            yield hidden, written
            files = sorted(one for one in hidden.rglob("*") if one.is_file())
            places = {one: target / one.relative_to(hidden) for one in files}
            written |= {
                place: Output(place, kind, given, replace, replaces=False)
                if killed and _is_copy(place, one)
                else output_file(place, kind, inputs=given, replace=replace)
                for one, place in places.items()
            }
            with naming_faults(target, _ELSEWHERE, also=_NO_PATH):
                for one, place in places.items():
                    place.parent.mkdir(parents=True, exist_ok=True)
                    one.replace(place)
    finally:
        if made and not any(target.iterdir()):
            target.rmdir()
    report_replaced(*written.values())


def _is_copy(place: Path, one: Path) -> bool:
    """Whether a file lies at `place`, itself and no link, with the bytes of `one`."""
    return place.is_file() and not place.is_symlink() and filecmp.cmp(place, one, shallow=False)


def output_folder(path: PathLike, kind: str | None = None, *, inputs: Iterable[PathLike | None] = ()) -> Path:
    """The folder, if a command may make it or go on in it; refused (InputError) where not, before anything is done.

    kind: of our folders that may be there already. inputs: all that the call reads.
    """
    target = Path(path)
    with naming_faults(target, _ELSEWHERE, also=_NO_PATH):
        if target.exists() and not target.is_dir():
            raise InputError("is a file, not a folder", str(path), _ELSEWHERE)
        place = target.resolve()
        for one in _paths(one for one in inputs if one is not None):
            if one.exists() and (one.resolve() == place or place in one.resolve().parents):
                what = "is" if one.resolve() == place else "holds"
                raise InputError(f"{what} an input of this command", str(path), _ELSEWHERE)
        there = kind_of(target)
        if there is not None and there != kind:
            raise InputError(f"holds {a(there)}", str(path), _ELSEWHERE)
        refuse_inside_ours(target)
    return target


def strings(values: Mapping[str, object] | None) -> Iterator[str]:
    """The values among settings that may name a file."""
    return (value for value in (values or {}).values() if isinstance(value, str))


def _is_input(target: Path, inputs: Iterable[PathLike], *, ours: bool) -> bool:
    """Whether an existing file is one of the inputs, under this or another name of it.

    In a folder of inputs every file counts but our own output, which a command that is given again finds there.
    """
    for one in _paths(inputs):
        if one.is_file():
            if target.exists() and target.samefile(one):
                return True
        elif (
            not ours
            and one.is_dir()
            and (one.resolve() in target.resolve().parents or _links_into(target, one))
        ):
            return True
    return False


def _links_into(target: Path, folder: Path) -> bool:
    """Whether a file has another name in a folder."""
    if not target.is_file() or target.stat().st_nlink == 1:
        return False
    return any(target.samefile(one) for one in folder.rglob("*") if one.is_file())


def _paths(inputs: Iterable[PathLike]) -> Iterator[Path]:
    """Every path that the arguments of a command can mean; those that nothing could be called are left out."""
    for one in inputs:
        if str(one) == STANDARD_INPUT:
            continue
        meant = [one]
        if isinstance(one, str) and "=" in one:
            rest = one.partition("=")[2]
            meant += [rest, *rest.split(",")]
        for text in meant:
            path = Path(text)
            try:
                path.stat()
            except (OSError, ValueError):  # too long for a path, a NUL in it
                continue
            yield path
