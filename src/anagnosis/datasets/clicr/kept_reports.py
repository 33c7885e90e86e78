"""Reports without queries in CliCR's files: no instance holds them, so the recipe of an imported dataset does.

The published construction writes them before it removes exact repeats; the files that its authors give out have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from anagnosis.datasets.clicr.report_rows import DocumentRow, ReportRow, read_rows
from anagnosis.files import open_input

MOST = 1_000  # that a recipe keeps
_EMPTY = b'"qas":[]'
_BLOCK = 1 << 20


class KeptReport(msgspec.Struct, frozen=True):
    """A report without queries, its texts with their marks. before: the source of the next report with queries."""

    split: str
    before: str
    source: str
    title: str
    context: str


def kept_reports(split: str, files: Iterable[tuple[str, Path]]) -> list[KeptReport]:
    """The first reports without queries of a split's (name, file)s, at most MOST."""
    return list(islice(_kept(split, files), MOST))


def with_kept(reports: Iterable[ReportRow], kept: Sequence[KeptReport]) -> Iterator[ReportRow]:
    """The reports, with those that were kept in their places; those whose place is not there come last."""
    waiting = {each.before: [k for k in kept if k.before == each.before] for each in kept}
    for report in reports:
        yield from map(_row, waiting.pop(report.source, ()))
        yield report
    for rest in waiting.values():
        yield from map(_row, rest)


def _row(report: KeptReport) -> ReportRow:
    return ReportRow(DocumentRow(report.context, report.title, []), report.source)


def _kept(split: str, files: Iterable[tuple[str, Path]]) -> Iterator[KeptReport]:
    waiting: list[ReportRow] = []
    for name, file in files:
        if not _holds_empty_list(file):
            continue
        with open_input(file) as stream:
            for _, value, _ in read_rows(cast(BinaryIO, stream), name, _unheeded):
                try:
                    report = msgspec.convert(value, ReportRow)
                    msgspec.json.encode(report).decode()
                except (msgspec.ValidationError, UnicodeError):
                    continue
                if report.document.qas:
                    yield from (_of(split, report.source, each) for each in waiting)
                    waiting.clear()
                elif len(waiting) < MOST:
                    waiting.append(report)
    yield from (_of(split, "", each) for each in waiting)


def _of(split: str, before: str, report: ReportRow) -> KeptReport:
    return KeptReport(split, before, report.source, report.document.title, report.document.context)


def _unheeded(fault: str, what: str) -> None:
    """Deviations are reported when the instances are read."""


def _holds_empty_list(file: Path) -> bool:
    """Whether a file may hold a report without queries, so that it must be read as JSON once more."""
    with open_input(file) as stream:
        rest = b""
        while block := stream.read(_BLOCK):
            text = rest + block
            if _EMPTY in text:
                return True
            rest = text[1 - len(_EMPTY) :]
    return False
