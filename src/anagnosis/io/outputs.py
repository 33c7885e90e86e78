"""Rules for the files and folders that a command may write.

An existing file is overwritten only with `replace`. An output file is never an input of the call. An output folder
contains no input; the command decides which files may be in it already (`folders.demand_new`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.decoding import json_or_none
from anagnosis.io.files import STANDARD_INPUT, write_json
from anagnosis.io.folders import names_in, new_folder, refuse_links
from anagnosis.io.paths import PathLike

_ELSEWHERE = "choose another --out"
# The names of the files that were written into a folder; hidden from programs that read them.
WRITTEN = ".written"


def output_file(path: PathLike, *, inputs: Iterable[PathLike | None] = (), replace: bool = False) -> Path:
    """The file, if the command may write it; otherwise an InputError, before any work.

    inputs: all that the call reads; a string such as NAME=FILE,FILE means each file, a folder its files. replace:
    overwrite an existing file.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        what = "is a folder, and a file is to be written" if target.is_dir() else "is no regular file"
        raise InputError(what, str(path), _ELSEWHERE)
    if target.exists() and any(
        target.samefile(read) or (read.is_dir() and read.resolve() in target.resolve().parents)
        for read in _paths(inputs)
    ):
        raise InputError("is an input of this command", str(path), _ELSEWHERE)
    if not replace and (target.is_symlink() or target.exists()):
        raise InputError("is there already", str(path), f"{_ELSEWHERE}, or give --replace to overwrite it")
    return target


@contextmanager
def writing_into(
    folder: PathLike, *, inputs: Iterable[PathLike | None] = (), replace: bool = False
) -> Generator[Path]:
    """A folder for files, which becomes `folder` when the block ends (`folders.new_folder`).

    replace: instead of one that has only files which were written so. InputError, before any work: it has others.
    """
    target = output_folder(folder, inputs=inputs)

    def is_ours(name: str) -> bool:
        return name in (WRITTEN, *(json_or_none(target / WRITTEN, list[str]) or ()))

    with new_folder(target, "files", is_ours, replace=replace) as part:
        yield part
        write_json(part / WRITTEN, names_in(part))


def output_folder(path: PathLike, *, inputs: Iterable[PathLike | None] = ()) -> Path:
    """The folder, if a command may make it or continue in it; otherwise an InputError, before any work.

    No link may be in it. inputs: all that the call reads.
    """
    target = Path(path)
    str(target.absolute()).encode()  # Arrow and the engine take no other path; the API says so
    if target.exists() and not target.is_dir():
        raise InputError("is a file, not a folder", str(path), _ELSEWHERE)
    place = target.resolve()
    for read in _paths(inputs):
        if place in (read.resolve(), *read.resolve().parents):
            what = "is" if read.resolve() == place else "holds"
            raise InputError(f"{what} an input of this command", str(path), _ELSEWHERE)
    refuse_links(target)
    return target


def strings(values: Mapping[str, object] | None) -> Iterator[str]:
    """The values among settings that may name a file."""
    return (value for value in (values or {}).values() if isinstance(value, str))


def _paths(inputs: Iterable[PathLike | None]) -> Iterator[Path]:
    """Every existing path that the arguments of a command can mean."""
    for argument in inputs:
        if argument is None or str(argument) == STANDARD_INPUT:
            continue
        rest = argument.partition("=")[2] if isinstance(argument, str) else ""
        for text in {argument, *rest.split(","), rest} - {""}:
            try:
                Path(text).stat()
            except (OSError, ValueError):  # no path: too long for one, a NUL in it
                continue
            yield Path(text)
