"""Papers as references: for reference managers, tables, and citations of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from anagnosis.errors import unknown_name
from anagnosis.searching.citing import bibtex, ris, tables
from anagnosis.searching.citing.reference import Reference


class ExportFormat(NamedTuple):
    """A format of exported references.

    title: what people call it. suffix: of its files. lines: the text of a file in pieces: what stands before the first
    reference, and one piece a reference.
    """

    title: str
    suffix: str
    media_type: str
    lines: Callable[[Iterable[Reference]], Iterator[str]]


FORMATS = {
    "ris": ExportFormat("RIS", ".ris", "application/x-research-info-systems", ris.lines),
    "bibtex": ExportFormat("BibTeX", ".bib", "application/x-bibtex", bibtex.lines),
    "csv": ExportFormat("CSV", ".csv", "text/csv; charset=utf-8", tables.csv_lines),
    "jsonl": ExportFormat("JSON lines", ".jsonl", "application/x-ndjson", tables.json_lines),
}


def export_format(name: str) -> ExportFormat:
    """The format of this name. InputError: an unknown name."""
    if name not in FORMATS:
        raise unknown_name("format", name, FORMATS, "--to")
    return FORMATS[name]
