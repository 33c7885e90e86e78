"""The JSON of CliCR's files, report by report.

    {"version":"1.0","data":[{"document":{"context":STR,"title":STR,"qas":[{"query":STR,"id":STR,"answers":
     [{"text":STR,"cui":STR,"sem_type":STR,"origin":"dataset"},…]},…]},"source":STR},…]}

The bytes are those of Python's `json.dumps` without blanks: keys in this order, every non-ASCII character escaped, no
newline at the end. Reading and writing keep one report in memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader
from typing import Any, BinaryIO

import msgspec

from anagnosis.datasets.export.authors_files import JsonList, Listed

VERSION = "1.0"
OTHER_JSON = "other_json"
_TAIL = "]}"
_encode = json.JSONEncoder(separators=(",", ":")).encode


class AnswerRow(msgspec.Struct, frozen=True):
    """An answer to a query. origin: `dataset` for the hidden text, else the vocabulary that has the name."""

    text: str
    cui: str
    sem_type: str
    origin: str


class QueryRow(msgspec.Struct, frozen=True):
    """A query, with `@placeholder` in place of the hidden entity."""

    query: str
    id: str
    answers: list[AnswerRow]


class DocumentRow(msgspec.Struct, frozen=True):
    """A report's texts, with marked entities. qas: each is a `QueryRow` once it is converted."""

    context: str
    title: str
    qas: list[Any]


class ReportRow(msgspec.Struct, frozen=True):
    """A report with its queries."""

    document: DocumentRow
    source: str


def read_rows(stream: BufferedReader, name: str, deviates: Callable[[str, str], None]) -> Iterator[Listed]:
    """Each report as decoded JSON, with its text.

    deviates: called with the name of what differs around the reports from the authors' spelling, and what it is.
    InputError: no JSON, or not one object with the list `data`.
    """
    reports = JsonList(stream, name, "data")
    yield from reports.values()
    version = dict(reports.other_keys).get("version", VERSION)
    if version != VERSION:
        deviates("other_version", f"{str(version)[:40]!r}; export writes {VERSION!r}")
    framing = reports.framing()
    usual = (_head(version), framing.between and ",", _TAIL)
    if reports.uneven or (framing.before, framing.between, framing.behind) != usual:
        deviates(OTHER_JSON, "blanks, keys or their order; export writes the usual form")


def spelled(report: ReportRow) -> str:
    """A report as the authors write it. report.document.qas: of `QueryRow`."""
    return _encode(msgspec.to_builtins(report))


def write_rows(reports: Iterable[ReportRow], stream: BinaryIO) -> None:
    """Write a file of these reports."""
    before = _head(VERSION)
    for report in reports:
        stream.write(f"{before}{spelled(report)}".encode())
        before = ","
    stream.write(f"{_head(VERSION) if before != ',' else ''}{_TAIL}".encode())


def _head(version: Any) -> str:
    return f'{{"version":{_encode(version)},"data":['
