"""zip archives, read by the list of members at the end of the file, which therefore must lie on disk.

Members come in the list's order. The list is kept in memory, so we refuse an archive with more than 65,534 members or
4 GiB (zip64).
"""

from __future__ import annotations

import io
import stat
import zlib
from collections.abc import Generator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from anagnosis.errors import InputError
from anagnosis.io.archives.tar import Entry, Kind
from anagnosis.io.compression import CHUNK, Filling, buffered
from anagnosis.io.files import STANDARD_INPUT
from anagnosis.io.paths import PathLike, open_file

if TYPE_CHECKING:
    from zipfile import ZipInfo

_END_OF_LIST = b"PK\x05\x06"
_END_SIZE = 22
_LONGEST_COMMENT = 1 << 16
_MOST = 0xFFFF
_LONGEST_LIST = 16 << 20
_ENCRYPTED = 1
_READ = (0, 8)  # stored, deflated: the compressions that we stream


def is_zip(head: bytes) -> bool:
    """Whether a file that starts with these bytes is a zip archive, perhaps without members."""
    return head.startswith((b"PK\x03\x04", _END_OF_LIST))


def zip_entries(path: PathLike, stream: io.BufferedReader, name: str) -> Generator[Entry]:
    """Every member. stream: of the same bytes, read along with the members and to its end after the last.

    InputError: the archive lies inside another file or comes from standard input, is encrypted, broken, or too large.
    """
    import zipfile

    if str(path) == STANDARD_INPUT or not _is_zip_on_disk(path):
        raise InputError("a zip archive can be read from a file of its own only", name, "write it to one")
    _refuse_large(Path(path), name)
    try:
        with zipfile.ZipFile(path) as archive:
            read = 0
            for info in archive.infolist():
                kind = _kind(info)
                if kind != "file":
                    yield Entry(info.filename, kind, buffered(io.BytesIO()))  # pyright: ignore[reportArgumentType]  (typeshed asks for a raw stream)
                    continue
                where = f"{name}/{info.filename}"
                if info.flag_bits & _ENCRYPTED:
                    raise InputError("it is encrypted", where, "unpack it with its password")
                if info.compress_type not in _READ:
                    raise InputError(
                        "its compression is not read", where, "pack it again, as tar or deflated"
                    )
                with archive.open(info) as member:
                    yield Entry(info.filename, kind, buffered(_Part(member, name)))
                read += _read_on(stream, info.header_offset + info.compress_size - read)
            _read_on(stream, None)
    # zipfile raises NotImplementedError for a version or a flag of the format that it does not know.
    except (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, ValueError) as fault:
        raise _broken(name, fault) from fault


class _Part(Filling):
    """The bytes of one member."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream = stream
        self._name = name

    def some(self, wanted: memoryview) -> int:
        import zipfile

        try:
            data = self._stream.read(min(len(wanted), CHUNK))
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as fault:
            raise _broken(self._name, fault) from fault
        wanted[: len(data)] = data
        return len(data)


def _kind(info: ZipInfo) -> Kind:
    mode = stat.S_IFMT(info.external_attr >> 16)
    if info.is_dir():
        return "folder"
    if stat.S_ISLNK(mode):
        return "link"
    return "file" if mode in (0, stat.S_IFREG) else "device"


def _is_zip_on_disk(path: PathLike) -> bool:
    with open_file(path) as file:
        return is_zip(file.read(4))


def _refuse_large(path: Path, name: str) -> None:
    """Refuse a list of members that is too long for memory, by the record at the archive's end."""
    size = path.stat().st_size
    with open_file(path) as file:
        file.seek(max(0, size - _END_SIZE - _LONGEST_COMMENT))
        tail = file.read()
    at = tail.rfind(_END_OF_LIST)
    if at < 0 or len(tail) - at < _END_SIZE:
        raise InputError("the archive ends too early, or is broken", name, "fetch it again")
    members, length = (
        int.from_bytes(tail[at + first : at + last], "little") for first, last in ((10, 12), (12, 16))
    )
    if members == _MOST or length > _LONGEST_LIST:
        raise InputError("a zip archive with so many members is not read", name, "pack it as tar")


def _read_on(stream: io.BufferedReader, size: int | None) -> int:
    """Read `size` more bytes, or all; returns the number of bytes read."""
    count = 0
    while size is None or count < size:
        data = stream.read(CHUNK if size is None else min(CHUNK, size - count))
        if not data:
            break
        count += len(data)
    return count


def _broken(name: str, fault: Exception) -> InputError:
    return InputError(f"the archive is broken ({fault})", name, "fetch it again")
