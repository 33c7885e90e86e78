"""The terms of a user's files, in any format of `TERM_FORMATS`."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from types import ModuleType

from anagnosis.errors import InputError
from anagnosis.files import open_input
from anagnosis.input_files import input_files
from anagnosis.paths import PathLike
from anagnosis.registry import find, names
from anagnosis.terms.formats import TERM_FORMATS
from anagnosis.terms.term import Term

GROUP = "anagnosis.term_formats"


def format_module(name: str) -> ModuleType:
    """The module of a vocabulary's format, by its name."""
    return find(TERM_FORMATS, GROUP, name, "vocabulary format")


def detect(stream: io.BufferedReader, file: str) -> str:
    """The name of the format that recognises the stream's first bytes, which stay unread."""
    head = stream.peek(1 << 16)
    if not head.strip():
        raise InputError("the file is empty", file, "check how it was made")
    known = names(TERM_FORMATS, GROUP)
    for name in known:
        if format_module(name).sniff(head):
            return name
    raise InputError(
        "no vocabulary format recognises its first bytes", f"{file}:1", f"give one of {', '.join(known)}"
    )


def terms(paths: Sequence[PathLike], counts: Counter[str]) -> Iterator[Term]:
    """The terms of files and folders, file by file. counts: gets what the formats leave out, by name."""
    endings = tuple(suffix for name in names(TERM_FORMATS, GROUP) for suffix in format_module(name).SUFFIXES)
    for name, path in input_files(paths, endings):
        with open_input(path) as stream:
            yield from format_module(detect(stream, name)).read(stream, counts, name)
