"""What a report is made of: a title and blocks of five kinds, plain data that every renderer can show.

    Report("Test accuracy", (Heading("Systems"), Table("All systems", columns, rows)))

A report computes nothing and knows no file format. A plot is its data as a table and the name of a drawing
(`picture.DRAWINGS`), so that formats without pictures show the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from anagnosis.showing import WithReport

Kind = Literal[
    "text", "count", "number", "percent", "difference", "fraction", "gain", "p", "seconds", "parameters"
]
Best = Literal["", "high", "low"]
Tone = Literal["plain", "note", "warning"]


class Estimate(NamedTuple):
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
    """The beginning of a section."""

    text: str


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
                what = f"a row of {len(row)} cells, {len(self.columns)} columns"
                raise ValueError(f"table {self.caption!r}: {what}")
            for cell in row:
                numbers = cell if isinstance(cell, Estimate) else (cell,)
                if any(isinstance(number, float) and not math.isfinite(number) for number in numbers):
                    what = f"{cell!r} is no value, None says that there is none"
                    raise ValueError(f"table {self.caption!r}: {what}")


_CellOf = Callable[[Any], Cell]
ColumnOf = tuple[str | Column, _CellOf] | tuple[str, Kind, _CellOf]


def table(
    caption: str,
    columns: Iterable[ColumnOf],
    records: Iterable[Any],
    *,
    notes: Iterable[str] = (),
    signatures: Iterable[str] = (),
    zones: Iterable[int] = (),
) -> Table:
    """A table with a row for each record. columns: name ("text") or name and kind or a column, and a record's cell."""
    given = [*columns]
    heads = [
        one[0] if isinstance(one[0], Column) else Column(one[0], one[1] if len(one) == 3 else "text")
        for one in given
    ]
    rows = tuple(tuple(one[-1](record) for one in given) for record in records)
    return Table(caption, tuple(heads), rows, tuple(notes), tuple(dict.fromkeys(signatures)), tuple(zones))


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture: a title, a sentence on what it shows, the name of its drawing, the data it is drawn from.

    A page shows the picture, other formats the data, or nothing where a table of the report has it too (repeated).
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

    @property
    def parts(self) -> tuple[str, str, str]:
        """The text on one line between a blank or none, so that marks stand beside its letters."""
        if not self.text.strip():
            return " " * bool(self.text), "", ""
        before, after = (" " * edge.isspace() for edge in (self.text[0], self.text[-1]))
        return before, " ".join(self.text.split()), after


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
        """All blocks, as on a page, with each signature under the first table that has it."""
        seen: set[str] = set()
        return tuple(_signed_once(block, seen) for block in self.blocks + self.more)

    @property
    def printed(self) -> tuple[Block, ...]:
        """All blocks of a format without pictures: a plot whose numbers a table has is left out."""
        return tuple(block for block in self.whole if not (isinstance(block, Plot) and block.repeated))


def _signed_once(block: Block, seen: set[str]) -> Block:
    """The block without signatures that are seen. A table adds its own, a plot none: a page does not show its data."""
    if isinstance(block, Plot):
        return replace(block, data=_signed_once(block.data, {*seen}))
    if not isinstance(block, Table):
        return block
    # Names may stand before a signature, which has no blank.
    lines = {line: line.rpartition(": ")[2] for line in block.signatures}
    shown = tuple(line for line, signature in lines.items() if signature not in seen)
    seen.update(lines.values())
    return replace(block, signatures=shown)


def brief(report: Report) -> Report:
    """The result alone, and how to see the rest."""
    return replace(report, more=(Text(_REST, "note"),)) if report.more else report


def listing(lines: Iterable[tuple[str, str | Run | Iterable[Run]]], caption: str = "") -> Listing:
    """A listing of labels and what stands under each; those under which nothing stands are left out."""
    runs = [
        (
            label,
            (Run(given),) if isinstance(given, str) else (given,) if isinstance(given, Run) else tuple(given),
        )
        for label, given in lines
        if given
    ]
    return Listing(tuple(Item(label, own) for label, own in runs), caption)
