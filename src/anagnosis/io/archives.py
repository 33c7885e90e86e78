"""Archives as input: we stream the members of a tar or zip archive and extract nothing to disk.

We detect an archive from its bytes, compressed or not; the name of a member is "archive.tar.gz/its/path". We read the
members with the file name endings of a format in the archive's order, and unpack compressed ones. Links, devices and
paths that lead out of the archive are reported and left out. Memory does not grow with a tar archive or a member.

We go from header to header of a tar archive ourselves, since `tarfile` passes over broken headers without a word and
reads the long path of a member whole, whatever its length. Blocks of zeros mark the end; another archive may follow.
zipfile keeps the list of a zip archive's members in memory, so a list of more than 16 MiB or 65,534 members is refused.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import tarfile
import zlib
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import IO, NamedTuple

from anagnosis.errors import InputError, TruncatedError
from anagnosis.io.compression import CHUNK, Filling, buffered, unpacked, without_compression
from anagnosis.io.files import STANDARD_INPUT, display_name, open_unpacked, recoded
from anagnosis.io.paths import PathLike, open_file
from anagnosis.showing import masked_line

# File name endings of archives, without those of compressions.
ENDINGS = (".tar", ".tgz", ".tbz", ".txz", ".tzst", ".zip")
_SHOWN = 5
_LONGEST_SHOWN = 100  # characters of a name
_LEFT_OUT = {
    "archive_link": "a link, which is not followed",
    "archive_device": "a device, which is not read",
    "archive_unknown": "a member of an unknown kind",
}
_DRIVE = re.compile(r"[A-Za-z]:")

# Members of a tar archive that have no content but a link's target or a device's number.
_WITHOUT_CONTENT: dict[bytes, str] = {
    **dict.fromkeys((tarfile.LNKTYPE, tarfile.SYMTYPE), "archive_link"),
    **dict.fromkeys((tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE), "archive_device"),
    tarfile.DIRTYPE: "",
}
# What stands in front of a member: its long path, or attributes.
_IN_FRONT = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_LONGEST_IN_FRONT = 1 << 20
_PAX = re.compile(rb"(\d{1,9}) ([^=]+)=")
_PATHS = ("utf-8", "surrogateescape")

_ZIP_LIST_ENDS = b"PK\x05\x06"
_END_AND_COMMENT = 22 + (1 << 16)
_LONGEST_LIST = 16 << 20
_STREAMED = (0, 8)  # stored, deflated: what zipfile unpacks in pieces


class Opened(NamedTuple):
    """An open input. name: of the file, or "archive/member". stream: unpacked, valid until the next input."""

    name: str
    stream: io.BufferedReader
    is_member: bool


class _Entry(NamedTuple):
    """path: as in the archive. fault: the name in _LEFT_OUT of what is no file. read: gives at most so many bytes."""

    path: str
    fault: str
    read: Callable[[int], bytes]


def open_each(
    path: PathLike,
    suffixes: Sequence[str],
    *,
    name: str | None = None,
    encoding: str | None = None,
    on_read: Callable[[bytes], None] | None = None,
    on_mark: Callable[[str], None] | None = None,
    on_left_out: Callable[[str, str, str], None] = lambda name, where, why: None,
) -> Generator[Opened]:
    """The file at `path`, or each member if it is an archive, opened as by `files.open_input`.

    suffixes: of members. name: of the file (default: its file name). on_left_out: called with (archive_link,
    archive_device, archive_unknown, archive_path_outside, archive_without_end or archive_other_file; "archive/member";
    why, "" for files with other endings). on_read: called with all bytes of the file, the last of them when the caller
    asks for an input after the last. InputError: an archive is broken or has no member with such an ending.
    """
    name = display_name(path) if name is None else name
    endings, others, has_members = tuple(suffixes), list[str](), False
    with open_unpacked(path, on_read) as stream:
        head = stream.peek(512)[:512]
        if not looks_packed(head):
            yield Opened(name, recoded(stream, encoding, name, on_mark), is_member=False)
            return
        entries = _tar(stream, name, on_left_out) if _is_tar(head) else _zip(path, stream, name)
        with closing(entries):
            for entry in entries:
                member = _printable_path(entry.path)
                where = f"{name}/{member}"
                if not without_compression(member).endswith(endings):
                    if len(others) <= _SHOWN:
                        others.append(member[:_LONGEST_SHOWN])
                    on_left_out("archive_other_file", where, "")
                    continue
                has_members = True
                if entry.fault:
                    on_left_out(entry.fault, where, _LEFT_OUT[entry.fault])
                elif _leads_out(member):
                    on_left_out("archive_path_outside", where, "its path leads out of the archive")
                else:
                    content = unpacked(buffered(_Content(entry.read)), where)
                    yield Opened(where, recoded(content, encoding, where, on_mark), is_member=True)
    if not has_members:
        names = ", ".join(others[:_SHOWN]) + (", …" if len(others) > _SHOWN else "")
        holds = f"it holds {names}" if names else "it holds no file at all"
        raise InputError(f"no member ending in {', '.join(endings)}", name, holds)


def looks_packed(head: bytes) -> bool:
    """Whether a file that starts with these unpacked bytes is an archive."""
    return _is_tar(head) or _is_zip(head)


def is_archive(path: PathLike) -> bool:
    """Whether the file at `path` is an archive."""
    with open_unpacked(path) as stream:
        return looks_packed(stream.peek(512))


@contextmanager
def open_member(path: PathLike, wanted: str) -> Generator[io.BufferedReader]:
    """One member of an archive, by its name from `open_each`."""
    with closing(open_each(path, ("",))) as each:
        for opened in each:
            if opened.name == wanted:
                yield opened.stream
                return
    raise InputError("no such member", wanted, "check the archive")


class _Content(Filling):
    """The bytes of one member."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read

    def some(self, wanted: memoryview) -> int:
        data = self._read(min(len(wanted), CHUNK))
        wanted[: len(data)] = data
        return len(data)


def _printable_path(path: str) -> str:
    """A member's path for messages: on one line, without "./" in front."""
    path = masked_line(path)
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path


def _leads_out(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    return not parts[0] or ".." in parts or _DRIVE.match(path) is not None


def _broken(name: str, what: object) -> InputError:
    return InputError(f"the archive is broken ({what})", name, "fetch it again")


def _is_tar(head: bytes) -> bool:
    return len(head) >= tarfile.BLOCKSIZE and head[257:262] == b"ustar"


def _tar(
    stream: io.BufferedReader, name: str, on_left_out: Callable[[str, str, str], None]
) -> Generator[_Entry]:
    """Every member but folders. TruncatedError: the archive breaks off. InputError: a header is broken."""
    left = 0  # bytes of the member that nobody has read

    def read(size: int) -> bytes:
        nonlocal left
        data = stream.read1(min(size, left)) if left else b""
        if left and not data:
            raise TruncatedError("the archive ends too early", name, "fetch it again")
        left -= len(data)
        return data

    at_end, path = False, ""  # of the next member
    while header := stream.read(tarfile.BLOCKSIZE):
        if not header.strip(b"\0"):
            at_end = at_end or len(header) == tarfile.BLOCKSIZE
            continue
        at_end = False
        if len(header) < tarfile.BLOCKSIZE:
            raise TruncatedError("the archive ends too early", name, "fetch it again")
        try:
            info = tarfile.TarInfo.frombuf(header, *_PATHS)
        except tarfile.HeaderError as fault:
            raise _broken(name, fault) from fault
        if info.size < 0:
            raise _broken(name, "a member has an impossible size")
        left = 0 if info.type in _WITHOUT_CONTENT else info.size
        padding = -left % tarfile.BLOCKSIZE
        if info.type in _IN_FRONT:
            if left > _LONGEST_IN_FRONT:
                raise _broken(name, "a path or its attributes are longer than 1 MiB")
            text = b"".join(iter(partial(read, CHUNK), b""))
            if info.type == tarfile.GNUTYPE_LONGNAME:
                path = text.rstrip(b"\0").decode(*_PATHS)
            elif info.type == tarfile.XHDTYPE:
                path = path or _path_of_pax(text, name)
        else:
            if info.type == tarfile.GNUTYPE_SPARSE:
                raise _sparse(name)
            # GNU's headers use the field of the prefix otherwise.
            has_prefix = header[257:263] == b"ustar\0"
            path = path or (info.name if has_prefix else header[:100].partition(b"\0")[0].decode(*_PATHS))
            if not info.isdir():
                fault = "" if info.isreg() else _WITHOUT_CONTENT.get(info.type, "archive_unknown")
                yield _Entry(path, fault, read)
            path = ""
        left += padding
        for _ in iter(partial(read, CHUNK), b""):
            pass
    if not at_end:
        on_left_out("archive_without_end", name, "its end is not marked, so members may be missing")


def _path_of_pax(text: bytes, name: str) -> str:
    """The path in pax's records "length key=value\\n", or ""."""
    path, at = b"", 0
    while at < len(text):
        match = _PAX.match(text, at)
        end = at + int(match[1]) if match else 0
        if not match or not match.end() < end <= len(text) or match[2] == b"size":
            raise _broken(name, "attributes of a member cannot be read")
        if match[2].startswith(b"GNU.sparse"):
            raise _sparse(name)
        path = text[match.end() : end - 1] if match[2] == b"path" else path
        at = end
    return path.decode(*_PATHS)


def _sparse(name: str) -> InputError:
    return InputError("it holds a sparse file, which is not read", name, "pack it again without --sparse")


def _is_zip(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", _ZIP_LIST_ENDS))


def _zip(path: PathLike, stream: io.BufferedReader, name: str) -> Generator[_Entry]:
    """Every member but folders. stream: of the same bytes, which is read to its end first.

    InputError: the archive lies inside another file or comes from standard input, is encrypted, broken, or too large.
    """
    import zipfile

    for _ in iter(partial(stream.read, CHUNK), b""):
        pass
    # zipfile raises NotImplementedError for a version or a flag of the format that it does not know.
    faults = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError)

    def pieces(member: IO[bytes], size: int) -> bytes:
        try:
            return member.read(size)
        except faults as fault:
            raise _broken(name, fault) from fault

    if str(path) == STANDARD_INPUT:
        raise InputError("a zip archive can be read from a file of its own only", name, "write it to one")
    with open_file(path) as file:
        _refuse_large_list(file, name)
        try:
            with zipfile.ZipFile(file) as archive:
                for info in archive.infolist():
                    where = f"{name}/{info.filename}"
                    mode = stat.S_IFMT(info.external_attr >> 16)
                    if info.is_dir():
                        continue
                    if mode not in (0, stat.S_IFREG):
                        fault = "archive_link" if stat.S_ISLNK(mode) else "archive_device"
                        yield _Entry(info.filename, fault, lambda size: b"")
                    elif info.flag_bits & 1:
                        raise InputError("it is encrypted", where, "unpack it with its password")
                    elif info.compress_type not in _STREAMED:
                        raise InputError(
                            "its compression is not read", where, "pack it again, as tar or deflated"
                        )
                    else:
                        with archive.open(info) as member:
                            yield _Entry(info.filename, "", partial(pieces, member))
        except faults as fault:
            raise _broken(name, fault) from fault


def _refuse_large_list(file: io.BufferedReader, name: str) -> None:
    """Refuse a list of members that is too long for memory, by the record at the archive's end."""
    if not _is_zip(file.read(4)):
        raise InputError("a zip archive can be read from a file of its own only", name, "write it to one")
    file.seek(max(0, file.seek(0, io.SEEK_END) - _END_AND_COMMENT))
    _, mark, end = file.read().rpartition(_ZIP_LIST_ENDS)
    if not mark or len(end) < 18:
        raise InputError("the archive ends too early, or is broken", name, "fetch it again")
    members, length = struct.unpack_from("<HI", end, 6)
    if members == 0xFFFF or length > _LONGEST_LIST:
        raise InputError("a zip archive with so many members is not read", name, "pack it as tar")
