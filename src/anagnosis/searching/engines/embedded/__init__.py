"""The embedded engine: tantivy in this process. Files are verified before use (segments.py), papers when read."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.errors import InputError
from anagnosis.searching.engines.embedded.engine import Embedded
from anagnosis.searching.engines.embedded.library_faults import guard, without_panic_message
from anagnosis.searching.engines.embedded.segments import (
    META,
    Segments,
    make_list_anew,
    read_meta,
    write_empty,
)
from anagnosis.searching.papers.records import AGAIN
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import Index


def create(folder: Path, connection: Path | None = None) -> Embedded:
    """Create an empty engine. InputError: a connection, which this engine does not have."""
    _refuse(connection)
    open_library = library().Index.open  # first: without the library nothing is begun
    folder.mkdir(parents=True, exist_ok=True)
    write_empty(folder)
    with guard(folder):
        return Embedded(folder, open_library(str(folder)), Segments(folder))


def _refuse(connection: Path | None) -> None:
    if connection is not None:
        what = "the engine embedded has no connection"
        raise InputError(what, str(connection), "leave --connection out, or index into another folder")


def open(folder: Path, connection: Path | None = None) -> Embedded:
    """Open an existing engine. InputError: it may not be written, which the library's locks need for reading too."""
    _refuse(connection)
    with guard(folder), without_panic_message():  # of a store whose own table of contents is damaged
        files = Segments(folder)
        index, _ = files.read(lambda: _opened(folder))
        return Embedded(folder, index, files)


def _opened(folder: Path) -> Index:
    make_list_anew(folder)
    return library().Index.open(str(folder))


def check(folder: Path) -> Iterator[tuple[str, str]]:
    """(file, its fault, "" if it is sound) for all files of the last commit."""
    with guard(folder):
        meta = read_meta(folder)
        faults = dict(Segments(folder).faults(meta, stores=True))
    for name in (META, *(name for segment in meta.segments for name in segment.files().values())):
        yield name, f"{faults[name]}; {AGAIN}" if name in faults else ""


def remove(folder: Path) -> None:
    """Remove everything that `create` made."""
    shutil.rmtree(folder, ignore_errors=True)
