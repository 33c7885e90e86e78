"""Open files with any compression, write them atomically, hash them, lock them."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import hashlib
import io
import os
import sys
from collections.abc import Callable, Generator
from multiprocessing import parent_process
from pathlib import Path
from typing import IO, BinaryIO, cast

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.compression import CHUNK, Filling, buffered, unpacked, zstd
from anagnosis.io.paths import PathLike, naming_faults, open_file, reason_of
from anagnosis.showing import masked_line

STANDARD_INPUT = "-"
TO_UTF8 = "convert it to UTF-8"
_LARGEST = 64 << 30  # bytes of a file with a checksum; a sparse one of more would be read for hours


@contextlib.contextmanager
def open_input(path: PathLike) -> Generator[io.BufferedReader]:
    """A stream of the decompressed bytes of `path` ("-" is standard input), without a byte order mark.

    Text with a byte order mark of UTF-16 comes as UTF-8. InputError, naming the file: it cannot be opened, or, while
    reading, its compression is broken or ends early; the bytes before the break come first (read with `read1` to get
    them).
    """
    with open_unpacked(path) as stream:
        yield without_mark(stream, display_name(path))


@contextlib.contextmanager
def open_unpacked(
    path: PathLike, on_read: Callable[[bytes], None] | None = None
) -> Generator[io.BufferedReader]:
    """A stream of decompressed bytes as from `open_input`, with the byte order mark.

    on_read: called with every block of bytes as on disk.
    """
    name = display_name(path)
    with contextlib.ExitStack() as stack:
        with naming_faults(name, "check the path"):
            if str(path) != STANDARD_INPUT:
                raw = stack.enter_context(open_file(path))
            elif sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]  (it is where it was closed)
                raise InputError("is closed", name, "name a file")
            else:
                raw = sys.stdin.buffer
            source = buffered(_Source(cast(BinaryIO, raw), name, on_read))
            source.peek(1)
        yield unpacked(source, name)


class _Source(Filling):
    """The bytes on disk. on_read: called with each block."""

    def __init__(self, stream: BinaryIO, name: str, on_read: Callable[[bytes], None] | None) -> None:
        self._stream, self._name, self._on_read = stream, name, on_read

    def some(self, wanted: memoryview) -> int:
        with naming_faults(self._name, "check the disk", "reading"):
            data = self._stream.read(len(wanted))
        wanted[: len(data)] = data
        if self._on_read is not None and data:
            self._on_read(data)
        return len(data)


def without_mark(stream: io.BufferedReader, name: str) -> io.BufferedReader:
    """The stream behind a byte order mark; with one of UTF-16 its text in UTF-8."""
    head = stream.peek(4)[:4]
    if head.startswith(codecs.BOM_UTF8):
        stream.read(len(codecs.BOM_UTF8))
    elif head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return buffered(_FromUtf16(stream, name))
    return stream


class _FromUtf16(Filling):
    """Bytes of UTF-16 as UTF-8."""

    def __init__(self, stream: io.BufferedReader, name: str) -> None:
        self._stream, self._name = stream, name
        self._decoder = codecs.getincrementaldecoder("utf-16")()
        self._ready, self._ended = memoryview(b""), False

    def some(self, wanted: memoryview) -> int:
        while not self._ready and not self._ended:
            data = self._stream.read1(CHUNK)
            self._ended = not data
            try:
                self._ready = memoryview(self._decoder.decode(data, final=self._ended).encode())
            except UnicodeError as fault:
                raise InputError("not the UTF-16 that it begins as", self._name, TO_UTF8) from fault
        size = min(len(wanted), len(self._ready))
        wanted[:size], self._ready = self._ready[:size], self._ready[size:]
        return size


def display_name(path: PathLike) -> str:
    """A file's name in messages and receipts: without folders; "standard input" for "-"."""
    return "standard input" if str(path) == STANDARD_INPUT else masked_line(Path(path).name)


@contextlib.contextmanager
def atomic_write(path: PathLike) -> Generator[BinaryIO]:
    """A binary file that gets the name `path` only if the block ends without an error.

    Until then it is `part_of(path)`, which is locked; what a killed process left there is overwritten.
    """
    target = Path(path)
    part = part_of(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(_taken(part), "wb") as stream:
            try:
                stream.truncate()
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
                part.chmod(0o644)
                part.replace(target)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
    except OSError as fault:
        if fault.filename is not None and os.fspath(fault.filename) not in map(
            str, (part, *part.parents, target)
        ):
            raise  # about a file that the block reads
        remedy = "free some space or choose another place"
        raise InputError(f"writing failed: {reason_of(fault)}", str(path), remedy) from fault


def part_of(path: Path) -> Path:
    """The unfinished file of a path, beside it."""
    return path.with_name(f".{path.name}.part")


def _taken(part: Path) -> int:
    """The handle of an unfinished file, once nobody else writes it."""
    while True:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        # A script without a main guard comes here again in each process that it starts and waits for.
        if not locked(handle, wait=parent_process() is None):
            os.close(handle)
            raise InputError("another process is writing", str(part), "wait until it has ended")
        if part.exists() and os.path.samestat(os.fstat(handle), part.stat()):
            return handle
        os.close(handle)  # another writer has finished it meanwhile


@contextlib.contextmanager
def open_output(path: PathLike) -> Generator[BinaryIO]:
    """An atomic binary file, compressed when its name ends in .gz or .zst ("-" is standard output)."""
    if str(path) == STANDARD_INPUT:
        with naming_faults("standard output", "free some space, or write elsewhere", "writing"):
            yield cast(BinaryIO, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        return
    with atomic_write(path) as stream, contextlib.ExitStack() as stack:
        if str(path).endswith(".gz"):
            import gzip

            # Without name and time inside, so that equal text gives equal bytes.
            stream = cast(BinaryIO, stack.enter_context(gzip.GzipFile("", "wb", 6, stream, mtime=0)))
        elif str(path).endswith(".zst"):
            stream = cast(BinaryIO, stack.enter_context(zstd().ZstdFile(stream, "wb")))
        yield stream


def write_bytes(path: PathLike, data: bytes) -> None:
    """Write `data` atomically."""
    with atomic_write(path) as stream:
        stream.write(data)


def write_text(path: PathLike, text: str) -> None:
    """Write `text` as UTF-8, atomically."""
    write_bytes(path, text.encode())


def write_json(path: PathLike, value: object, indent: int = 2) -> None:
    """Write a value that msgspec can encode as indented JSON, atomically."""
    write_bytes(path, msgspec.json.format(msgspec.json.encode(value), indent=indent) + b"\n")


def sha256(path: PathLike) -> str:
    """The SHA-256 of a file's bytes as on disk, in hexadecimal. OSError: as of `open_file`, over 64 GiB."""
    with open_file(path, _LARGEST) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def locked(lock: IO[bytes] | int, *, wait: bool) -> bool:
    """Lock an open file or folder between processes; False if another process has it.

    The system releases the lock when the process ends in any way. On a disk without locks the result is True.
    """
    try:
        fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
