"""The embedded engine: tantivy's BM25 in this process, over one text field, with a small extra weight for titles.

Each passage is one entry (fields.py). Queries search `content`: title, heading and text; matches in `title` add
TITLE_WEIGHT times their score (chosen on SciFact's training queries, design/search.md). The first passage of a
document has its mark and its Paper. The field `stored` holds the complete passage, so that a commit is one
atomic step of one library. Files are verified before use (segments.py), each passage when it is read.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.errors import InputError
from anagnosis.searching.engines import AGAIN, Rebuilt
from anagnosis.searching.engines.embedded.engine import Embedded
from anagnosis.searching.engines.embedded.library_faults import (
    guard,
    not_read,
    without_panic_message,
    writing_to,
)
from anagnosis.searching.engines.embedded.segments import (
    MANAGED,
    META,
    Segments,
    list_fault,
    make_list_anew,
    read_meta,
    write_empty,
)
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import Index


def create(folder: Path, connection: Path | None = None) -> Embedded:
    """Create an empty engine. InputError: a connection, which this engine does not have."""
    _refuse(connection)
    open_library = library().Index.open  # first: without the library nothing is begun
    folder.mkdir(parents=True, exist_ok=True)
    write_empty(folder)
    with writing_to(folder):
        made = open_library(str(folder))
    return Embedded(folder, made, Segments(folder))


def _refuse(connection: Path | None) -> None:
    if connection is not None:
        what = "the engine embedded has no connection"
        raise InputError(
            what, str(connection), "leave --connection out, or make an index with --engine opensearch"
        )


def open(folder: Path, connection: Path | None = None) -> Embedded:
    """Open an existing engine. InputError: it may not be written, which the library's locks need for reading too."""
    _refuse(connection)
    with guard(folder), without_panic_message():  # of a store whose own table of contents is damaged
        files = Segments(folder)
        index, _ = files.read(lambda: _opened(folder))
        return Embedded(folder, index, files)


def _opened(folder: Path) -> Index:
    make_list_anew(folder)
    try:
        return library().Index.open(str(folder))
    except ValueError as fault:
        raise not_read(fault, folder) from fault


def is_empty(folder: Path) -> bool:
    """Whether nothing was committed; see EngineModule."""
    try:
        return not (folder / META).exists() or not read_meta(folder).segments
    except InputError:
        return False


def check(folder: Path) -> Iterator[tuple[str, str]]:
    """(file, its fault, "" if it is sound) for all files of the last commit."""
    files, meta = Segments(folder), read_meta(folder)
    faults = dict(files.faults(meta, stores=True))
    for name in (META, *(name for segment in meta.segments for name in segment.files().values())):
        yield name, f"{faults[name]}; {AGAIN}" if name in faults else ""
    if fault := list_fault(folder):
        yield MANAGED, f"{fault}; {AGAIN}"


def remove(folder: Path) -> None:
    """Remove everything that `create` made."""
    shutil.rmtree(folder, ignore_errors=True)


def rebuilt(folder: Path) -> Rebuilt:
    """InputError: this engine has room for one."""
    raise _one_alone(folder, "--rebuild")


def drop_old(folder: Path) -> list[str]:
    """InputError: this engine has room for one."""
    raise _one_alone(folder, "--drop-old")


def _one_alone(folder: Path, option: str) -> InputError:
    what = f"the engine embedded has no second index for {option}"
    return InputError(
        what, str(folder.parent), "index into another folder with --out, then exchange the folders"
    )


def unlock(folder: Path) -> str:
    """The system's lock ends with the process that has it, so nothing is left to unlock."""
    return ""


def about(folder: Path) -> Iterator[tuple[str, str]]:
    """There is no server."""
    return iter(())
