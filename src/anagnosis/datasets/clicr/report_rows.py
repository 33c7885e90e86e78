"""The JSON of CliCR's files, report by report.

    {"version":"1.0","data":[{"document":{"context":STR,"title":STR,"qas":[{"query":STR,"id":STR,"answers":
     [{"text":STR,"cui":STR,"sem_type":STR,"origin":"dataset"},…]},…]},"source":STR},…]}

The bytes are those of Python's `json.dumps` without blanks: keys in this order, every non-ASCII character escaped, no
newline at the end. Reading and writing keep one report in memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable
from typing import Any, BinaryIO

import msgspec

from anagnosis.documents.io.json_stream import JsonText
from anagnosis.errors import InputError

VERSION = "1.0"
OTHER_JSON = "other_json"
NOT_THE_LAYOUT = 'the layout is one object with "version" and the list "data"'
_HEAD, _TAIL = f'{{"version":"{VERSION}","data":[', "]}"
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


def read_rows(
    stream: BinaryIO, name: str, deviates: Callable[[str, str], None]
) -> Generator[tuple[int, Any, str]]:
    """(line, report as decoded JSON, its text) of each report.

    deviates: called with the name of what differs around the reports from the authors' spelling, and what it is.
    InputError: no JSON, or not one object with the list `data`.
    """
    text = JsonText(stream, name)
    length, keys = len(_HEAD) + len(_TAIL), list[str]()
    if text.peek() not in ("{", ""):
        raise InputError("no JSON object", f"{name}:{text.line}", NOT_THE_LAYOUT)
    text.demand("{", "an object")
    while not text.take("}"):
        if keys:
            text.demand(",", "a comma or the end of the object")
        if text.peek() not in ('"', ""):
            raise text.fault("a key expected")
        keys.append(text.value())
        text.demand(":", "a colon")
        if keys[-1] == "data" and keys.count("data") == 1:
            for count, report in enumerate(_reports(text, name)):
                length += len(report[2]) + bool(count)
                yield report
            continue
        value = text.value()
        if keys[-1] == "version" and value != VERSION:
            deviates("other_version", f"{str(value)[:40]!r}; export writes {VERSION!r}")
            length += len(_encode(value)) - len(_encode(VERSION))
    if text.peek():
        raise text.fault("nothing expected after the object")
    if "data" not in keys:
        raise InputError('no list "data"', name, NOT_THE_LAYOUT)
    if length != text.passed or keys != ["version", "data"]:
        deviates(OTHER_JSON, "blanks, keys or their order; export writes the usual form")


def _reports(text: JsonText, name: str) -> Generator[tuple[int, Any, str]]:
    if text.peek() not in ("[", ""):
        raise InputError('"data" is no list', f"{name}:{text.line}", NOT_THE_LAYOUT)
    text.demand("[", "a list")
    is_first = True
    while not text.take("]"):
        if not is_first:
            text.demand(",", "a comma or the end of the list")
        is_first = False
        text.peek()
        yield text.line, *text.spelled_value()


def spelled(report: ReportRow) -> str:
    """A report as the authors write it. report.document.qas: of `QueryRow`."""
    return _encode(msgspec.to_builtins(report))


def write_rows(reports: Iterable[ReportRow], stream: BinaryIO) -> None:
    """Write a file of these reports."""
    stream.write(_HEAD.encode())
    reports = iter(reports)
    for first in reports:
        stream.write(spelled(first).encode())
        for report in reports:
            stream.write(b"," + spelled(report).encode())
    stream.write(_TAIL.encode())
