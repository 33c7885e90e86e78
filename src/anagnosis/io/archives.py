"""Archives as input: we stream the members of a tar or zip archive and extract nothing to disk.

We detect an archive from its bytes, compressed or not; the name of a member is "archive.tar.gz/its/path". We read the
members with the file name endings of a format in the archive's order, and unpack compressed ones. What is no file
(links, devices) is reported and left out. Memory does not grow with a tar archive or a member;
a zip keeps its list of members in memory, so one of more than 16 MiB is refused.
"""

from __future__ import annotations

import io
import stat
import tarfile
import zlib
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import IO, Any, NamedTuple, cast
from zipfile import BadZipFile, ZipFile

from anagnosis.errors import InputError, TruncatedError
from anagnosis.io.compression import CHUNK, Filling, buffered, unpacked, without_compression
from anagnosis.io.files import STANDARD_INPUT, display_name, open_unpacked, without_mark
from anagnosis.io.paths import PathLike, open_file
from anagnosis.showing import masked_line

# File name endings of archives, without those of compressions. MECA: a manuscript as preprint servers exchange it.
ENDINGS = (".tar", ".tgz", ".tbz", ".txz", ".tzst", ".zip", ".meca")
_ZIPS = (b"PK\x03\x04", b"PK\x05\x06")  # with members, without
_errors: Any = tarfile  # its errors of headers, which have no types
# What stands in front of a member: its long path, or attributes.
_IN_FRONT = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_LONGEST_IN_FRONT = 1 << 16
_END_AND_COMMENT, _LONGEST_LIST = 22 + (1 << 16), 16 << 20  # bytes of a zip
_STREAMED = (0, 8)  # stored, deflated: what zipfile unpacks in pieces


class Opened(NamedTuple):
    """An open input. name: of the file, or "archive/member". stream: unpacked, valid until the next input."""

    name: str
    stream: io.BufferedReader
    is_member: bool


# Its path in the archive; its content, None of a link or device.
_Member = tuple[str, IO[bytes] | None]


def open_each(
    path: PathLike,
    suffixes: Sequence[str],
    *,
    name: str | None = None,
    on_read: Callable[[bytes], None] | None = None,
    on_left_out: Callable[[str, str, str], None] = lambda name, where, why: None,
) -> Generator[Opened]:
    """The file at `path`, or each member if it is an archive, in UTF-8 without a byte order mark.

    suffixes: of members. name: of the file (default: its file name). on_left_out: called with (archive_no_file,
    archive_without_end or archive_other_file; "archive/member"; why, "" for files with other endings). on_read: called
    with all bytes of the file, the last of them when the caller asks for an input after the last. InputError: an
    archive is broken or has no member with such an ending.
    """
    name = display_name(path) if name is None else name
    endings, others, has_members = tuple(suffixes), 0, False
    with open_unpacked(path, on_read) as stream:
        head = stream.peek(512)[:512]
        if not looks_packed(head):
            yield Opened(name, without_mark(stream, name), is_member=False)
            return
        members = _zip(path, stream, name) if head.startswith(_ZIPS) else _tar(stream, name, on_left_out)
        with closing(members):
            for member, content in members:
                where = f"{name}/{masked_line(member.removeprefix('./'))}"
                if not without_compression(member).endswith(endings):
                    others += 1
                    on_left_out("archive_other_file", where, "")
                    continue
                has_members = True
                if content is None:
                    on_left_out(
                        "archive_no_file", where, "a link, a device or a sparse file, which is not read"
                    )
                else:
                    stream = unpacked(buffered(_Content(content, name)), where)
                    yield Opened(where, without_mark(stream, where), is_member=True)
    if not has_members:
        what = f"no member ending in {', '.join(endings)}"
        raise InputError(what, name, f"it holds {others:,} other files" if others else "it holds no file")


def looks_packed(head: bytes) -> bool:
    """Whether a file that starts with these unpacked bytes is an archive."""
    return head[257:262] == b"ustar" or head.startswith(_ZIPS)


@contextmanager
def _naming_faults(name: str) -> Generator[None]:
    """Turn what an archive's library raises into an InputError."""
    try:
        yield
    except tarfile.ReadError as fault:
        raise TruncatedError("the archive ends too early", name, "fetch it again") from fault
    # zipfile raises NotImplementedError for what it does not know, RuntimeError for a password.
    except (tarfile.TarError, BadZipFile, zlib.error, EOFError, RuntimeError, OSError, ValueError) as fault:
        raise InputError(f"the archive is broken ({fault})", name, "fetch it again") from fault


class _Content(Filling):
    """The bytes of one member."""

    def __init__(self, content: IO[bytes], name: str) -> None:
        self._content, self._name = content, name

    def some(self, wanted: memoryview) -> int:
        with _naming_faults(self._name):
            data = self._content.read(min(len(wanted), CHUNK))
        wanted[: len(data)] = data
        return len(data)


def _tar(
    stream: io.BufferedReader, name: str, on_left_out: Callable[[str, str, str], None]
) -> Generator[_Member]:
    """Every member but folders. TruncatedError: the archive breaks off. InputError: a header is broken."""
    at_end = False  # whether the last header was a block of zeros, behind which another archive may follow

    class Header(tarfile.TarInfo):
        """A header that raises where it is broken; tarfile passes over it, and the members behind it, in silence."""

        @classmethod
        def frombuf(cls, buf: Any, encoding: str, errors: str) -> tarfile.TarInfo:
            info = super().frombuf(buf, encoding, errors)
            if info.size < 0 or (info.type in _IN_FRONT and info.size > _LONGEST_IN_FRONT):
                raise _errors.InvalidHeaderError("a member has an impossible size, or a path over 64 KiB")
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
                if at_end:  # zeros fill up the last block of a tape
                    raise _errors.EmptyHeaderError from fault
                raise _errors.ReadError from fault
            except _errors.HeaderError as fault:
                raise ValueError(fault) from fault
            at_end = False
            return info

    with (
        _naming_faults(name),
        tarfile.open(fileobj=stream, mode="r|", tarinfo=Header, ignore_zeros=True) as archive,
    ):
        while (info := archive.next()) is not None:
            cast(Any, archive).members.clear()  # it would gather them
            if not info.isdir():
                is_read = info.isreg() and not info.issparse()
                yield info.name, archive.extractfile(info) if is_read else None
    if not at_end:
        on_left_out("archive_without_end", name, "its end is not marked, so members may be missing")


def _zip(path: PathLike, stream: io.BufferedReader, name: str) -> Generator[_Member]:
    """Every member but folders. stream: of the same bytes, which is read to its end first.

    InputError: the archive comes from standard input, is compressed, encrypted or broken.
    """
    for _ in iter(partial(stream.read, CHUNK), b""):
        pass
    if str(path) == STANDARD_INPUT:
        raise InputError("a zip archive cannot be read from standard input", name, "name its file")
    with open_file(path) as file, _naming_faults(name):
        # The record at the end says how long the list of members is, which zipfile keeps in memory.
        file.seek(max(0, file.seek(0, io.SEEK_END) - _END_AND_COMMENT))
        _, mark, end = file.read().rpartition(b"PK\x05\x06")
        if mark and int.from_bytes(end[8:12], "little") > _LONGEST_LIST:
            raise InputError("a zip archive with so many members is not read", name, "pack it as tar")
        archive = ZipFile(file)
        for info in archive.infolist():
            mode = stat.S_IFMT(info.external_attr >> 16)
            if mode not in (0, stat.S_IFREG, stat.S_IFDIR):
                yield info.filename, None
            elif info.compress_type not in _STREAMED:
                what = "its compression is not read"
                raise InputError(what, f"{name}/{info.filename}", "pack it again, as tar or deflated")
            elif not info.is_dir():
                with archive.open(info) as content:
                    yield info.filename, content
