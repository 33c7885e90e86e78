"""Compressed streams, told by their first bytes and unpacked piece by piece.

gzip is known by 1f 8b, zstandard by 28 b5 2f fd, xz by fd 37 7a 58 5a 00 and bzip2 by BZh, whatever the file is called.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, cast

from anagnosis.errors import InputError, TruncatedError

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
XZ_MAGIC = b"\xfd7zXZ\x00"
BZIP2_MAGICS = (b"1AY&SY", b"\x17rE8P\x90")  # behind BZh and a digit: a block, or the end of an empty file
CHUNK = 1 << 20
HEAD = 1 << 16
ENDS_TOO_EARLY = "the compressed file ends too early"

# Compressed bytes unpacked at a time: gzip can give a thousand times as many, zstandard 32,000 times. Of xz and bzip2,
# which can give more, CHUNK bytes are asked for at a time.
_GZIP_PIECE = 16 << 10
_ZSTD_PIECE = 2 << 10
# `xz -9` needs 65 MiB to unpack.
_XZ_MEMORY = 256 << 20


def unpacked(source: io.BufferedReader, name: str) -> io.BufferedReader:
    """The stream decompressed as its first bytes say; itself where they say nothing. name: for errors."""
    head = source.peek(10)[:10]
    if head.startswith(GZIP_MAGIC):
        from isal import isal_zlib

        return buffered(_Unpacked(source, name, lambda: isal_zlib.decompressobj(wbits=31), _GZIP_PIECE))
    if head.startswith(ZSTD_MAGIC):
        import zstandard

        return buffered(_Unpacked(source, name, zstandard.ZstdDecompressor().decompressobj, _ZSTD_PIECE))
    if head.startswith(XZ_MAGIC):
        import lzma

        return buffered(
            _Unpacked(source, name, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, _XZ_MEMORY), _GZIP_PIECE)
        )
    if head.startswith(b"BZh") and head[4:10] in BZIP2_MAGICS:
        import bz2

        return buffered(_Unpacked(source, name, bz2.BZ2Decompressor, _GZIP_PIECE))
    return source


def without_compression(name: str) -> str:
    """A file's name without the endings of compressions."""
    for ending in (".gz", ".zst", ".xz", ".bz2"):
        name = name.removesuffix(ending)
    return name


def buffered(raw: io.RawIOBase) -> io.BufferedReader:
    """A buffer over a raw stream, of CHUNK bytes."""
    return cast(io.BufferedReader, io.BufferedReader(raw, CHUNK))


class Filling(io.RawIOBase):
    """A raw stream that hands out HEAD bytes or more at a time while it has them: a look at first bytes sees enough.

    What came before a break is handed out before the break is told.
    """

    _fault: InputError | None = None

    def readable(self) -> bool:
        return True

    def some(self, wanted: memoryview) -> int:
        """Put bytes into `wanted`; how many, 0 at the end."""
        raise NotImplementedError

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
    """gzip members, or the like of another compression, that stand one after the other, decompressed."""

    def __init__(
        self, stream: io.BufferedReader, name: str, new_member: Callable[[], Any], piece: int
    ) -> None:
        self._stream = stream
        self._name = name
        self._new_member = new_member
        self._piece = piece
        self._member: Any = new_member()
        self._rest = b""
        self._ready = memoryview(b"")

    def some(self, wanted: memoryview) -> int:
        while not self._ready:
            if not getattr(self._member, "needs_input", True):
                self._unpack(b"")
                continue
            data = self._rest or self._stream.read1(self._piece)
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
            in_pieces = hasattr(self._member, "needs_input")
            self._ready = memoryview(self._member.decompress(data, *((CHUNK,) if in_pieces else ())))
        except Exception as fault:
            raise InputError(
                f"the compressed data are broken ({fault})", self._name, "fetch it again"
            ) from fault
        if self._member.eof:
            self._rest, self._member = self._member.unused_data, None
