"""reports_without_queries.jsonl: the imported reports of which no instance is made, so that export can write them back.

CliCR's published construction writes such reports before it removes exact repeats; the files that its authors give out
have none. A line has the keys of `ReportWithoutQueries`. A dataset without such reports has no such file.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile

import msgspec

from anagnosis.io.decoding import decoded
from anagnosis.io.files import atomic_write, open_input

FILE = "reports_without_queries.jsonl"
_IN_MEMORY = 1 << 24  # bytes
_AGAIN = "import the dataset again"


class ReportWithoutQueries(msgspec.Struct, frozen=True):
    """Its texts, with their marks. place: how many reports with instances stand before it in its split."""

    split: str
    place: int
    source: str
    title: str
    context: str


class CollectedReports:
    """Collects such reports while instances are read; memory holds 16 MiB of them, a temporary file the rest."""

    def __init__(self) -> None:
        # A `with` would close it before the reports are read back; it goes with this object.
        self._lines = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  (see above)
        self._encode = msgspec.json.Encoder().encode

    def add(self, report: ReportWithoutQueries) -> None:
        """Keep a report. Those of a split come in the order of the file."""
        self._lines.write(self._encode(report) + b"\n")

    def write(self, folder: Path) -> None:
        """Write FOLDER/reports_without_queries.jsonl where there are such reports."""
        if self._lines.tell():
            with atomic_write(folder / FILE) as stream:
                self._lines.seek(0)
                shutil.copyfileobj(self._lines, stream)


def read(path: Path | None, split: str) -> Iterator[ReportWithoutQueries]:
    """The reports without queries of a split, in order. path: of the file; None where the dataset has none."""
    if path is not None:
        with open_input(path) as stream:
            for number, line in enumerate(stream, 1):
                report = decoded(line, ReportWithoutQueries, f"{path}:{number}", _AGAIN)
                if report.split == split:
                    yield report
