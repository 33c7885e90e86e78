"""The engine in process: tantivy's BM25 over one text field, with the title's words weighed a little more.

One entry a passage (fields.py). `content` is what is searched: title, heading and text; `title` alone counts
TITLE_WEIGHT beside it (chosen on SciFact's training queries, design/search.md). A document's mark lies with its first
passage, number 0. Everything that was written is in `stored`, so that a commit is one atomic step of one library. Files
are verified before they are used (segments.py), and each passage when it is read. A folder that cannot be written is
read through links (links.py).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.errors import InputError
from anagnosis.searching.engines.embedded.engine import Embedded
from anagnosis.searching.engines.embedded.fields import schema
from anagnosis.searching.engines.embedded.library_faults import (
    guard,
    not_read,
    without_panic_message,
    writing_to,
)
from anagnosis.searching.engines.embedded.links import Links
from anagnosis.searching.engines.embedded.segments import META, Segments, read_meta
from anagnosis.searching.words import library

if TYPE_CHECKING:
    from tantivy import Index

_LOCKED = "Lockfile"


def create(folder: Path, settings: Path | None = None) -> Embedded:
    """An empty one. Refused (InputError): a file of settings, of which it has none."""
    if settings is not None:
        raise InputError(
            "the engine embedded takes no settings", str(settings), "leave --engine-settings out"
        )
    fields = schema()  # first: without the library nothing is begun
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / META).exists() and not read_meta(folder).has_checksums:  # an earlier version began
        (folder / META).unlink()
    with writing_to(folder):
        made = library().Index(fields, path=str(folder))
    return Embedded(folder, made, Segments(folder))


def open(folder: Path) -> Embedded:
    """One that is there. Where it cannot be written, it can be searched."""
    with guard(folder), without_panic_message():  # of a store whose own table of contents is damaged
        files = Segments(folder)
        (index, links), _ = files.read(lambda: _opened(folder))
        return Embedded(folder, index, files, links)


def _opened(folder: Path) -> tuple[Index, Links | None]:
    index = library().Index
    try:
        try:
            return index.open(str(folder)), None
        except ValueError as fault:
            if _LOCKED not in str(fault):
                raise
        links = Links(folder)
        return links.read(lambda: index.open(str(links.at))), links
    except ValueError as fault:
        raise not_read(fault, folder) from fault


def is_empty(folder: Path) -> bool:
    """Whether `create` was not called there, or killed, or nothing was committed since."""
    try:
        return not (folder / META).exists() or not read_meta(folder).segments
    except InputError:
        return False


def check(folder: Path) -> Iterator[tuple[str, str]]:
    """(file, what is wrong with it, "" where nothing is) of all files of the last commit."""
    files, meta = Segments(folder), read_meta(folder)
    faults = dict(files.faults(meta, stores=True))
    for name in (META, *(name for segment in meta.segments for name in segment.files().values())):
        yield name, faults.get(name, "")


def remove(folder: Path) -> None:
    """Remove all that `create` made."""
    shutil.rmtree(folder, ignore_errors=True)
