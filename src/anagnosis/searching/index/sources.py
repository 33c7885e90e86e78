"""Where the papers of an index come from: files that have pages, and entries of libraries.

files.json has the files by the paths that they had when they were indexed. A path stands there alone, so that no page
and no API shows one. A file is known by its path: its paper keeps its id where the file has changed, as when somebody
writes notes into it, unless its title has changed too.

libraries.json has the entries of each library, by its path and their keys, and the records that each gave. When the
same library is indexed again, the records of entries that are gone from it are gone from the index too, unless another
library has them.
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

FILE, LIBRARIES_FILE = "files.json", "libraries.json"
# The path of a library → the key of an entry → its records, as "source:id".
_Libraries = dict[str, dict[str, list[str]]]


class PageFile(msgspec.Struct, frozen=True):
    """A file. digest: as in page maps. document: the id of its record. title: that it has."""

    digest: str
    document: str
    title: str


class PageFiles:
    """The files of the index in a folder. DamagedError: files.json is not as it was written."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / FILE
        self._before = read_json(self._place, dict[str, PageFile], AGAIN) if self._place.exists() else {}
        self._files = dict(self._before)

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
            write_json(self._place, dict(sorted(self._files.items())))
            self._before = dict(self._files)

    def path_of(self, digest: str) -> Path | None:
        """Where the file with this digest was; the first of several copies that is there."""
        places = [Path(name) for name, one in self._files.items() if one.digest == digest]
        return next((place for place in places if place.is_file()), places[0] if places else None)

    def of_records(self) -> dict[str, list[str]]:
        """The id of a record → the paths of its files."""
        found: dict[str, list[str]] = {}
        for name, one in self._files.items():
            found.setdefault(one.document, []).append(name)
        return found

    def address(self, passage: Passage, pages: Sequence[int]) -> str:
        """The path of the first of these pages of a passage's file, "" without one."""
        path = self.path_of(file_of(passage.page_map)) if passage.page_map and pages else None
        return f"{path}#page={pages[0]}" if path else ""


class LibraryEntries:
    """The entries of the index in a folder. DamagedError: libraries.json is not as it was written."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / LIBRARIES_FILE
        self._before = read_json(self._place, _Libraries, AGAIN) if self._place.exists() else {}
        self._now: _Libraries = {}

    def take(self, library: Path, key: str, records: Iterable[str]) -> None:
        """Remember an entry that was read. records: that it gave, as "source:id"."""
        entries = self._now.setdefault(str(library.resolve()), {})
        entries[key] = [*dict.fromkeys((*entries.get(key, ()), *records))]

    def gone(self, library: Path) -> list[str]:
        """The records of entries that were in a library, which was read whole now, and are in none any more."""
        name = str(library.resolve())
        before = self._before.get(name, {})
        self._with_missing_files(name)
        others = {path: entries for path, entries in self._before.items() if path != name} | self._now
        there = {record for entries in others.values() for records in entries.values() for record in records}
        return sorted({record for records in before.values() for record in records} - there)

    def keep(self, library: Path) -> int:
        """Remember all entries of a library that was not read whole.

        Returns the number of those that are not there now.
        """
        name = str(library.resolve())
        now = self._with_missing_files(name)
        kept = {key: records for key, records in self._before.get(name, {}).items() if key not in now}
        now |= kept
        return len(kept)

    def _with_missing_files(self, name: str) -> dict[str, list[str]]:
        """The entries that were read; one whose file is missing for a while keeps what its file gave before."""
        before, now = self._before.get(name, {}), self._now.setdefault(name, {})
        for key in now.keys() & before.keys():
            sources = {record.partition(":")[0] for record in now[key]}
            now[key] += [one for one in before[key] if one.partition(":")[0] not in sources]
        return now

    def save(self) -> None:
        """Write libraries.json, if it has changed."""
        after = {**self._before, **self._now}
        if after != self._before:
            write_json(self._place, dict(sorted(after.items())))
            self._before, self._now = after, {}


def _has_digest(path: Path, digest: str) -> bool:
    """Whether a file is there, with these first digits of its SHA-256."""
    try:
        return sha256(read_file(path)).hexdigest().startswith(digest)
    except OSError:
        return False


def _is_text(name: str) -> bool:
    """Whether JSON can hold a path."""
    return not any("\ud800" <= character <= "\udfff" for character in name)
