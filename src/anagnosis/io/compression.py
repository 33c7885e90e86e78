"""Compressed streams, detected from their first bytes and unpacked in blocks.

The signatures: gzip 1f 8b, zstandard 28 b5 2f fd, xz fd 37 7a 58 5a 00, bzip2 BZh. The file's name does not matter.
"""

from __future__ import annotations

import io
import sys
from abc import abstractmethod
from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

from anagnosis.errors import InputError, TruncatedError

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
XZ_MAGIC = b"\xfd7zXZ\x00"
BZIP2_MAGICS = (b"1AY&SY", b"\x17rE8P\x90")  # behind BZh and a digit: a block, or the end of an empty file
CHUNK = 1 << 20
HEAD = 1 << 16
ENDS_TOO_EARLY = "the compressed file ends too early"

# Compressed bytes to unpack at a time: gzip expands a thousand times at most. The others can expand more, but give
# CHUNK bytes at a time.
_BLOCK = 16 << 10
# `xz -9` needs 65 MiB to unpack.
_XZ_MEMORY = 256 << 20


def unpacked(source: io.BufferedReader, name: str) -> io.BufferedReader:
    """The stream decompressed by its detected compression, or the stream itself. name: for errors."""
    head = source.peek(10)[:10]
    if head.startswith(GZIP_MAGIC):
        from isal import isal_zlib

        return buffered(_Unpacked(source, name, lambda: isal_zlib.decompressobj(wbits=31)))
    if head.startswith(ZSTD_MAGIC):
        return buffered(_Unpacked(source, name, zstd().ZstdDecompressor))
    if head.startswith(XZ_MAGIC):
        import lzma

        return buffered(_Unpacked(source, name, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, _XZ_MEMORY)))
    if head.startswith(b"BZh") and head[4:10] in BZIP2_MAGICS:
        import bz2

        return buffered(_Unpacked(source, name, bz2.BZ2Decompressor))
    return source


def zstd() -> Any:
    """The module compression.zstd; before Python 3.14, its backport."""
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


def without_compression(name: str) -> str:
    """A file's name without endings such as .gz."""
    for ending in (".gz", ".zst", ".xz", ".bz2"):
        name = name.removesuffix(ending)
    return name


def buffered(raw: io.RawIOBase) -> io.BufferedReader:
    """A buffer over a raw stream, of CHUNK bytes."""
    return cast(io.BufferedReader, io.BufferedReader(raw, CHUNK))


class Filling(io.RawIOBase):
    """A raw stream whose reads give at least HEAD bytes while they last, so that a peek sees enough.

    If the stream breaks off, a read gives the bytes before the break and the next one raises the error.
    """

    _fault: InputError | None = None

    def readable(self) -> bool:
        return True

    @abstractmethod
    def some(self, wanted: memoryview) -> int:
        """Put bytes into `wanted`; returns their number, 0 at the end."""

    def readinto(self, buffer: bytearray | memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]  (typeshed's buffer type has no public name)
        fault, self._fault = self._fault, None
        if fault is not None:
            raise fault
        view, size = memoryview(buffer), 0
        while size < min(len(view), HEAD):
            try:
                more = self.some(view[size:])
            except InputError as fault:
                if not size:
                    raise
                self._fault = fault
                break
            if not more:
                break
            size += more
        return size


class _Unpacked(Filling):
    """The decompressed content of consecutive gzip members, or their like in another compression."""

    def __init__(self, stream: io.BufferedReader, name: str, new_member: Callable[[], Any]) -> None:
        self._stream = stream
        self._name = name
        self._new_member = new_member
        self._member: Any = new_member()
        self._rest = b""
        self._ready = memoryview(b"")

    def some(self, wanted: memoryview) -> int:
        while not self._ready:
            if not getattr(self._member, "needs_input", True):
                self._unpack(b"")
                continue
            data = self._rest or self._stream.read1(_BLOCK)
            self._rest = b""
            if not data:
                if self._member is None:
                    return 0
                raise TruncatedError(ENDS_TOO_EARLY, self._name, "fetch it again")
            self._unpack(data)
        size = min(len(wanted), len(self._ready))
        wanted[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _unpack(self, data: bytes) -> None:
        if self._member is None:
            # Zeros fill up the last block of a tape or a device.
            data = data.lstrip(b"\0")
            if not data:
                return
            self._member = self._new_member()
        try:
            is_limited = hasattr(self._member, "needs_input")
            self._ready = memoryview(self._member.decompress(data, *((CHUNK,) if is_limited else ())))
        except Exception as fault:
            raise InputError(
                f"the compressed data are broken ({fault})", self._name, "fetch it again"
            ) from fault
        if self._member.eof:
            self._rest, self._member = self._member.unused_data, None
