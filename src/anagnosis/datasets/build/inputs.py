"""The files of a build: opened one after the other, cut into shards, hashed while they are read.

An archive is one input, and each member is read like a file. A member, or a file of a folder, of no known format is
refused by its name; a named file of no known format ends the build.

The vocabulary whose names a builder adds to answers is used where it lies if it is stored; other files of terms are
stored in the work folder first. Each worker opens it, and look-ups read it from disk.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.datasets.build.screening import Shard
from anagnosis.datasets.folder.receipt import Input
from anagnosis.documents.document import Document
from anagnosis.documents.formats import PRINTED
from anagnosis.documents.formats.detect import (
    format_module,
    format_of,
    left_out_counter,
    not_read_counter,
    suffixes,
)
from anagnosis.documents.formats.pubtator import format as pubtator
from anagnosis.documents.io.malformed import MalformedError, is_of_member, take_truncated, truncated
from anagnosis.documents.reading import WHOLE, reader_of
from anagnosis.documents.repairs import Repairs
from anagnosis.entities.concepts import NAME_RULES, concepts, nothing_read
from anagnosis.entities.origin import TermSource, noted_origin, source_of_terms
from anagnosis.entities.vocabulary import HEAD, Origin, Vocabulary, is_stored, store, term_files, terms
from anagnosis.errors import InputError, TruncatedError
from anagnosis.io.archives import Opened, open_each
from anagnosis.io.files import STANDARD_INPUT, open_input, sha256
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import PathLike

SMALL = 2 << 20  # bytes on disk
KEPT = ("suppressed_name",)  # rules of names that do not apply: an answer may be any name of a concept

# No rule asks who wrote a paper or what it cites, and reading that takes as long again.
_TEXTS = ("read_texts", "read")


class InputFiles:
    """A build's input, read once in order.

    format: the name of a format, or None to detect it from the first bytes. encoding: of all files, or None for UTF-8
    and marked UTF-16. limit: read so many documents and no more; those that are refused do not count. block_bytes:
    about how much text a shard holds. accept_truncated: an input that breaks off gives the whole documents before the
    break, and is counted; otherwise a TruncatedError follows their shards. together: small files whose documents are
    read here share a shard, named "first to last". whole_articles: with full texts and reference lists, where the
    format's plain reader leaves them out (JATS).
    """

    def __init__(
        self,
        paths: Sequence[PathLike],
        *,
        format: str | None = None,
        encoding: str | None = None,
        limit: int | None = None,
        block_bytes: int = pubtator.BLOCK,
        accept_truncated: bool = False,
        together: bool = True,
        whole_articles: bool = False,
    ) -> None:
        if format is not None:
            format_module(format)
        self.repairs = Repairs()
        self.files = input_files(paths, suffixes(), not_read_counter(self.repairs))
        self._named = set(map(str, paths))
        self._format = format
        self._encoding = encoding
        self._left = limit
        self._limit = limit
        self._block_bytes = block_bytes
        self._accept_truncated = accept_truncated
        self._together = together
        self._readers = WHOLE if whole_articles else _TEXTS
        self._batch = _Batch()
        self._formats: set[str] = set()
        self._read: list[Input] = []
        self.refused: Counter[str] = Counter()
        self._bytes = 0
        self._all_bytes = sum(_size(path) for _, path in self.files)

    @property
    def share(self) -> float | None:
        """How much of the input has been read, by bytes on disk; None for standard input."""
        return self._bytes / self._all_bytes if self._all_bytes else None

    @property
    def is_small(self) -> bool:
        """Whether judging it here takes less time than starting processes would."""
        return 0 < self._all_bytes < SMALL

    def read_so_far(self) -> list[Input]:
        """Name, bytes and hash of every file read; no hash of the one that the limit may have cut short."""
        return list(self._read)

    def choices(self) -> dict[str, Any]:
        """What the receipt says of how the input was read."""
        said: dict[str, Any] = {"formats": sorted(self._formats)}
        if self._encoding:
            said["encoding"] = self._encoding
        if self._limit is not None:
            said["limit"] = self._limit
        if annotated := self._annotation_origins():
            said["annotated"] = annotated
        return said

    def _annotation_origins(self) -> dict[str, Any]:
        """Name of a file that `annotate` wrote → what its mentions were made of; of files that were read to the end."""
        paths = dict(self.files)
        noted = {
            entry.name: noted_origin(paths[entry.name], entry.sha256) for entry in self._read if entry.sha256
        }
        return {name: msgspec.to_builtins(origin) for name, origin in noted.items() if origin is not None}

    def shards(self) -> Iterator[Shard]:
        """All shards of all files, in order."""
        for name, path in self.files:
            if self._left == 0:
                break
            digest, size = hashlib.sha256(), 0
            refused = self.repairs.refused

            def watch(data: bytes, digest: Any = digest) -> None:
                nonlocal size
                digest.update(data)
                size += len(data)
                self._bytes += len(data)

            try:
                for opened in open_each(
                    path,
                    suffixes(),
                    name=name,
                    encoding=self._encoding,
                    on_read=watch,
                    on_mark=self._note_mark,
                    on_left_out=left_out_counter(self.repairs),
                ):
                    in_folder = str(path) not in self._named
                    opened = opened._replace(is_member=opened.is_member or in_folder)
                    yield from self._file_shards(opened, name)
                    if self._left == 0:
                        break
            except TruncatedError as fault:
                take_truncated(fault, self.repairs, accept=self._accept_truncated)
                self.refused[name] += self.repairs.refused - refused
                if str(path) != STANDARD_INPUT:
                    self._read.append(Input(name, _size(path), sha256(path)))
                    continue
            self.refused[name] += self.repairs.refused - refused
            # How far a file was read for its first documents depends on buffers, which no receipt should show.
            cut = self._left == 0
            self._read.append(Input(name, _size(path), "") if cut else Input(name, size, digest.hexdigest()))
        yield from self._batch.taken()

    def _note_mark(self, encoding: str) -> None:
        self.repairs.count({"utf-8": "utf_8_mark", "utf-16": "utf_16_recoded"}[encoding])

    def _file_shards(self, opened: Opened, file: str) -> Iterator[Shard]:
        format = self._format or format_of(opened, self.repairs)
        if format is None:
            return
        if format in PRINTED:
            _refuse_printed(opened, format, self.repairs)
            return
        self._formats.add(format)
        is_pubtator = format == "pubtator"
        if is_pubtator or format != self._batch.format:
            yield from self._batch.taken()
        try:
            if is_pubtator:
                yield from self._pubtator_shards(opened, file)
            else:
                yield from self._document_shards(opened, format, file)
        except MalformedError as fault:
            if not opened.is_member:
                raise
            self.repairs.refuse_file(fault.where, fault.what)
        except TruncatedError as fault:
            if not is_of_member(fault, opened):
                raise
            take_truncated(fault, self.repairs, accept=self._accept_truncated)
        if not self._together:
            yield from self._batch.taken()

    def _pubtator_shards(self, opened: Opened, file: str) -> Iterator[Shard]:
        """Blocks of text, which are cut without being read; up to the limit, where there is one."""
        anything = False
        try:
            for block in pubtator.blocks(opened.stream, opened.name, self._block_bytes):
                anything, data = True, block.data
                if self._left is not None:
                    data, documents = _first_documents(block, self._left)
                    self._left -= documents
                yield Shard("pubtator", opened.name, block.line, data, raw=True, files=((file, 0),))
                if self._left == 0:
                    return
        except MalformedError as fault:
            if not anything:
                raise
            raise truncated(fault) from fault

    def _document_shards(self, opened: Opened, format: str, file: str) -> Iterator[Shard]:
        documents = reader_of(format, self._readers)(opened.stream, self.repairs, opened.name)  # pyright: ignore[reportArgumentType]  (a buffered reader is a stream)
        for document in islice(documents, self._left):
            self._batch.add(format, opened.name, file, document)
            if self._left is not None:
                self._left -= 1
            if self._batch.size >= self._block_bytes:
                yield from self._batch.taken()


class _Batch:
    """Documents of one format that were read, of one file or of several in a row, until they are a shard."""

    def __init__(self) -> None:
        self._encoder = msgspec.msgpack.Encoder()
        self._documents: list[msgspec.Raw] = []
        self._names = ("", "")
        self._files = Counter[str]()
        self.format = ""
        self.size = 0

    def add(self, format: str, name: str, file: str, document: Document) -> None:
        """One more. file: the input, of which `name` may be a member."""
        encoded = msgspec.Raw(self._encoder.encode(document))
        self._names = (self._names[0] if self._documents else name, name)
        self._documents.append(encoded)
        self._files[file] += 1
        self.format = format
        self.size += len(encoded)

    def taken(self) -> Iterator[Shard]:
        """The shard, if there are any documents; then there are none."""
        if self._documents:
            first, last = self._names
            name = first if first == last else f"{first} to {last}"
            files = tuple(self._files.items())
            yield Shard(self.format, name, 1, self._encoder.encode(self._documents), files=files)
        self._documents, self.size = [], 0
        self._files.clear()


def _size(path: Path) -> int:
    return 0 if str(path) == STANDARD_INPUT else path.stat().st_size


def _refuse_printed(opened: Opened, format: str, repairs: Repairs) -> None:
    """Count a file whose text may differ from the paper's. InputError: the user named it."""
    what = f"no dataset is built from pages ({format})"
    if not opened.is_member:
        raise InputError(what, opened.name, "name the paper's JATS, MEDLINE or PubTator, or index this one")
    repairs.refuse_file(opened.name, what)


def _first_documents(block: pubtator.Block, count: int) -> tuple[bytes, int]:
    """The text of a block's first `count` documents that can be read, and how many they are."""
    titles = [record.line for record in islice(pubtator.records(block, Repairs()), count)]
    if len(titles) < count:
        return block.data, len(titles)
    end, passed = 0, titles[-1] - block.line
    for number, line in enumerate(block.data.split(b"\n")):
        if number > passed and pubtator.sniff(line):
            return block.data[:end], count
        end += len(line) + 1
    return block.data, count


def documents(shard: Shard, repairs: Repairs) -> Iterator[Document]:
    """Every document of a shard, whole."""
    if shard.raw:
        return pubtator.documents(pubtator.Block(shard.name, shard.line, shard.data), repairs)
    return iter(msgspec.msgpack.decode(shard.data, type=list[Document]))


class Synonyms(msgspec.Struct, frozen=True):
    """A vocabulary for workers. path: of the stored file. name: of its source, without endings."""

    path: str
    name: str


def term_sources(paths: Sequence[PathLike]) -> list[TermSource]:
    """The files of terms with their SHA-256, in their order. InputError: one is standard input, or can't be read."""
    if any(str(path) == STANDARD_INPUT for path in paths):
        raise InputError("can't be read twice", "--terms -", "save it and name the file")
    return [source_of_terms(*file) for file in term_files(paths)] if paths else []


def term_choices(read: Sequence[TermSource]) -> dict[str, Any]:
    """What the receipt says of the sources."""
    return {"terms": [msgspec.to_builtins(source) for source in read]} if read else {}


def prepared_terms(paths: Sequence[PathLike], read: Sequence[TermSource], work: Path) -> Synonyms | None:
    """The vocabulary of the files, stored below `work` unless they are one stored vocabulary; None of no files."""
    if not paths:
        return None
    files = term_files(paths)
    name = " and ".join(source.name.partition(".")[0] for source in read)
    if len(files) == 1:
        with open_input(files[0][1]) as stream:
            if is_stored(stream.peek(HEAD)[:HEAD]):
                return Synonyms(str(Path(files[0][1]).resolve()), name)
    path, counts = work / "vocabulary.terms", Counter[str]()
    applied = [rule for rule in NAME_RULES if rule not in KEPT]
    listed = list(concepts(terms(paths, counts), applied, counts))
    if not listed:
        raise nothing_read(counts)
    store(listed, path, Origin(tuple((each.name, each.sha256) for each in read), KEPT))
    return Synonyms(str(path), name)


@lru_cache(maxsize=1)
def opened_vocabulary(path: str) -> Vocabulary:
    """The stored vocabulary, opened once by each process."""
    return Vocabulary(path)
