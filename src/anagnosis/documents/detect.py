"""Which format a file has: by its own name for it, or by its first bytes."""

from __future__ import annotations

import io
from types import ModuleType

from anagnosis.documents import FORMATS
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
    if head[257:262] == b"ustar":
        raise InputError("is an archive of files", file, "unpack it, and name the files or their folder")
    for name in names(FORMATS, GROUP):
        if format_module(name).sniff(head):
            return name
    raise InputError(
        "no format recognises its first bytes",
        f"{file}:1",
        f"name one with --format ({', '.join(names(FORMATS, GROUP))})",
    )


def suffixes() -> tuple[str, ...]:
    """The endings of file names that count when a folder is given."""
    return tuple(suffix for name in names(FORMATS, GROUP) for suffix in format_module(name).SUFFIXES)
