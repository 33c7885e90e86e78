"""files.json: the files of an index that have pages, by the paths that they had when they were indexed.

A path stands here alone, so that no page and no API shows one. A file is known by its path: its paper keeps its id
where the file has changed, as when somebody writes notes into it, unless its title has changed too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import replace

from anagnosis.documents.document import Document
from anagnosis.documents.formats import PRINTED
from anagnosis.documents.page_map import file_of
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json
from anagnosis.io.paths import PathLike, read_file
from anagnosis.searching.papers.records import AGAIN
from anagnosis.searching.records.passage import Passage

FILE = "files.json"


class PageFile(msgspec.Struct, frozen=True):
    """A file. digest: as in page maps. document: the id of its record. title: that it has."""

    digest: str
    document: str
    title: str


class _Files(msgspec.Struct):
    files: dict[str, PageFile] = {}


class PageFiles:
    """The files of the index in a folder. DamagedError: files.json is not as it was written."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / FILE
        there = read_json(self._place, _Files, AGAIN) if self._place.exists() else _Files()
        self._before, self._files = there.files, dict(there.files)

    def take(self, path: PathLike, document: Document) -> Document:
        """Remember where a document with pages was read; returns it with the id that this path had first."""
        before = self.remember(path, document)
        return replace(document, id=before) if before else document

    def remember(self, path: PathLike, document: Document, ident: str = "") -> str:
        """Remember where a document with pages was read; returns the id that this path had before, or "".

        ident: its id, by default that of before, else the document's.
        """
        digest = next((file_of(one.page_map) for one in document.sections if one.page_map), "")
        name = str(Path(path).resolve())
        # An archive, or a compressed file, is not the file that has the pages.
        if not digest or not _is_text(name) or not _has_digest(Path(name), digest):
            return ""
        before = self._files.get(name)
        if before and before.title != document.title:
            before = None  # another paper lies there now
        now = ident or (before.document if before else document.id)
        self._files[name] = PageFile(digest, now, document.title)
        return before.document if before else ""

    def forget(self, records: Iterable[str]) -> None:
        """Forget the files of records that are removed, by id or "source:id"."""
        removed = frozenset(records)
        self._files = {
            name: one
            for name, one in self._files.items()
            if not removed & {one.document, *(f"{source}:{one.document}" for source in PRINTED)}
        }

    def save(self) -> None:
        """Write files.json, if it has changed."""
        if self._files != self._before:
            write_json(self._place, _Files(dict(sorted(self._files.items()))))
            self._before = dict(self._files)

    def path_of(self, digest: str) -> Path | None:
        """Where the file with this digest was; the first of several copies that is there."""
        places = [Path(name) for name, one in self._files.items() if one.digest == digest]
        return next((place for place in places if place.is_file()), places[0] if places else None)

    def address(self, passage: Passage, pages: Sequence[int]) -> str:
        """The path of the first of these pages of a passage's file, "" without one."""
        path = self.path_of(file_of(passage.page_map)) if passage.page_map and pages else None
        return f"{path}#page={pages[0]}" if path else ""


def _has_digest(path: Path, digest: str) -> bool:
    """Whether a file is there, with these first digits of its SHA-256."""
    try:
        return sha256(read_file(path)).hexdigest().startswith(digest)
    except OSError:
        return False


def _is_text(name: str) -> bool:
    """Whether JSON can hold a path."""
    return not any("\ud800" <= character <= "\udfff" for character in name)
