"""Open any compression by its first bytes, list inputs, write atomically, hash.

gzip is known by 1f 8b and zstandard by 28 b5 2f fd, whatever the file is called. Text marked as UTF-16 by its
byte order mark is handed out as UTF-8; any other encoding is the caller's to name.
"""

from __future__ import annotations

import codecs
import contextlib
import hashlib
import io
import os
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

from anagnosis.errors import InputError

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
CHUNK = 1 << 20
STANDARD_INPUT = "-"


@contextlib.contextmanager
def open_input(
    path: str | Path, encoding: str | None = None, on_read: Callable[[bytes], None] | None = None
) -> Generator[io.BufferedReader]:
    """A stream of the decompressed bytes of `path` ("-" is standard input), in UTF-8 where it is marked UTF-16.

    encoding: recode from this encoding to UTF-8. on_read: sees every piece of the bytes as they lie on disk.
    A file that cannot be opened, or whose compression ends early or is broken, is an InputError naming it; the
    latter is raised while reading.
    """
    name = display_name(path)
    with contextlib.ExitStack() as stack:
        try:
            raw = (
                sys.stdin.buffer
                if str(path) == STANDARD_INPUT
                else stack.enter_context(Path(path).open("rb"))
            )
            source = _buffered(_Source(raw, name, on_read))
            head = source.peek(4)[:4]
        except OSError as fault:
            raise InputError(_reason(fault), name, "check the path") from fault
        stream = source
        if head.startswith(GZIP_MAGIC):
            from isal import igzip

            unzipped = cast(BinaryIO, stack.enter_context(igzip.IGzipFile(fileobj=source, mode="rb")))
            stream = _buffered(_Source(unzipped, name, compressed=True))
        elif head.startswith(ZSTD_MAGIC):
            import zstandard

            reader = zstandard.ZstdDecompressor().stream_reader(source, read_across_frames=True)
            stream = _buffered(_Source(cast(BinaryIO, stack.enter_context(reader)), name, compressed=True))
        yield _recoded(stream, encoding, name)


def _buffered(raw: io.RawIOBase) -> io.BufferedReader:
    return cast(io.BufferedReader, io.BufferedReader(raw, CHUNK))


class _Source(io.RawIOBase):
    """A stream whose faults name the file, and whose bytes can be watched."""

    def __init__(
        self,
        stream: BinaryIO,
        name: str,
        on_read: Callable[[bytes], None] | None = None,
        *,
        compressed: bool = False,
    ) -> None:
        self._stream = stream
        self._name = name
        self._on_read = on_read
        self._compressed = compressed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]  (typeshed's buffer type has no public name)
        data = self._read(len(buffer))
        buffer[: len(data)] = data
        if self._on_read is not None and data:
            self._on_read(data)
        return len(data)

    def _read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except EOFError as fault:
            raise InputError("the compressed file ends too early", self._name, "fetch it again") from fault
        except InputError:
            raise
        except Exception as fault:
            if not self._compressed:
                raise
            raise InputError(
                f"the compressed data are broken ({fault})", self._name, "fetch it again"
            ) from fault


def _recoded(stream: io.BufferedReader, encoding: str | None, name: str) -> io.BufferedReader:
    mark = stream.peek(4)[:4]
    if encoding is None and mark.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    if encoding is None and mark.startswith(codecs.BOM_UTF8):
        stream.read(len(codecs.BOM_UTF8))
    if encoding is None:
        return stream
    try:
        decoder = codecs.getincrementaldecoder(encoding)(errors="strict")
    except LookupError as fault:
        raise InputError(
            f"unknown encoding {encoding!r}", "--encoding", "use a name that Python knows, such as latin-1"
        ) from fault
    return _buffered(_Recoder(stream, decoder, encoding, name))


class _Recoder(io.RawIOBase):
    """Bytes of another encoding as UTF-8."""

    def __init__(
        self, stream: io.BufferedReader, decoder: codecs.IncrementalDecoder, encoding: str, name: str
    ) -> None:
        self._stream = stream
        self._decoder = decoder
        self._encoding = encoding
        self._name = name
        self._pending = b""
        self._lines = 0
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]  (typeshed's buffer type has no public name)
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def read(self, size: int = -1) -> bytes:
        while not self._ended and (size < 0 or len(self._pending) < size):
            data = self._stream.read(CHUNK)
            self._ended = not data
            try:
                text = self._decoder.decode(data, final=self._ended)
            except UnicodeDecodeError as fault:
                raise InputError(
                    f"not {self._encoding} after line {self._lines} ({fault.reason})",
                    self._name,
                    "name its encoding with --encoding",
                ) from fault
            self._lines += text.count("\n")
            self._pending += text.encode()
        size = len(self._pending) if size < 0 else size
        data, self._pending = self._pending[:size], self._pending[size:]
        return data


def display_name(path: str | Path) -> str:
    """How a file is called in messages and receipts: its name without folders, "standard input" for "-"."""
    return "standard input" if str(path) == STANDARD_INPUT else Path(path).name


def input_files(paths: Sequence[str | Path], suffixes: Sequence[str]) -> list[tuple[str, Path]]:
    """(name, path) of every input file, in the order given; a folder gives its files by relative path.

    suffixes: endings that count inside a folder (compression endings may follow). Refused: a path that does not
    exist, a folder without such files, no path at all.
    """
    if not paths:
        raise InputError("no input file", "", "name at least one file or folder, or - for standard input")
    found: list[tuple[str, Path]] = []
    for given in paths:
        path = Path(given)
        if str(given) == STANDARD_INPUT:
            found.append((display_name(given), path))
        elif path.is_dir():
            inside = sorted(
                (
                    p
                    for p in path.rglob("*")
                    if p.is_file() and _bare_suffix(p.name).endswith(tuple(suffixes))
                ),
                key=lambda p: p.relative_to(path).as_posix(),
            )
            if not inside:
                raise InputError(
                    f"no file ending in {', '.join(suffixes)}", str(given), "name the files themselves"
                )
            found.extend((p.relative_to(path).as_posix(), p) for p in inside)
        elif path.exists():
            found.append((path.name, path))
        else:
            raise InputError("no such file or folder", str(given), "check the path")
    return found


def _bare_suffix(name: str) -> str:
    for ending in (".gz", ".zst"):
        name = name.removesuffix(ending)
    return name


@contextlib.contextmanager
def atomic_write(path: str | Path) -> Generator[BinaryIO]:
    """A binary file that takes the name `path` only when the block ends without an error."""
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as fault:
        raise InputError(_reason(fault), str(path), "choose another place to write") from fault
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except OSError as fault:
        raise InputError(
            f"writing failed: {_reason(fault)}", str(path), "free some space or choose another place"
        ) from fault
    finally:
        Path(name).unlink(missing_ok=True)


@contextlib.contextmanager
def open_output(path: str | Path) -> Generator[BinaryIO]:
    """An atomic binary file, compressed when its name ends in .gz or .zst ("-" is standard output)."""
    if str(path) == STANDARD_INPUT:
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


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write `data` atomically."""
    with atomic_write(path) as stream:
        stream.write(data)


def write_text(path: str | Path, text: str) -> None:
    """Write `text` as UTF-8, atomically."""
    write_bytes(path, text.encode())


def sha256(path: str | Path) -> str:
    """The SHA-256 of a file's bytes as they lie on disk, in hexadecimal."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _reason(fault: OSError) -> str:
    return (fault.strerror or str(fault)).lower()
