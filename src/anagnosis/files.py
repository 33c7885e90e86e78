"""Open files whatever their compression, write atomically, hash.

Text marked as UTF-16 by its byte order mark is handed out as UTF-8; any other encoding is the caller's to name.
"""

from __future__ import annotations

import codecs
import contextlib
import hashlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

import msgspec

from anagnosis.compression import CHUNK, buffered, unpacked
from anagnosis.errors import InputError
from anagnosis.locks import locked
from anagnosis.masking import masked_line
from anagnosis.paths import PathLike, naming_faults, reason_of, refuse_special

STANDARD_INPUT = "-"
T = TypeVar("T")


@contextlib.contextmanager
def open_input(
    path: PathLike,
    encoding: str | None = None,
    on_read: Callable[[bytes], None] | None = None,
    on_mark: Callable[[str], None] | None = None,
) -> Generator[io.BufferedReader]:
    """A stream of the decompressed bytes of `path` ("-" is standard input), in UTF-8 where it is marked UTF-16.

    encoding: recode from this encoding to UTF-8. on_read: sees every piece of the bytes as they lie on disk.
    on_mark: is told "utf-8" or "utf-16" where the text begins with that byte order mark, which is not handed out.
    A file that cannot be opened, or whose compression ends early or is broken, is an InputError naming it; the
    latter is raised while reading, after everything before the break (ask with `read1` to get it).
    """
    with open_unpacked(path, on_read) as stream:
        yield recoded(stream, encoding, display_name(path), on_mark)


@contextlib.contextmanager
def open_unpacked(
    path: PathLike, on_read: Callable[[bytes], None] | None = None
) -> Generator[io.BufferedReader]:
    """The same, of bytes that need not be text: nothing is recoded, no byte order mark is taken away."""
    name = display_name(path)
    with contextlib.ExitStack() as stack:
        with naming_faults(name, "check the path"):
            if str(path) == STANDARD_INPUT:
                raw = _standard_input()
            else:
                refuse_special(path)
                raw = stack.enter_context(Path(path).open("rb"))
            source = buffered(_Source(cast(BinaryIO, raw), name, on_read))
            source.peek(1)
        yield unpacked(source, name)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]  (it is where it was closed)
        raise InputError("is closed", display_name(STANDARD_INPUT), "name a file")
    return sys.stdin.buffer


class _Source(io.RawIOBase):
    """The bytes on disk, which can be watched."""

    def __init__(self, stream: BinaryIO, name: str, on_read: Callable[[bytes], None] | None) -> None:
        self._stream = stream
        self._name = name
        self._on_read = on_read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]  (typeshed's buffer type has no public name)
        with naming_faults(self._name, "check the disk", "reading"):
            data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        if self._on_read is not None and data:
            self._on_read(data)
        return len(data)


def recoded(
    stream: io.BufferedReader, encoding: str | None, name: str, on_mark: Callable[[str], None] | None = None
) -> io.BufferedReader:
    """The stream in UTF-8 without a byte order mark; encoding and on_mark as of `open_input`."""
    mark = stream.peek(4)[:4]
    marked = ""
    if mark.startswith(codecs.BOM_UTF8):
        marked = "utf-8"
        stream.read(len(codecs.BOM_UTF8))
    elif encoding is None and mark.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        marked = encoding = "utf-16"
    if marked and on_mark is not None:
        on_mark(marked)
    if encoding is None:
        return buffered(_Marked(stream)) if marked else stream
    try:
        # What is no encoding of text (hex, zip, …) has a decoder too, but encodes no text.
        "a".encode(encoding)
        decoder = codecs.getincrementaldecoder(encoding)(errors="strict")
    except LookupError as fault:
        raise InputError(
            f"unknown encoding {encoding!r}", "--encoding", "use a name that Python knows, such as latin-1"
        ) from fault
    return buffered(_Recoder(stream, decoder, encoding, name))


def recoded_from(stream: object) -> str:
    """The encoding of a stream's bytes that the user or a byte order mark named, "" where nobody did."""
    raw = getattr(stream, "raw", None)
    return raw.encoding if isinstance(raw, _Recoder | _Marked) else ""


class _Marked(io.RawIOBase):
    """Bytes of UTF-8, known by their byte order mark, which was taken away."""

    encoding = "utf-8"

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]  (typeshed's buffer type has no public name)
        return self._stream.readinto1(buffer)


class _Recoder(io.RawIOBase):
    """Bytes of another encoding as UTF-8."""

    def __init__(
        self, stream: io.BufferedReader, decoder: codecs.IncrementalDecoder, encoding: str, name: str
    ) -> None:
        self._stream = stream
        self._decoder = decoder
        self.encoding = encoding
        self._name = name
        self._ready = memoryview(b"")
        self._line = 1
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]  (typeshed's buffer type has no public name)
        while not self._ready and not self._ended:
            data = self._stream.read1(CHUNK)
            self._ended = not data
            self._ready = memoryview(self._recode(data))
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _recode(self, data: bytes) -> bytes:
        try:
            text = self._decoder.decode(data, final=not data)
            recoded = text.encode()
        except UnicodeError as fault:
            line = self._line
            if isinstance(fault, UnicodeDecodeError):
                line += fault.object[: fault.start].decode(self.encoding, "ignore").count("\n")
            raise InputError(
                f"not {self.encoding} ({getattr(fault, 'reason', fault)})",
                f"{self._name}:{line}",
                "name another encoding with --encoding",
            ) from fault
        self._line += text.count("\n")
        return recoded


def display_name(path: PathLike) -> str:
    """How a file is called in messages and receipts: its name without folders, "standard input" for "-"."""
    return "standard input" if str(path) == STANDARD_INPUT else masked_line(Path(path).name)


# What lay at the places that a command is to write, when they were checked; None: nothing did.
_CHECKED: dict[str, tuple[int, int, int] | None] = {}


def checked_place(path: PathLike) -> None:
    """Have `atomic_write` refuse to overwrite there what was not there by now: only that has been checked."""
    _CHECKED[str(Path(path).absolute())] = _state(path)


def _state(path: PathLike) -> tuple[int, int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _refuse_changed(part: str, target: Path) -> None:
    """Leave a file that appeared or changed since its place was checked (InputError).

    What may be hours of work stays too, under another name beside it.
    """
    key = str(target.absolute())
    if key not in _CHECKED or (state := _CHECKED.pop(key)) == (now := _state(target)) or now is None:
        return
    number = 1
    while os.path.lexists(beside := target.with_name(f"{number}.{target.name}")):
        number += 1
    _place(part, beside)
    raise InputError(
        f"{'has changed' if state else 'has appeared'} while this command was at work, and is left as it is",
        str(target),
        f"what this command wrote is in {beside.name}",
    )


@contextlib.contextmanager
def atomic_write(path: PathLike) -> Generator[BinaryIO]:
    """A binary file that takes the name `path` only when the block ends without an error."""
    target = Path(path)
    with naming_faults(path, "choose another place to write"):
        target.parent.mkdir(parents=True, exist_ok=True)
        for left in abandoned(target.parent, target.name):
            with contextlib.suppress(OSError):  # a folder, or somebody else's
                left.unlink()
        handle, name = _partial(target)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if sys.platform != "win32":
                _refuse_changed(name, target)
                _place(name, target)  # while it is locked
        if sys.platform == "win32":
            _refuse_changed(name, target)
            _place(name, target)  # no open file can be renamed there
    except OSError as fault:
        if fault.filename is not None and os.fspath(fault.filename) not in (name, str(target)):
            raise  # of what the block reads
        raise InputError(
            f"writing failed: {reason_of(fault)}", str(path), "free some space or choose another place"
        ) from fault
    finally:
        Path(name).unlink(missing_ok=True)


def is_partial(name: str, of: str) -> bool:
    """Whether a file or folder has the name of one that is to become `of`, and that a kill leaves."""
    return re.fullmatch(rf"\.{re.escape(of)}\.\w{{8}}\.part", name) is not None


def abandoned(folder: Path, of: str) -> Generator[Path]:
    """What killed writers of `of` have left in a folder. What is being written is locked, and is left out."""
    if sys.platform == "win32":  # no such locks there
        return
    with os.scandir(folder) as entries:
        left = [entry.path for entry in entries if is_partial(entry.name, of) and not entry.is_symlink()]
    for path in left:
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:  # somebody else's, or gone by now
            continue
        try:
            ended = locked(handle, wait=False)
        except OSError:  # a disk without locks: nobody can tell
            ended = False
        try:
            if ended:
                yield Path(path)
        finally:
            os.close(handle)


def _place(name: str, target: Path) -> None:
    Path(name).chmod(0o644)
    Path(name).replace(target)


def _partial(target: Path) -> tuple[int, str]:
    """A new file that is to become `target`, locked while it is written: (handle, name)."""
    while True:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
        with contextlib.suppress(OSError):  # a disk without locks
            locked(handle, wait=True)
        if os.fstat(handle).st_nlink:
            return handle, name
        os.close(handle)  # another writer took it for an abandoned one before it was locked


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

            # No name and no time inside, so that the same text gives the same bytes.
            stream = cast(BinaryIO, stack.enter_context(gzip.GzipFile("", "wb", 6, stream, mtime=0)))
        elif str(path).endswith(".zst"):
            import zstandard

            stream = cast(
                BinaryIO, stack.enter_context(zstandard.ZstdCompressor().stream_writer(stream, closefd=False))
            )
        yield stream


def write_bytes(path: PathLike, data: bytes) -> None:
    """Write `data` atomically."""
    with atomic_write(path) as stream:
        stream.write(data)


def write_text(path: PathLike, text: str) -> None:
    """Write `text` as UTF-8, atomically."""
    write_bytes(path, text.encode())


def write_json(path: PathLike, value: object, indent: int = 2) -> None:
    """Write a value that msgspec can encode as JSON that people can read, atomically."""
    write_bytes(path, msgspec.json.format(msgspec.json.encode(value), indent=indent) + b"\n")


def sha256(path: PathLike) -> str:
    """The SHA-256 of a file's bytes as they lie on disk, in hexadecimal."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
