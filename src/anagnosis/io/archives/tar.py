"""tar archives, streamed: POSIX (ustar and pax) and GNU, with both kinds of long names.

A member is a header of 512 bytes and the content, padded to full blocks. Two blocks of zeros mark the end; another
archive may follow (`cat a.tar b.tar`). pax and GNU put a long path into a separate member in front. We do not use
`tarfile`, because it reads such a member entirely, whatever its length.

Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Header Block"; GNU tar's manual, "Basic Tar Format".
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Generator
from typing import Literal, NamedTuple

from anagnosis.errors import InputError, TruncatedError
from anagnosis.io.compression import CHUNK, Filling, buffered

BLOCK = 512
ENDS_TOO_EARLY = "the archive ends too early"
Kind = Literal["file", "folder", "link", "device", "unknown"]
# Length of a long path, or of attributes that we ignore, in front of a member.
_LONGEST_EXTENSION = 1 << 20
_KINDS: dict[bytes, Kind] = {
    b"0": "file", b"\0": "file", b"7": "file", b"5": "folder", b"1": "link", b"2": "link",
    b"3": "device", b"4": "device", b"6": "device",
}  # fmt: skip
_PAX = re.compile(rb"(\d{1,9}) ([^=]+)=")
_SPARSE = b"GNU.sparse"


class Entry(NamedTuple):
    """An entry of an archive. path: as in the archive.

    stream: the bytes of a file, valid until the next entry; empty for other kinds.
    """

    path: str
    kind: Kind
    stream: io.BufferedReader


def is_tar(head: bytes) -> bool:
    """Whether a file that starts with these unpacked bytes is a tar archive."""
    return len(head) >= BLOCK and head[257:262] == b"ustar"


def tar_entries(stream: io.BufferedReader, name: str, on_missing_end: Callable[[], None]) -> Generator[Entry]:
    """Every member in order. name: of the archive. on_missing_end: called if no zeros mark the end.

    Reading all entries reads the stream to its end. InputError: it breaks off, or a header is invalid.
    """
    path, at_end = b"", False
    common: dict[bytes, bytes] = {}
    extended: dict[bytes, bytes] = {}
    while header := _block(stream, name):
        at_end = not header.strip(b"\0")
        if at_end:
            continue
        if not _has_right_checksum(header):
            raise _broken(name, "something is no header")
        kind, size = header[156:157], _number(header[124:136], name)
        if kind in b"xgLK":
            text = _extension(stream, size, name)
            if kind == b"L":
                path = text.rstrip(b"\0")
            elif kind != b"K":
                (extended if kind == b"x" else common).update(_pax(text, name))
            continue
        known = {**common, **extended}
        if kind == b"S" or _SPARSE in known:
            raise InputError(
                "it holds a sparse file, which is not read", name, "pack it again without --sparse"
            )
        if b"size" in known:
            size = _decimal(known[b"size"], name)
        part = _Part(stream, 0 if kind in b"123456" and kind else size, name)
        spelled = path or known.get(b"path") or _path(header)
        entry_kind = _KINDS.get(kind, "unknown")
        if entry_kind == "file" and spelled.endswith(b"/"):
            entry_kind = "folder"
        yield Entry(spelled.decode("utf-8", "surrogateescape"), entry_kind, buffered(part))
        part.skip()
        path, extended = b"", {}
    if not at_end:
        on_missing_end()


class _Part(Filling):
    """The bytes of one member; `skip` passes over unread ones."""

    def __init__(self, stream: io.BufferedReader, size: int, name: str) -> None:
        self._stream = stream
        self._left = size
        self._padding = -size % BLOCK
        self._name = name

    def some(self, wanted: memoryview) -> int:
        if not self._left:
            return 0
        data = self._stream.read1(min(len(wanted), self._left))
        if not data:
            raise TruncatedError(ENDS_TOO_EARLY, self._name, "fetch it again")
        wanted[: len(data)] = data
        self._left -= len(data)
        return len(data)

    def skip(self) -> None:
        """Read to the end of the member."""
        left, self._left = self._left + self._padding, 0
        while left:
            data = self._stream.read1(min(left, CHUNK))
            if not data:
                raise TruncatedError(ENDS_TOO_EARLY, self._name, "fetch it again")
            left -= len(data)


def _block(stream: io.BufferedReader, name: str) -> bytes:
    """The next block; b"" at the end, where an incomplete block of zeros may follow."""
    header = stream.read(BLOCK)
    if len(header) < BLOCK and not header.strip(b"\0"):
        return b""
    if len(header) < BLOCK:
        raise TruncatedError(ENDS_TOO_EARLY, name, "fetch it again")
    return header


def _has_right_checksum(header: bytes) -> bool:
    """Whether a header's checksum, the sum of its bytes with the checksum's field as blanks, is right."""
    given = header[148:156].strip(b" \0")
    if not given or given.strip(b"01234567"):
        return False
    others = header[:148] + header[156:]
    counted = sum(others) + 8 * ord(" ")
    # Old programs added the bytes as signed numbers.
    return int(given, 8) == counted or int(given, 8) == counted - 256 * sum(byte > 127 for byte in others)


def _number(field: bytes, name: str) -> int:
    """A number in octal digits or, if the first bit is set, in binary, as GNU writes large numbers."""
    if field[0] & 0x80:
        number = int.from_bytes(field, "big") - (0x80 << 8 * (len(field) - 1))
        if field[0] != 0x80:
            raise _broken(name, "a member has an impossible size")
        return number
    digits = field.strip(b" \0")
    if digits.strip(b"01234567"):
        raise _broken(name, "a member has an impossible size")
    return int(digits or b"0", 8)


def _decimal(text: bytes, name: str) -> int:
    if not text.isdigit() or len(text) > 20:
        raise _broken(name, "a member has an impossible size")
    return int(text)


def _path(header: bytes) -> bytes:
    path, prefix = (header[at : at + size].partition(b"\0")[0] for at, size in ((0, 100), (345, 155)))
    # GNU's headers use the prefix's field otherwise.
    return prefix + b"/" + path if prefix and header[257:263] == b"ustar\0" else path


def _extension(stream: io.BufferedReader, size: int, name: str) -> bytes:
    """The content of a member in front of another: its long path, or pax's pairs."""
    if size > _LONGEST_EXTENSION:
        raise _broken(name, "a path or its attributes are longer than 1 MiB")
    part = _Part(stream, size, name)
    data = buffered(part).read()
    part.skip()
    return data


def _pax(text: bytes, name: str) -> dict[bytes, bytes]:
    """The path and the size in records "length key=value\\n"; _SPARSE as a key for a sparse file."""
    pairs: dict[bytes, bytes] = {}
    at = 0
    while at < len(text) and text[at]:
        match = _PAX.match(text, at)
        end = at + int(match[1]) if match else 0
        if not match or not match.end() <= end - 1 < len(text) or text[end - 1 : end] != b"\n":
            raise _broken(name, "attributes of a member cannot be read")
        if match[2] in (b"path", b"size"):
            pairs[match[2]] = text[match.end() : end - 1]
        elif match[2].startswith(_SPARSE):
            pairs[_SPARSE] = b""
        at = end
    return pairs


def _broken(name: str, what: str) -> InputError:
    return InputError(f"the archive is broken ({what})", name, "fetch it again")
