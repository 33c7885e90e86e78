"""The files of a build: opened one after the other, cut into pieces, hashed while they are read.

An archive is one input, and each member is read like a file. A member, or a file of a folder, of no known format is
refused by its name; a named file of no known format ends the build. A worker parses a file that is no larger than a
block; of a larger one PubTator is cut between documents, and other formats are parsed here.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.datasets.definition import Builder
from anagnosis.datasets.folder.receipt import Input
from anagnosis.documents.document import Document
from anagnosis.documents.formats import PRINTED, pubtator
from anagnosis.documents.formats.detect import (
    format_module,
    format_of,
    left_out_counter,
    not_read_counter,
    suffixes,
)
from anagnosis.documents.io.malformed import MalformedError, take_truncated, until_malformed
from anagnosis.documents.reading import WHOLE, reader_of
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError, TruncatedError
from anagnosis.io.archives import Opened, open_each
from anagnosis.io.compression import CHUNK, Filling, buffered
from anagnosis.io.files import STANDARD_INPUT, sha256
from anagnosis.io.input_files import input_files, refuse_repeated
from anagnosis.io.paths import PathLike

SMALL = 2 << 20  # bytes on disk

_PUBTATOR = "pubtator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Whole documents of a file, or what was found in reading it.

    name: of the file, or "archive/member". data: its bytes from `line` on, or the whole file;
    without a format, Documents in msgpack. is_member: whether a file that is malformed is only counted.
    repairs: of the reading here, behind all documents of the file.
    """

    name: str
    format: str = ""
    data: bytes = b""
    line: int = 1
    is_member: bool = False
    repairs: Repairs | None = None


class InputFiles:
    """A build's input, read once in order.

    format: the name of a format, or None to detect it from the first bytes. limit: read so many documents and no more;
    those that are refused do not count. block_bytes: about how much text a block holds. accept_truncated: an input that
    breaks off gives the whole documents before the break, and is counted; otherwise a TruncatedError follows their
    blocks. whole_articles: with full texts and reference lists, where the format's plain reader leaves them out (JATS).
    """

    def __init__(
        self,
        paths: Sequence[PathLike],
        *,
        format: str | None = None,
        limit: int | None = None,
        block_bytes: int = pubtator.BLOCK,
        accept_truncated: bool = False,
        whole_articles: bool = False,
    ) -> None:
        if format is not None:
            format_module(format)
        self.repairs = Repairs()
        self.files = input_files(paths, suffixes(), not_read_counter(self.repairs))
        refuse_repeated(self.files)
        self.accept_truncated = accept_truncated
        self._named = set(map(str, paths))
        self._format = format
        self._left = limit
        self._limit = limit
        self._block_bytes = block_bytes
        self._readers = WHOLE if whole_articles else WHOLE[-1:]
        self._formats: set[str] = set()
        self._read: list[Input] = []
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
        if self._limit is not None:
            said["limit"] = self._limit
        return said

    def blocks(self) -> Iterator[tuple[Piece, ...]]:
        """All pieces of all files, in order, in blocks of `block_bytes`."""
        waiting, size = list[Piece](), 0
        for piece in self._pieces():
            if waiting and piece.data and size + len(piece.data) > self._block_bytes:
                yield tuple(waiting)
                waiting, size = [], 0
            waiting.append(piece)
            size += len(piece.data)
        if waiting:
            yield tuple(waiting)

    def _pieces(self) -> Iterator[Piece]:
        for name, path in self.files:
            if self._left == 0:
                break
            digest, size, repairs = hashlib.sha256(), 0, Repairs()

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
                    on_read=watch,
                    on_left_out=left_out_counter(repairs),
                ):
                    in_folder = str(path) not in self._named
                    opened = opened._replace(is_member=opened.is_member or in_folder)
                    yield from self._of_file(opened, repairs)
                    if self._left == 0:
                        break
            except TruncatedError as fault:
                take_truncated(fault, repairs, accept=self.accept_truncated)
            if repairs.counts or repairs.refusals:
                yield Piece(name=name, repairs=repairs)
            on_disk = _size(path)
            if self._left == 0:
                # How far a file was read for its first documents depends on buffers, which no receipt should show.
                self._read.append(Input(name, on_disk, ""))
            elif size < on_disk:  # it breaks off, or is of an unknown format
                self._read.append(Input(name, on_disk, sha256(path)))
            else:
                self._read.append(Input(name, size, digest.hexdigest()))

    def _of_file(self, opened: Opened, repairs: Repairs) -> Iterator[Piece]:
        format = format_of(opened, repairs, self._format)
        if format is None:
            return
        if format in PRINTED:  # its text may differ from the paper's
            what = f"no dataset is built from pages ({format})"
            if not opened.is_member:
                remedy = "name the paper's JATS, MEDLINE or PubTator, or index this one"
                raise InputError(what, opened.name, remedy)
            repairs.refuse_file(opened.name, what)
            return
        self._formats.add(format)
        piece = partial(Piece, name=opened.name)
        with counted_faults(repairs, opened.name, is_member=opened.is_member, accept=self.accept_truncated):
            stream = opened.stream
            if format == _PUBTATOR:
                for block in until_malformed(
                    pubtator.blocks(stream, opened.name, self._block_bytes), repairs
                ):
                    data = block.data
                    if self._left is not None:
                        data, count = _first_documents(block, self._left)
                        self._left -= count
                    yield piece(format=format, data=data, line=block.line)
                    if self._left == 0:
                        return
                return
            if self._left is None:
                data, fault = _beginning(stream, self._block_bytes)
                if fault is None and len(data) < self._block_bytes:
                    yield piece(format=format, data=data, is_member=opened.is_member)
                    return
                stream = buffered(_Rest(data, fault or stream))
            for data in self._parsed(reader_of(format, self._readers)(stream, repairs, opened.name)):  # pyright: ignore[reportArgumentType]  (a buffered reader is a stream)
                yield piece(data=data)

    def _parsed(self, documents: Iterator[Document]) -> Iterator[bytes]:
        """The documents up to the limit in msgpack, as many at a time as make a block."""
        encoder, waiting, size = msgspec.msgpack.Encoder(), list[msgspec.Raw](), 0
        broken: InputError | None = None
        try:
            for document in islice(documents, self._left):
                waiting.append(msgspec.Raw(encoder.encode(document)))
                size += len(waiting[-1])
                if self._left is not None:
                    self._left -= 1
                if size >= self._block_bytes:
                    yield encoder.encode(waiting)
                    waiting, size = [], 0
        except InputError as fault:
            broken = fault
        if waiting:
            yield encoder.encode(waiting)
        if broken is not None:
            raise broken


def documents(
    piece: Piece, repairs: Repairs, builder: Builder, *, accept_truncated: bool
) -> Iterator[Document | pubtator.Record]:
    """Every document of a piece; of PubTator the records, where the builder takes them. Errors as of its reader."""
    if piece.repairs is not None:
        repairs.add(piece.repairs)
        return
    with counted_faults(repairs, piece.name, is_member=piece.is_member, accept=accept_truncated):
        if piece.format == _PUBTATOR:
            read = pubtator.records if builder.takes_records else pubtator.documents
            found = read(pubtator.Block(piece.name, piece.line, piece.data), repairs)
        elif not piece.format:
            found = iter(msgspec.msgpack.decode(piece.data, type=list[Document]))
        else:
            stream = buffered(_Rest(piece.data))
            found = reader_of(piece.format, WHOLE if builder.whole_articles else WHOLE[-1:])(
                stream, repairs, piece.name
            )  # pyright: ignore[reportArgumentType]  (a buffered reader is a stream)
        yield from found


@contextmanager
def counted_faults(repairs: Repairs, name: str, *, is_member: bool, accept: bool) -> Generator[None]:
    """Count a malformed member of an archive, and, if the user accepts that, a file that breaks off.

    A break of the archive itself, which has another name, is not the member's.
    """
    try:
        yield
    except MalformedError as fault:
        if not is_member:
            raise
        repairs.refuse_file(fault.where, fault.what)
    except TruncatedError as fault:
        if not fault.where.startswith(name):
            raise
        take_truncated(fault, repairs, accept=accept)


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


class _Rest(Filling):
    """Bytes that were read already, and what is behind them: the rest of their stream, or the error that follows."""

    def __init__(self, data: bytes, rest: io.BufferedReader | InputError | None = None) -> None:
        self._data, self._rest = memoryview(data), rest

    def some(self, wanted: memoryview) -> int:
        size = min(len(wanted), len(self._data))
        wanted[:size], self._data = self._data[:size], self._data[size:]
        if isinstance(self._rest, InputError) and not size:
            raise self._rest
        return size or (self._rest.readinto1(wanted) if isinstance(self._rest, io.BufferedReader) else 0)


def _beginning(stream: io.BufferedReader, size: int) -> tuple[bytes, InputError | None]:
    """The bytes of a stream, about `size` of a longer one, and the error that came behind them."""
    pieces, read = list[bytes](), 0
    try:
        while read < size and (data := stream.read1(CHUNK)):
            pieces.append(data)
            read += len(data)
    except InputError as fault:
        return b"".join(pieces), fault
    return b"".join(pieces), None


def _size(path: Path) -> int:
    return 0 if str(path) == STANDARD_INPUT else path.stat().st_size
