"""Which format a file has: by its own name for it, or by its first bytes."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from types import ModuleType

from anagnosis.archives import Opened, looks_packed
from anagnosis.documents.formats import FORMATS
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.registry import find, names

GROUP = "anagnosis.formats"


def format_module(name: str) -> ModuleType:
    """The module of a format, by its name."""
    return find(FORMATS, GROUP, name, "format")


def detect(stream: io.BufferedReader, file: str) -> str:
    """The name of the format that recognises the stream's first bytes; nothing of the stream is consumed."""
    head = stream.peek(1 << 16)
    if not head.strip():
        raise InputError("the file is empty", file, "check how it was made")
    if looks_packed(head):
        raise InputError("is an archive in a place where none is read", file, "unpack it")
    for name in _formats():
        if format_module(name).sniff(head):
            return name
    raise InputError(
        "no format recognises its first bytes",
        f"{file}:1",
        f"name one with --format ({', '.join(_formats())})",
    )


def format_of(opened: Opened, repairs: Repairs) -> str | None:
    """The format of an open input; of an archive's member that has none, None, and the member is refused."""
    opened.stream.peek(1)  # what is wrong with the stream is told as such
    try:
        return detect(opened.stream, opened.name)
    except InputError as fault:
        if not opened.is_member:
            raise
        repairs.refuse(fault.where, fault.what)
        return None


def left_out(repairs: Repairs) -> Callable[[str, str, str], None]:
    """Counts and names what `open_each` leaves out of an archive, under the name that it is told by."""

    def noted(name: str, where: str, why: str) -> None:
        repairs.count(name)
        if why:
            repairs.note(where, why)

    return noted


def suffixes() -> tuple[str, ...]:
    """The endings of file names that count when a folder is given."""
    return tuple(suffix for name in _formats() for suffix in format_module(name).SUFFIXES)


@cache
def _formats() -> tuple[str, ...]:
    """Other packages are looked through once: done for every file, that would take most of the time."""
    return tuple(names(FORMATS, GROUP))
