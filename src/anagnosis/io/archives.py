"""Archives as input: we stream the members of a tar or zip archive and extract nothing to disk.

We detect an archive from its bytes, compressed or not; the name of a member is "archive.tar.gz/its/path". We read the
members with the file name endings of a format in the archive's order, and unpack compressed ones. Links, devices and
paths that lead out of the archive are reported and left out. Memory does not grow with a tar archive or a member.

`tarfile` passes over broken headers without a word, so our headers raise. zipfile keeps the list of a zip archive's
members in memory, so a list of more than 16 MiB or 65,534 members is refused.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import tarfile
import zlib
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from typing import IO, Any, NamedTuple, cast

from anagnosis.errors import InputError, TruncatedError
from anagnosis.io.compression import CHUNK, Filling, buffered, unpacked, without_compression
from anagnosis.io.files import STANDARD_INPUT, display_name, open_unpacked, recoded
from anagnosis.io.paths import PathLike, open_file
from anagnosis.showing import masked_line

# File name endings of archives, without those of compressions.
ENDINGS = (".tar", ".tgz", ".tbz", ".txz", ".tzst", ".zip")
_LEFT_OUT = {
    "archive_link": "a link, which is not followed",
    "archive_device": "a device, which is not read",
    "archive_unknown": "a member of an unknown kind",
}
_DRIVE = re.compile(r"[A-Za-z]:")
_errors: Any = tarfile  # its errors of headers, which have no types
# What stands in front of a member: its long path, or attributes.
_IN_FRONT = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_LONGEST_IN_FRONT = 1 << 16
_ZIP_LIST_ENDS = b"PK\x05\x06"
_END_AND_COMMENT = 22 + (1 << 16)
_LONGEST_LIST = 16 << 20
_STREAMED = (0, 8)  # stored, deflated: what zipfile unpacks in pieces
_ALONE = ("a zip archive can be read from a file of its own only", "write it to one")


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
    endings, others, has_members = tuple(suffixes), 0, False
    with open_unpacked(path, on_read) as stream:
        head = stream.peek(512)[:512]
        if not looks_packed(head):
            yield Opened(name, recoded(stream, encoding, name, on_mark), is_member=False)
            return
        entries = _zip(path, stream, name) if _is_zip(head) else _tar(stream, name, on_left_out)
        with closing(entries):
            for entry in entries:
                member = masked_line(entry.path)
                while member.startswith("./"):
                    member = member[2:].lstrip("/")
                where, parts = f"{name}/{member}", member.replace("\\", "/").split("/")
                if not without_compression(member).endswith(endings):
                    others += 1
                    on_left_out("archive_other_file", where, "")
                    continue
                has_members = True
                if entry.fault:
                    on_left_out(entry.fault, where, _LEFT_OUT[entry.fault])
                elif not parts[0] or ".." in parts or _DRIVE.match(member):
                    on_left_out("archive_path_outside", where, "its path leads out of the archive")
                else:
                    content = unpacked(buffered(_Content(entry.read)), where)
                    yield Opened(where, recoded(content, encoding, where, on_mark), is_member=True)
    if not has_members:
        what = f"no member ending in {', '.join(endings)}"
        raise InputError(what, name, f"it holds {others:,} other files" if others else "it holds no file")


def looks_packed(head: bytes) -> bool:
    """Whether a file that starts with these unpacked bytes is an archive."""
    return head[257:262] == b"ustar" or _is_zip(head)


class _Content(Filling):
    """The bytes of one member."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read

    def some(self, wanted: memoryview) -> int:
        data = self._read(min(len(wanted), CHUNK))
        wanted[: len(data)] = data
        return len(data)


def _broken(name: str, what: object) -> InputError:
    return InputError(f"the archive is broken ({what})", name, "fetch it again")


def _tar(
    stream: io.BufferedReader, name: str, on_left_out: Callable[[str, str, str], None]
) -> Generator[_Entry]:
    """Every member but folders. TruncatedError: the archive breaks off. InputError: a header is broken."""
    at_end = False  # whether the last header was a block of zeros, behind which another archive may follow

    class Header(tarfile.TarInfo):
        @classmethod
        def frombuf(cls, buf: Any, encoding: str, errors: str) -> tarfile.TarInfo:
            if len(buf) < tarfile.BLOCKSIZE and not buf.strip(b"\0"):
                raise _errors.EmptyHeaderError
            info = super().frombuf(buf, encoding, errors)
            if info.size < 0:
                raise _broken(name, "a member has an impossible size")
            if info.type in _IN_FRONT and info.size > _LONGEST_IN_FRONT:
                raise _broken(name, "a path or its attributes are longer than 64 KiB")
            return info

        @classmethod
        def fromtarfile(cls, tarfile: tarfile.TarFile) -> tarfile.TarInfo:
            nonlocal at_end
            try:
                info = super().fromtarfile(tarfile)
            except _errors.EmptyHeaderError:
                raise
            except _errors.EOFHeaderError:
                at_end = True
                raise
            except _errors.TruncatedHeaderError as fault:
                raise _early(name) from fault
            except (_errors.HeaderError, ValueError, RecursionError) as fault:
                raise _broken(name, fault) from fault
            at_end = False
            return info

    def read(content: IO[bytes], size: int) -> bytes:
        try:
            return content.read(size)
        except tarfile.ReadError as fault:
            raise _early(name) from fault

    try:
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=Header, ignore_zeros=True) as archive:
            while (info := archive.next()) is not None:
                cast(Any, archive).members.clear()  # it would gather them
                if info.issparse():
                    what = "it holds a sparse file, which is not read"
                    raise InputError(what, name, "pack it again without --sparse")
                if (content := archive.extractfile(info) if info.isreg() else None) is not None:
                    yield _Entry(info.name, "", partial(read, content))
                elif not info.isdir():
                    fault = "archive_device" if info.isdev() else "archive_unknown"
                    fault = "archive_link" if info.issym() or info.islnk() else fault
                    yield _Entry(info.name, fault, bytes)
    except tarfile.ReadError as fault:
        raise _early(name) from fault
    if not at_end:
        on_left_out("archive_without_end", name, "its end is not marked, so members may be missing")


def _early(name: str) -> TruncatedError:
    return TruncatedError("the archive ends too early", name, "fetch it again")


def _is_zip(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", _ZIP_LIST_ENDS))


def _zip(path: PathLike, stream: io.BufferedReader, name: str) -> Generator[_Entry]:
    """Every member but folders. stream: of the same bytes, which is read to its end first.

    InputError: the archive lies inside another file or comes from standard input, is encrypted, broken, or too large.
    """
    import zipfile

    for _ in iter(partial(stream.read, CHUNK), b""):
        pass
    # zipfile raises NotImplementedError for what it does not know, RuntimeError for a password.
    faults = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError, ValueError)

    def read(member: IO[bytes], size: int) -> bytes:
        try:
            return member.read(size)
        except faults as fault:
            raise _broken(name, fault) from fault

    if str(path) == STANDARD_INPUT:
        raise InputError(_ALONE[0], name, _ALONE[1])
    with open_file(path) as file:
        _refuse_large_list(file, name)
        try:
            with zipfile.ZipFile(file) as archive:
                for info in archive.infolist():
                    mode = stat.S_IFMT(info.external_attr >> 16)
                    if mode not in (0, stat.S_IFREG) and not info.is_dir():
                        fault = "archive_link" if stat.S_ISLNK(mode) else "archive_device"
                        yield _Entry(info.filename, fault, bytes)
                    elif info.compress_type not in _STREAMED:
                        what = "its compression is not read"
                        raise InputError(what, f"{name}/{info.filename}", "pack it again, as tar or deflated")
                    elif not info.is_dir():
                        with archive.open(info) as member:
                            yield _Entry(info.filename, "", partial(read, member))
        except faults as fault:
            raise _broken(name, fault) from fault


def _refuse_large_list(file: io.BufferedReader, name: str) -> None:
    """Refuse a list of members that is too long for memory, by the record at the archive's end."""
    if not _is_zip(file.read(4)):
        raise InputError(_ALONE[0], name, _ALONE[1])
    file.seek(max(0, file.seek(0, io.SEEK_END) - _END_AND_COMMENT))
    _, mark, end = file.read().rpartition(_ZIP_LIST_ENDS)
    if not mark or len(end) < 18:
        raise _early(name)
    members, length = struct.unpack_from("<HI", end, 6)
    if members == 0xFFFF or length > _LONGEST_LIST:
        raise InputError("a zip archive with so many members is not read", name, "pack it as tar")
