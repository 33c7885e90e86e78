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
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.files import STANDARD_INPUT, input_files, open_input

DOCUMENTS_A_SHARD = 1_000


class InputFiles:
    """A build's input, read once in order.

    format: the name of a format, or None to tell it by the first bytes. encoding: of all files, or None for UTF-8
    and marked UTF-16. limit: read so many documents and no more. accept_truncated: a compressed file that ends too
    early gives the whole documents before its end, and is counted.
    """

    def __init__(
        self,
        paths: Sequence[str | Path],
        *,
        format: str | None = None,
        encoding: str | None = None,
        limit: int | None = None,
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
        self._accept_truncated = accept_truncated
        self._formats: set[str] = set()
        self._read: list[Input] = []
        self._bytes = 0
        self._all_bytes = sum(path.stat().st_size for _, path in self.files if str(path) != STANDARD_INPUT)

    @property
    def share(self) -> float | None:
        """How much of the input has been read, by bytes on disk; None for standard input."""
        return self._bytes / self._all_bytes if self._all_bytes else None

    def read_so_far(self) -> list[Input]:
        """Name, bytes and hash of every file read; of one that --limit cut short, of what was read."""
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
                with open_input(path, self._encoding, watch) as stream:
                    yield from self._file_shards(stream, name)
                    complete = not stream.read(1)
            except InputError as fault:
                if not (self._accept_truncated and "ends too early" in fault.what):
                    raise
                self.repairs.count("truncated_file")
                complete = True
            self._read.append(Input(name, size, digest.hexdigest() if complete else ""))

    def _file_shards(self, stream: io.BufferedReader, name: str) -> Iterator[Shard]:
        format = self._format or detect(stream, name)
        self._formats.add(format)
        found = (
            self._pubtator_shards(stream, name)
            if format == "pubtator"
            else self._document_shards(stream, name, format)
        )
        yield from found

    def _pubtator_shards(self, stream: io.BufferedReader, name: str) -> Iterator[Shard]:
        for block in pubtator.blocks(stream, name, accept_truncated=self._accept_truncated):
            limit = self._left
            if self._left is not None:
                self._left -= min(self._left, sum(1 for _ in pubtator.records(block, Repairs())))
            yield Shard("pubtator", name, block.line, block.data, limit)
            if self._left == 0:
                return

    def _document_shards(self, stream: io.BufferedReader, name: str, format: str) -> Iterator[Shard]:
        documents = format_module(format).read(stream, self.repairs, name)
        while batch := list(islice(documents, min(DOCUMENTS_A_SHARD, self._left or DOCUMENTS_A_SHARD))):
            if self._left is not None:
                self._left -= len(batch)
            yield Shard(format, name, 1, msgspec.msgpack.encode(batch))
            if self._left == 0:
                return
