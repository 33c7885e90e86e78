"""The files of a build: opened one after the other, cut into shards, hashed while they are read."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.datasets.receipt import Input
from anagnosis.datasets.screened import Shard
from anagnosis.documents import pubtator
from anagnosis.documents.detect import detect, format_module, suffixes
from anagnosis.documents.malformed import MalformedError
from anagnosis.documents.pubtator import Block
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.files import ENDS_TOO_EARLY, STANDARD_INPUT, display_name, input_files, open_input

SMALL = 2 << 20  # bytes on disk


class InputFiles:
    """A build's input, read once in order.

    format: the name of a format, or None to tell it by the first bytes. encoding: of all files, or None for UTF-8
    and marked UTF-16. limit: read so many documents and no more; those that are refused do not count. block_bytes:
    about how much text a shard holds. accept_truncated: a compressed file that ends too early gives the whole
    documents before its end, and is counted.
    """

    def __init__(
        self,
        paths: Sequence[str | Path],
        *,
        format: str | None = None,
        encoding: str | None = None,
        limit: int | None = None,
        block_bytes: int = pubtator.BLOCK,
        accept_truncated: bool = False,
    ) -> None:
        if format is not None:
            format_module(format)
        self.files = input_files(paths, suffixes())
        self.repairs = Repairs()
        self._format = format
        self._encoding = encoding
        self._left = limit
        self._limit = limit
        self._block_bytes = block_bytes
        self._accept_truncated = accept_truncated
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

    def include(self, read: Sequence[Input]) -> bool:
        """Whether all that an earlier build read is among these files, by name and size."""
        given = {(name, _size(path)) for name, path in self.files}
        return all(
            (entry.name, entry.bytes) in given or entry.name == display_name(STANDARD_INPUT) for entry in read
        )

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
        return said

    def shards(self) -> Iterator[Shard]:
        """All shards of all files, in order."""
        for name, path in self.files:
            if self._left == 0:
                return
            digest, size = hashlib.sha256(), 0

            def watch(data: bytes, digest: Any = digest) -> None:
                nonlocal size
                digest.update(data)
                size += len(data)
                self._bytes += len(data)

            try:
                with open_input(path, self._encoding, watch, self._note_mark) as stream:
                    yield from self._file_shards(stream, name)
            except InputError as fault:
                if not (self._accept_truncated and fault.what == ENDS_TOO_EARLY):
                    raise
                self.repairs.count("truncated_file")
            # How far a file was read for its first documents depends on buffers, which no receipt should show.
            cut = self._left == 0
            self._read.append(Input(name, _size(path), "") if cut else Input(name, size, digest.hexdigest()))

    def _note_mark(self, encoding: str) -> None:
        self.repairs.count({"utf-8": "utf_8_mark", "utf-16": "utf_16_recoded"}[encoding])

    def _file_shards(self, stream: io.BufferedReader, name: str) -> Iterator[Shard]:
        format = self._format or detect(stream, name)
        self._formats.add(format)
        if self._left is None and hasattr(format_module(format), "documents"):
            return self._block_shards(stream, name, format)
        if format == "pubtator" and self._left is not None:
            return self._first_pubtator_shards(stream, name, self._left)
        return self._document_shards(stream, name, format)

    def _first_pubtator_shards(self, stream: io.BufferedReader, name: str, left: int) -> Iterator[Shard]:
        """Blocks of text up to so many documents: they can be counted without being read."""
        for block in pubtator.blocks(
            stream, name, self._block_bytes, accept_truncated=self._accept_truncated
        ):
            data, documents = _first_documents(block, left)
            left -= documents
            self._left = left
            yield Shard("pubtator", name, block.line, data, raw=True)
            if not left:
                return

    def _block_shards(self, stream: io.BufferedReader, name: str, format: str) -> Iterator[Shard]:
        """Blocks of a format that can be cut without being read; what breaks off is refused behind them."""
        anything = False
        try:
            for block in format_module(format).blocks(
                stream, name, self._block_bytes, accept_truncated=self._accept_truncated
            ):
                anything = True
                yield Shard(format, name, block.line, block.data, raw=True)
        except MalformedError as fault:
            if not anything:
                raise
            self.repairs.refuse(fault.where, f"{fault.what}; what follows is not read")

    def _document_shards(self, stream: io.BufferedReader, name: str, format: str) -> Iterator[Shard]:
        encoder = msgspec.msgpack.Encoder()
        batch: list[msgspec.Raw] = []
        size = 0
        broken: InputError | None = None
        try:
            for document in islice(format_module(format).read(stream, self.repairs, name), self._left):
                batch.append(msgspec.Raw(encoder.encode(document)))
                size += len(batch[-1])
                if self._left is not None:
                    self._left -= 1
                if size >= self._block_bytes:
                    yield Shard(format, name, 1, encoder.encode(batch))
                    batch, size = [], 0
        except InputError as fault:
            if not self._accept_truncated:
                raise
            broken = fault
        if batch:
            yield Shard(format, name, 1, encoder.encode(batch))
        if broken is not None:
            raise broken


def _size(path: Path) -> int:
    return 0 if str(path) == STANDARD_INPUT else path.stat().st_size


def _first_documents(block: Block, count: int) -> tuple[bytes, int]:
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
