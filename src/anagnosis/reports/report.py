"""What a report is made of: a title and blocks of five kinds, plain data that every renderer can show.

    Report("Test accuracy", (Heading("Systems"), Table("All systems", columns, rows)))

A report computes nothing and knows no file format. A plot is its data as a table and the name of a drawing
(`picture.DRAWINGS`), so that formats without pictures show the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from anagnosis.showing import WithReport

Kind = Literal[
    "text", "count", "number", "percent", "difference", "fraction", "gain", "p", "seconds", "parameters"
]
Best = Literal["", "high", "low"]
Tone = Literal["plain", "note", "warning"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval in its column's unit (percent and difference are fractions: 0.5 is 50 %)."""

    value: float
    low: float
    high: float


_REST = "More: --full prints it all, --json the data, and --out report.html writes a page."
Cell = str | int | float | Estimate | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column. kind: how its cells are written (`numbers.cell_text`); best: which value is marked."""

    name: str
    kind: Kind = "text"
    best: Best = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The beginning of a section. level: 2 under the title, 3 under that."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph. tone: a note is said aside, a warning must not be overlooked."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of plain values, None where there is none; the first column names the row.

    zones: indices of rows (never 0) before which a line is drawn; the best is marked in each zone for itself,
    as in BIOMRC, Table 4 (people, systems). signatures: the lines that tell what the numbers are of.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    zones: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(
                    f"table {self.caption!r}: a row of {len(row)} cells, {len(self.columns)} columns"
                )
            for cell in row:
                if not _finite(cell):
                    raise ValueError(
                        f"table {self.caption!r}: {cell!r} is no value, None says that there is none"
                    )


def table(
    caption: str,
    columns: Iterable[tuple[str, Kind, Callable[[Any], Cell]] | tuple[Column, Callable[[Any], Cell]]],
    records: Iterable[Any],
    *,
    notes: Iterable[str] = (),
    signatures: Iterable[str] = (),
    zones: Iterable[int] = (),
) -> Table:
    """A table with a row for each record. columns: name and kind, or both as a column, and a record's cell."""
    given = [(Column(*each[:-1]) if len(each) == 3 else each[0], each[-1]) for each in columns]
    return Table(
        caption,
        tuple(column for column, _ in given),
        tuple(tuple(cell(record) for _, cell in given) for record in records),
        tuple(notes),
        tuple(dict.fromkeys(signatures)),
        tuple(zones),
    )


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture: a title, a sentence on what it shows, the name of its drawing, the data it is drawn from.

    A page shows the picture, other formats the data. repeated: whether a table of the report has the same numbers, so
    that formats without pictures leave the plot out.
    """

    title: str
    description: str
    drawing: str
    data: Table
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text. entity: index of the candidate it names (its colour); label: its number beside it."""

    text: str
    entity: int | None = None
    label: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a listing: a label and what stands under it."""

    label: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Labelled texts one below the other, as in BIOMRC, Figures 1 and 4."""

    items: tuple[Item, ...]
    caption: str = ""


Block = Heading | Text | Table | Plot | Listing


@dataclass(frozen=True, slots=True, repr=False)
class Report(WithReport):
    """A title and what stands under it, in the order of reading.

    blocks: the result. more: what it rests on; a command prints this with `--full` only.
    """

    title: str
    blocks: tuple[Block, ...] = ()
    more: tuple[Block, ...] = ()

    @property
    def whole(self) -> tuple[Block, ...]:
        """All blocks, as on a page."""
        return self.blocks + self.more

    @property
    def printed(self) -> tuple[Block, ...]:
        """All blocks of a format without pictures: a plot whose numbers a table has is left out."""
        return tuple(block for block in self.whole if not (isinstance(block, Plot) and block.repeated))


def brief(report: Report) -> Report:
    """The result alone, and how to see the rest."""
    return replace(report, more=(Text(_REST, "note"),)) if report.more else report


def item(label: str, text: str) -> Item:
    """A line of a listing that is one plain text."""
    return Item(label, (Run(text),))


def _finite(cell: Cell) -> bool:
    if isinstance(cell, Estimate):
        return all(math.isfinite(number) for number in (cell.value, cell.low, cell.high))
    return not isinstance(cell, float) or math.isfinite(cell)
