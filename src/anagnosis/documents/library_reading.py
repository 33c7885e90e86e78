"""The papers of a library: each entry, and what its PDF files say, as records of one paper.

A library's entry takes precedence over its files: its id, title and facts are theirs too. Main text and supplements
are one document; the page map of each section names its file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.pdf.reading import reading_ahead
from anagnosis.documents.libraries import LIBRARIES, kind_of_file
from anagnosis.documents.libraries.entry import OF_LIBRARY, Entry
from anagnosis.documents.libraries.zotero import DATABASE, is_library
from anagnosis.documents.libraries.zotero import KIND as ZOTERO
from anagnosis.documents.libraries.zotero import entries as zotero_entries
from anagnosis.documents.reading import reader_of
from anagnosis.documents.repairs import ROOM, Repairs
from anagnosis.errors import InputError
from anagnosis.io.compression import without_compression
from anagnosis.io.files import open_input
from anagnosis.io.input_files import has_ending
from anagnosis.io.paths import open_file, reason_of
from anagnosis.registry import load

ENDINGS = (".bib", ".ris", ".ciw", ".csv")
"""Of library files inside a folder, beside those that formats have too (.json, .xml)."""
_TOLD_APART = (*ENDINGS, ".json", ".xml", ".txt")
MOST_FILES = 50  # of an entry
_HEAD = 1 << 16
_READ = reader_of("pdf", ("read",))


class Library(NamedTuple):
    """A library. kind: of LIBRARIES. name: in messages. path: its folder, or its file."""

    kind: str
    name: str
    path: Path

    @property
    def folder(self) -> Path:
        """In which its files are."""
        return self.path if self.kind == ZOTERO else self.path.parent

    def entries(self, repairs: Repairs) -> Iterator[Entry]:
        """Its entries. InputError: there is no room for their values."""
        file = self.path / DATABASE if self.kind == ZOTERO else self.path
        # What is compressed has some five times as many characters.
        times = 2 if without_compression(file.name) == file.name else 16
        repairs.room = max(ROOM, times * file.stat().st_size)
        if self.kind == ZOTERO:
            yield from zotero_entries(self.path, repairs)
            return
        with open_input(self.path) as stream:
            for entry in load(LIBRARIES[self.kind]).entries(stream, repairs, self.name, self.folder):
                yield replace(entry, document=_of_this_library(entry, self.kind))


class Folders:
    """The folders of which files may be read. outside: files in others, by folder. refused: files not readable."""

    def __init__(self, allowed: Iterable[Path]) -> None:
        self._allowed = [path.resolve() for path in allowed]
        self.outside = Counter[Path]()
        self.refused = 0

    def allow(self, path: Path, library: Library, repairs: Repairs) -> bool:
        """Whether a file may be read, all links followed, and is there. Counted: file_outside, file_missing."""
        try:
            real, is_there = path.resolve(), path.is_file()
        except (OSError, RuntimeError, ValueError):
            is_there, real = False, path  # a circle of links, or a name that no system has
        inside = (library.folder.resolve(), *self._allowed)
        if is_there and not any(real.is_relative_to(one) for one in inside):
            self.outside[path.parent.absolute()] += 1
            repairs.count("file_outside")
            return False
        repairs.count("file_missing", not is_there)
        return is_there


def library_at(name: str, path: Path) -> Library | None:
    """The library at a path; None for anything else."""
    if path.is_dir():
        return Library(ZOTERO, name, path) if is_library(path) else None
    if not has_ending(path.name, _TOLD_APART):
        return None
    try:
        with open_input(path) as stream:
            head = stream.peek(_HEAD)
    except (InputError, OSError):
        return None  # said where it is read as a file of papers
    kind = kind_of_file(head)
    return Library(kind, name, path) if kind else None


def entries_read(
    of: Library, repairs: Repairs, folders: Folders, workers: int | None
) -> Iterator[tuple[Entry, Document | None, list[tuple[Path, Document]]]]:
    """(entry, the document of its files or None, each file that was read with its document). workers: processes."""

    def with_paths() -> Iterator[tuple[Entry, list[Path]]]:
        for entry in of.entries(repairs):
            there = [path for path in map(Path, entry.files) if folders.allow(path, of, repairs)]
            each = list({path.resolve(): path for path in there}.values())
            repairs.count("attachment_left_out", max(len(each) - MOST_FILES, 0))
            yield entry, each[:MOST_FILES]

    for entry, paths in reading_ahead(with_paths(), lambda one: one[1], workers):
        files: list[tuple[Path, Document]] = []
        for path in paths:
            before = repairs.refused
            try:
                with open_file(path) as stream:
                    files += ((path, document) for document in _READ(stream, repairs, path.name))
            except InputError as fault:
                repairs.refuse_file(fault.where, f"{fault.what}; {fault.remedy}")
            except OSError as fault:
                repairs.refuse_file(path.name, f"{reason_of(fault)}; check its rights and the disk")
            folders.refused += repairs.refused - before
        yield entry, _joined(entry.document, [document for _, document in files]), files


def _of_this_library(entry: Entry, kind: str) -> Document:
    """The document of an entry with an id that no other file's entry with the same key has."""
    document = entry.document
    if document.id != f"{kind}-{entry.key}":
        return document
    digest = sha256(f"{document.title}\n{document.facts.get('year', '')}".encode()).hexdigest()
    return replace(document, id=f"{document.id}-{digest[:8]}")


def _joined(entry: Document, texts: Sequence[Document]) -> Document | None:
    """The documents of an entry's files as one, with what the entry says of it."""
    if not texts:
        return None
    title = entry.title or texts[0].title
    sections = (section for text in texts for section in text.sections if section.label != "title")
    own = {name: fact for text in reversed(texts) for name, fact in text.facts.items()}
    of_entry = entry.facts
    if entry.text.strip():  # it is a record of its own, and has these
        of_entry = {name: fact for name, fact in of_entry.items() if name not in OF_LIBRARY}
    facts = {**own, **of_entry}
    return replace(texts[0], id=entry.id, sections=(Section("title", title), *sections), facts=facts)
