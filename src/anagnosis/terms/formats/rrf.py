"""Rows of UMLS's rich release format: columns parted by `|`, one more `|` behind the last, no header and no quoting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from anagnosis.errors import InputError
from anagnosis.terms.formats.lines import numbered


def rows(stream: BinaryIO, name: str, columns: int) -> Iterator[list[str]]:
    """The cells of each row. InputError: a row with another number of columns."""
    for number, line in numbered(stream, name):
        if not line:
            continue
        cells = line.split("|")
        if len(cells) != columns + 1 or cells[-1]:
            seen = len(cells) - (cells[-1] == "")
            raise InputError(
                f"{seen} columns, not {columns} with a | behind each",
                f"{name}:{number}",
                "give the file as UMLS ships it",
            )
        yield cells


def looks_like(head: bytes, bars: range) -> bool:
    """Whether the first line begins with a concept's identifier and has so many bars."""
    line = head.split(b"\n", 1)[0]
    return line[:1] == b"C" and line[1:8].isdigit() and line[8:9] == b"|" and line.count(b"|") in bars
