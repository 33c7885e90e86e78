"""The papers that `index` is given: of files and folders, and of libraries with the files that they name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote

from msgspec.structs import replace

from anagnosis.documents.document import Document
from anagnosis.documents.formats import PRINTED
from anagnosis.documents.formats.detect import not_read_counter, suffixes
from anagnosis.documents.formats.pdf.reading import reading_ahead
from anagnosis.documents.library_reading import ENDINGS, Folders, Library, entries_read, library_at
from anagnosis.documents.reading import documents_with_formats, inputs
from anagnosis.documents.repairs import Repairs, nothing_read
from anagnosis.errors import InputError
from anagnosis.io import archives
from anagnosis.io.files import STANDARD_INPUT, display_name
from anagnosis.io.input_files import has_ending
from anagnosis.io.paths import PathLike
from anagnosis.progress import print_note
from anagnosis.searching.index.sources import LibraryEntries, PageFiles
from anagnosis.wording import counted

_PDF = "pdf"


@dataclass(frozen=True, slots=True)
class ReadingHow:
    """format, accept_truncated: as of `read`. workers: processes that read PDF files.

    files_from: the folder outside of a library in which files of its entries are.
    """

    format: str | None = None
    accept_truncated: bool = False
    workers: int | None = None
    files_from: Path | None = None


@dataclass(slots=True)
class IndexInputs:
    """The inputs of one call. folder: of the index. faults: of the inputs that cannot be read whole."""

    paths: Sequence[PathLike]
    folder: Path
    how: ReadingHow
    repairs: Repairs
    faults: list[InputError] = field(default_factory=list[InputError])
    # Records as "source:id": of the libraries and PDF files of this call; of entries that are gone; of files that were
    # papers of their own.
    _given: set[str] = field(default_factory=set[str])
    _gone: set[str] = field(default_factory=set[str])
    _replaced: set[str] = field(default_factory=set[str])
    _attached: set[Path] = field(default_factory=set[Path])
    _named: set[Path] = field(init=False)  # by the user, not by a folder
    _files: PageFiles = field(init=False)
    _entries: LibraryEntries = field(init=False)

    def __post_init__(self) -> None:
        self._named = {Path(path) for path in self.paths}
        self._files, self._entries = PageFiles(self.folder), LibraryEntries(self.folder)

    def save(self, removed: Iterable[str]) -> None:
        """Remember where the papers come from, which have been indexed. removed: records that the user removes."""
        self._files.forget({*removed, *self.gone})
        self._files.save()
        self._entries.save()

    @property
    def gone(self) -> list[str]:
        """The records of entries that are gone from their libraries, as "source:id"."""
        return sorted(self._gone - self._given)

    @property
    def replaced(self) -> list[str]:
        """The records of files that are part of an entry now."""
        return sorted(self._replaced - self._given - self._gone)

    def documents(self) -> Iterator[tuple[str, Document]]:
        """(source, document) of one input after the other. Refused (InputError): where none gives a document."""
        any_read = False
        for one in self._each():
            any_read = True
            yield one
        if self.paths and not any_read:
            raise self.faults[0] if self.faults else nothing_read(self.repairs)

    def _each(self) -> Iterator[tuple[str, Document]]:
        """Those of libraries first: their entries say which paper a file is."""
        folders = Folders(Path(one) for one in (*self.paths, *filter(None, [self.how.files_from])))
        libraries, files = self._parted()
        for found in libraries:
            yield from self._of_library(found, folders)
        others = [one for one in files if one[1].resolve() not in self._attached]
        for name, path in reading_ahead(others, lambda one: [one[1]], self.how.workers):
            try:
                for source, document in self._of_file(name, path):
                    if source in PRINTED:
                        document = self._files.take(path, document)
                        self._given.add(f"{source}:{document.id}")
                    yield source, document
            except InputError as fault:
                self._refuse(fault)
        if folders.outside:
            count, above = folders.outside.total(), os.path.commonpath(folders.outside)
            print_note(
                f"{count:,} of the files that the library names are in another folder, and were not read; "
                f"add --files-from {quote(above)}"
            )

    def _parted(self) -> tuple[list[Library], list[tuple[str, Path]]]:
        """The libraries among the inputs, and the other files."""
        given = [(display_name(path), Path(path)) for path in self.paths if Path(path).is_dir()]
        found = [one for name, path in given if (one := library_at(name, path)) is not None]
        others = [path for path in self.paths if Path(path) not in {one.path for one in found}]
        endings = (*suffixes(printed=True), *archives.ENDINGS, *ENDINGS)
        files: list[tuple[str, Path]] = []
        not_read = not_read_counter(self.repairs)
        for name, path in inputs(others, self.repairs, endings) if others else ():
            may_be = self.how.format is None and str(path) != STANDARD_INPUT
            if may_be and (one := library_at(name, path)) is not None:
                found.append(one)
            elif path not in self._named and has_ending(path.name, ENDINGS):
                not_read(path.name)
            else:
                files.append((name, path))
        return found, files

    def _of_file(self, name: str, path: Path) -> Iterator[tuple[str, Document]]:
        return documents_with_formats(
            path,
            self.repairs,
            name=name,
            format=self.how.format,
            full_text=True,
            accept_truncated=self.how.accept_truncated,
            in_folder=path not in self._named,
        )

    def _of_library(self, found: Library, folders: Folders) -> Iterator[tuple[str, Document]]:
        before, is_empty = self.repairs.refused - folders.refused, True
        try:
            for entry, text, files in entries_read(found, self.repairs, folders, self.how.workers):
                is_empty = False
                if text is not None and f"{_PDF}:{text.id}" in self._given:
                    text = _apart(text, files[0][1])
                # Two entries with one identifier are two records of its paper.
                source = f"{found.kind}/{entry.key.replace(':', '.')}"
                records = [(source, entry.document), *([(_PDF, text)] if text else [])]
                for path, document in files:
                    self._attached.add(path.resolve())
                    if alone := self._files.remember(path, document, entry.document.id):
                        self._replaced.add(f"{_PDF}:{alone}")
                labels = [f"{kind}:{one.id}" for kind, one in records]
                self._given.update(labels)
                self._entries.take(found.path, entry.key, labels)
                yield from records
        except InputError as fault:
            self._refuse(fault)
        is_whole = self.repairs.refused - folders.refused == before
        if is_whole and not is_empty:
            self._gone.update(self._entries.gone(found.path))
        elif kept := self._entries.keep(found.path):
            # What could not be read may be an entry that is still there.
            print_note(
                f"{counted(kept, 'paper')} of {found.name} that are not in it any more stay, since it "
                f"{'is empty' if is_whole else 'cannot be read whole'}; mend it, and index it again"
            )

    def _refuse(self, fault: InputError) -> None:
        self.repairs.refuse_file(fault.where, f"{fault.what}; {fault.remedy}" if fault.remedy else fault.what)
        self.faults.append(fault)


def _apart(text: Document, file: Document) -> Document:
    """The text of a second entry with one identifier: a record of its own, which joins the first one's by it."""
    facts = {**text.facts, **({"pmid": text.id} if text.id.isdecimal() else {})}
    return replace(text, id=file.id, facts=facts)
