"""Archives as input: we stream the members of a tar or zip archive and extract nothing to disk.

We detect an archive from its bytes, compressed or not; the name of a member is "archive.tar.gz/its/path". We read the
members with the file name endings of a format in the archive's order, and unpack compressed ones. Links, devices and
paths that lead out of the archive are reported and left out. Memory does not grow with an archive or a member.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import NamedTuple

from anagnosis.errors import InputError
from anagnosis.io.archives.tar import Entry, is_tar, tar_entries
from anagnosis.io.archives.zip import is_zip, zip_entries
from anagnosis.io.compression import unpacked, without_compression
from anagnosis.io.files import display_name, open_unpacked, recoded
from anagnosis.io.paths import PathLike
from anagnosis.showing import masked_line

__all__ = [
    "ENDINGS",
    "Opened",
    "is_archive",
    "looks_packed",
    "open_each",
    "open_inside",
    "open_member",
]

# File name endings of archives, without those of compressions.
ENDINGS = (".tar", ".tgz", ".tbz", ".txz", ".tzst", ".zip")
ENDS_WITHOUT_MARK = "its end is not marked, so members may be missing"

_SHOWN = 5
_LONGEST_SHOWN = 100  # characters of a name
_LEFT_OUT = {
    "link": "a link, which is not followed",
    "device": "a device, which is not read",
    "unknown": "a member of an unknown kind",
}
_DRIVE = re.compile(r"[A-Za-z]:")


class Opened(NamedTuple):
    """An open input. name: of the file, or "archive/member". stream: unpacked, valid until the next input."""

    name: str
    stream: io.BufferedReader
    is_member: bool


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
    with open_unpacked(path, on_read) as stream:
        head = stream.peek(512)[:512]
        if is_tar(head):
            entries = tar_entries(
                stream, name, lambda: on_left_out("archive_without_end", name, ENDS_WITHOUT_MARK)
            )
        elif is_zip(head):
            entries = zip_entries(path, stream, name)
        else:
            yield Opened(name, recoded(stream, encoding, name, on_mark), is_member=False)
            return
        with closing(entries):
            for member, content in _members(entries, name, suffixes, on_left_out):
                yield Opened(
                    member, recoded(unpacked(content, member), encoding, member, on_mark), is_member=True
                )


def open_inside(
    archive: Opened,
    suffixes: Sequence[str],
    *,
    on_left_out: Callable[[str, str, str], None] = lambda name, where, why: None,
) -> Generator[Opened]:
    """The members of a tar archive that is itself a member, opened as by `open_each`."""
    name = archive.name
    entries = tar_entries(
        archive.stream, name, lambda: on_left_out("archive_without_end", name, ENDS_WITHOUT_MARK)
    )
    with closing(entries):
        for member, content in _members(entries, name, suffixes, on_left_out):
            yield Opened(member, recoded(unpacked(content, member), None, member), is_member=True)


def looks_packed(head: bytes) -> bool:
    """Whether a file that starts with these unpacked bytes is an archive."""
    return is_tar(head) or is_zip(head)


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


def _members(
    entries: Iterator[Entry],
    archive: str,
    suffixes: Sequence[str],
    on_left_out: Callable[[str, str, str], None],
) -> Iterator[tuple[str, io.BufferedReader]]:
    """(name, stream) of the members to read."""
    endings, others, has_members = tuple(suffixes), list[str](), False
    for entry in entries:
        path = _printable_path(entry.path)
        if entry.kind == "folder":
            continue
        if not without_compression(path).endswith(endings):
            if len(others) <= _SHOWN:
                others.append(path[:_LONGEST_SHOWN])
            on_left_out("archive_other_file", f"{archive}/{path}", "")
            continue
        has_members = True
        where = f"{archive}/{path}"
        if entry.kind != "file":
            on_left_out(f"archive_{entry.kind}", where, _LEFT_OUT[entry.kind])
        elif _leads_out(path):
            on_left_out("archive_path_outside", where, "its path leads out of the archive")
        else:
            yield where, entry.stream
    if not has_members:
        names = ", ".join(others[:_SHOWN]) + (", …" if len(others) > _SHOWN else "")
        raise InputError(
            f"no member ending in {', '.join(endings)}",
            archive,
            f"it holds {names}" if names else "it holds no file at all",
        )


def _printable_path(path: str) -> str:
    """A member's path for messages: on one line, without "./" in front."""
    path = masked_line(path)
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path


def _leads_out(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    return not parts[0] or ".." in parts or _DRIVE.match(path) is not None
