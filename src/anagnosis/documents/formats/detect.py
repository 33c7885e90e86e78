"""The format of a file, detected from its first bytes or given by name."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import cache
from pathlib import PurePath
from types import ModuleType

from anagnosis.documents.formats import FORMATS, PRINTED, UNMARKED
from anagnosis.documents.io.malformed import empty_file
from anagnosis.documents.libraries import kind_of_file
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.archives import Opened, looks_packed
from anagnosis.io.compression import without_compression
from anagnosis.io.input_files import ending
from anagnosis.io.paths import PathLike
from anagnosis.registry import find, known

GROUP = "anagnosis.formats"
# What stands beside papers and is none: macOS's ._x, data and notes on a paper, and what MECA says of its files.
_COMPANION = re.compile(r"\._.+|.+\.(?:json|txt)|(?:manifest|directives|transfer)\.xml", re.IGNORECASE)


class UnknownFormatError(InputError):
    """No format recognises a file."""


def format_module(name: str) -> ModuleType:
    """The module of a format, by its name."""
    return find({**FORMATS, **PRINTED, **UNMARKED}, name, "format", group=GROUP)


def detect(stream: io.BufferedReader, file: str) -> str:
    """The name of the format that recognises the stream's first bytes, which stay unread."""
    head = stream.peek(1 << 16)
    if not head.strip():
        raise empty_file(file)
    if looks_packed(head):
        raise InputError("is an archive in a place where none is read", file, "unpack it")
    for name in (*_formats(), *PRINTED):
        if format_module(name).sniff(head):
            return name
    if kind := kind_of_file(head):
        raise InputError(f"is a library ({kind})", file, "give it to `anagnosis index`")
    names = ", ".join((*_formats(), *PRINTED, *UNMARKED))
    remedy = f"convert it, or name its format with --format ({names})"
    raise UnknownFormatError("no format recognises its first bytes", f"{file}:1", remedy)


def format_of(opened: Opened, repairs: Repairs, stated: str | None = None) -> str | None:
    """The format of an open input; None for a member of no known format: refused, or counted as a companion."""
    opened.stream.peek(1)  # a fault of the stream itself is raised here
    file = PurePath(without_compression(opened.name)).name
    try:
        is_companion = opened.is_member and file.startswith("._")
        return ("" if is_companion else stated) or detect(opened.stream, opened.name)
    except InputError as fault:
        if not opened.is_member:
            raise
        if isinstance(fault, UnknownFormatError) and _COMPANION.fullmatch(file):
            repairs.count("companion_file")
            repairs.note(fault.where, fault.what)
        else:
            repairs.refuse_file(fault.where, fault.what)
        return None


def left_out_counter(repairs: Repairs) -> Callable[[str, str, str], None]:
    """A callback for `open_each` that counts and notes what it leaves out of an archive."""

    def count(name: str, where: str, why: str) -> None:
        repairs.count(name)
        if why:
            repairs.note(where, why)

    return count


def not_read_counter(repairs: Repairs) -> Callable[[str], None]:
    """A callback for `input_files` that counts the files of a folder that are not read, by ending."""
    return lambda name: repairs.count(f"file_not_read{ending(name)}")


def suffixes(*, printed: bool = False) -> tuple[str, ...]:
    """The file name endings of all formats, for inputs inside a folder. printed: also of PRINTED."""
    names = (*_formats(), *(PRINTED if printed else ()), *UNMARKED)
    return tuple(suffix for name in names for suffix in format_module(name).SUFFIXES)


def written() -> list[str]:
    """The names of the formats that can be written."""
    return [name for name in _formats() if hasattr(format_module(name), "write")]


def written_as(path: PathLike) -> str:
    """The format whose files have this file's ending, .json and .xml too, which nobody writes; else PubTator."""
    name = without_compression(str(path)).lower()
    return next(
        (
            each
            for each in (*written(), "bioc-json", "bioc-xml")
            if name.endswith(format_module(each).SUFFIXES[0])
        ),
        "pubtator",
    )


@cache
def _formats() -> tuple[str, ...]:
    """The names of all formats. Cached: searching other packages again for every file would take most of the time."""
    return tuple(known(FORMATS, GROUP))
