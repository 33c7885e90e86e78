"""Papers as references: for reference managers, tables, and citations of a sentence.

`FORMATS` lists the formats of exported results; each is a module here with the names of `ExportFormat`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Protocol, cast

from anagnosis.errors import unknown_name
from anagnosis.searching.citing.reference import Reference

FORMATS = {
    "ris": "anagnosis.searching.citing.ris",
    "bibtex": "anagnosis.searching.citing.bibtex",
    "csv": "anagnosis.searching.citing.comma_separated",
    "jsonl": "anagnosis.searching.citing.json_lines",
}


class ExportFormat(Protocol):
    """A module that writes references."""

    TITLE: str
    """What people call the format."""
    SUFFIX: str
    """The ending of its files, with a dot."""
    MEDIA_TYPE: str

    def lines(self, references: Iterable[Reference], /) -> Iterator[str]:
        """The text of a file, in pieces: what stands before the first reference, and one piece a reference."""
        ...


def export_format(name: str) -> ExportFormat:
    """The module of a format. InputError: an unknown name."""
    if name not in FORMATS:
        raise unknown_name("format", name, FORMATS, "--to")
    return cast(ExportFormat, import_module(FORMATS[name]))
