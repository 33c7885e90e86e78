"""CSV: a record's table; or a report as one tidy file, a line for each value of its tables, plots and listings.

    section,block,caption,row,label,column,kind,value,low,high
    Documents,5,"Documents, rule by rule",2,title_too_short,dropped,count,1,,

Long instead of wide, since a report holds many tables: filter by caption, pivot by column. block and row count from 1,
block 0 is the report itself; label is the row's first cell; numbers are raw (fractions where a page shows percent).
Text that a spreadsheet would run as a formula gets an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from anagnosis.reports.report import Block, Cell, Estimate, Heading, Listing, Plot, Report, Table, Text
from anagnosis.showing import without_formula

if TYPE_CHECKING:
    import pyarrow as pa

HEADER = ("section", "block", "caption", "row", "label", "column", "kind", "value", "low", "high")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")


def render_table(table: pa.Table) -> str:
    """A record's table with its header; numbers in full, nothing where there is no value."""
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    return _written([table.column_names, *rows])


def render(report: Report) -> str:
    """The report's values, UTF-8, lines ending in a newline."""
    lines: list[Sequence[Cell]] = [HEADER, (report.title, 0, *_words("", "title", report.title))]
    section = report.title
    for number, block in enumerate(report.printed, 1):
        section = block.text if isinstance(block, Heading) else section
        lines += ((section, number, *line) for line in _lines(block))
    return _written(lines)


def _written(lines: Iterable[Sequence[Cell]]) -> str:
    target = io.StringIO()
    csv.writer(target, lineterminator="\n").writerows([_safe(cell) for cell in line] for line in lines)
    return target.getvalue()


def _words(caption: str, column: str, text: str, row: int | None = None, label: str = "") -> Sequence[Cell]:
    return caption, row, label, column, "text", text, None, None


def _lines(block: Block) -> Iterator[Sequence[Cell]]:
    match block:
        case Heading():
            yield _words("", "heading", block.text)
        case Text():
            yield _words("", block.tone, block.text)
        case Table():
            yield from _table(block)
        case Plot():
            yield _words(block.title, "description", block.description)
            yield from _table(block.data)
        case Listing():
            for row, item in enumerate(block.items, 1):
                text = "".join(f"{run.text} [{run.label}]" if run.label else run.text for run in item.runs)
                yield _words(block.caption, "text", text, row, item.label)


def _table(table: Table) -> Iterator[Sequence[Cell]]:
    for number, row in enumerate(table.rows, 1):
        for column, cell in zip(table.columns, row, strict=True):
            values = cell if isinstance(cell, Estimate) else (cell, None, None)
            yield table.caption, number, row[0], column.name, column.kind, *values
    yield from (_words(table.caption, "note", note) for note in table.notes)
    yield from (_words(table.caption, "signature", signature) for signature in table.signatures)


def _safe(cell: Cell) -> Cell:
    """A text on one line, an apostrophe before it if it begins like a formula; numbers as they are."""
    return without_formula(_CONTROL.sub(" ", cell)) if isinstance(cell, str) else cell
