"""The papers of a library: each entry, and what its PDF files say, as records of one paper.

A library's entry takes precedence over its files: its id, title and facts are theirs too. Main text and supplements
are one document; the page map of each section names its file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.pdf.format import read
from anagnosis.documents.formats.pdf.reading_ahead import reading_ahead
from anagnosis.documents.libraries import LIBRARIES
from anagnosis.documents.libraries.entry import Entry
from anagnosis.documents.libraries.zotero import KIND as ZOTERO
from anagnosis.documents.libraries.zotero import entries as zotero_entries
from anagnosis.documents.libraries.zotero import is_library
from anagnosis.documents.repairs import Repairs
from anagnosis.io.files import open_input
from anagnosis.io.input_files import has_ending

ENDINGS = (".bib", ".ris", ".csv")
"""Of library files inside a folder, beside those that formats have too (.json, .xml)."""
_TOLD_APART = (*ENDINGS, ".json", ".xml", ".txt")
_HEAD = 1 << 16


class Library(NamedTuple):
    """A library. kind: of LIBRARIES. name: in messages. path: its folder, or its file."""

    kind: str
    name: str
    path: Path

    @property
    def folder(self) -> Path:
        """In which its files are."""
        return self.path if self.kind == ZOTERO else self.path.parent

    def entries(self, repairs: Repairs, base: Path | None = None) -> Iterator[Entry]:
        """Its entries. base: the folder of linked files of Zotero."""
        if self.kind == ZOTERO:
            yield from zotero_entries(self.path, repairs, base)
            return
        with open_input(self.path) as stream:
            yield from import_module(LIBRARIES[self.kind]).entries(stream, repairs, self.name, self.folder)


class EntryRead(NamedTuple):
    """An entry, and the document of its files, None without one. files: those that were read, with their documents."""

    entry: Entry
    text: Document | None
    files: Sequence[tuple[Path, Document]]


class Folders:
    """The folders of which files may be read. outside: the number of files in others, by folder."""

    def __init__(self, allowed: Iterable[Path]) -> None:
        self._allowed = [path.resolve() for path in allowed]
        self.outside = Counter[Path]()

    def allow(self, path: Path, library: Library, repairs: Repairs) -> bool:
        """Whether a file may be read and is there. Counted: file_outside, file_missing."""
        real = path.resolve()
        if not any(real.is_relative_to(one) for one in (library.folder.resolve(), *self._allowed)):
            self.outside[path.parent] += 1
            repairs.count("file_outside")
            return False
        is_there = path.is_file()
        repairs.count("file_missing", not is_there)
        return is_there


def library(name: str, path: Path) -> Library | None:
    """The library at a path; None for anything else."""
    if path.is_dir():
        return Library(ZOTERO, name, path) if is_library(path) else None
    if not has_ending(path.name, _TOLD_APART):
        return None
    with open_input(path) as stream:
        head = stream.peek(_HEAD)
    for kind, module in LIBRARIES.items():
        if kind != ZOTERO and import_module(module).sniff(head):
            return Library(kind, name, path)
    return None


def entries_read(
    of: Library, repairs: Repairs, folders: Folders, workers: int | None, base: Path | None = None
) -> Iterator[EntryRead]:
    """The entries of a library with their files. workers: processes that read those."""

    def with_paths() -> Iterator[tuple[Entry, list[Path]]]:
        for entry in of.entries(repairs, base):
            yield entry, [path for path in map(Path, entry.files) if folders.allow(path, of, repairs)]

    for entry, paths in reading_ahead(with_paths(), lambda one: one[1], workers):
        files: list[tuple[Path, Document]] = []
        for path in paths:
            with path.open("rb") as stream:
                files += ((path, document) for document in read(stream, repairs, path.name))
        yield EntryRead(entry, _joined(entry.document, [document for _, document in files]), files)


def _joined(entry: Document, texts: Sequence[Document]) -> Document | None:
    """The documents of an entry's files as one, with what the entry says of it."""
    if not texts:
        return None
    title = entry.title or texts[0].title
    sections = (section for text in texts for section in text.sections if section.label != "title")
    own = {name: fact for text in reversed(texts) for name, fact in text.facts.items() if name == "doi"}
    facts = {**own, **entry.facts}
    return replace(texts[0], id=entry.id, sections=(Section("title", title), *sections), facts=facts)
