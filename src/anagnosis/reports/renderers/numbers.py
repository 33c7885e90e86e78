"""How the cells of every report are written, and which of a column's values is the best.

A share of 0.565 is 56.50, with its interval 56.50 [55.26, 57.72]; differences have a sign, p ends at < 0.001.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from anagnosis.reports.report import Cell, Column, Estimate, Kind, Table


class Grid(NamedTuple):
    """A table as a reader sees it. rows: the texts of the cells. best: (row, column) of the best values."""

    columns: list[Column]
    rows: list[list[str]]
    best: frozenset[tuple[int, int]]


def grid(table: Table) -> Grid:
    """A table without the columns that have no value at all; the first one stays."""
    places = [
        place
        for place in range(len(table.columns))
        if not place or not table.rows or any(row[place] not in (None, "") for row in table.rows)
    ]
    columns = [table.columns[place] for place in places]
    rows = [[cell_text(row[place], table.columns[place].kind) for place in places] for row in table.rows]
    return Grid(columns, rows, frozenset((row, places.index(place)) for row, place in best_cells(table)))


def cell_text(value: Cell, kind: Kind) -> str:
    """A cell as a reader sees it; the empty string where there is no value."""
    if value is None or isinstance(value, str):
        return value or ""
    write = _WRITERS[kind]
    if isinstance(value, Estimate):
        return f"{write(value.value)} [{write(value.low)}, {write(value.high)}]"
    return write(value)


def best_cells(table: Table) -> frozenset[tuple[int, int]]:
    """(row, column) of the best values of each zone; equal ones together, a lone one not at all."""
    marked: set[tuple[int, int]] = set()
    for start, end in zip((0, *table.zones), (*table.zones, len(table.rows)), strict=True):
        for place, column in enumerate(table.columns):
            sizes = {row: _size(table.rows[row][place]) for row in range(start, end) if column.best}
            numbers = {number for number in sizes.values() if number is not None}
            if len(numbers) > 1:
                best = max(numbers) if column.best == "high" else min(numbers)
                marked.update((row, place) for row, number in sizes.items() if number == best)
    return frozenset(marked)


def _size(value: Cell) -> float | None:
    size = value.value if isinstance(value, Estimate) else value
    # Equal values that were summed in another order are equal.
    return None if size is None or isinstance(size, str) else round(float(size), 12)


def _number(value: float) -> str:
    return f"{value:,d}" if isinstance(value, int) else f"{value:,.2f}"


def _plain(factor: int, digits: int) -> Callable[[float], str]:
    return lambda value: f"{factor * value:.{digits}f}".replace("-", "−")


def _signed(factor: int, digits: int) -> Callable[[float], str]:
    """Of differences; one that is written as zero has no sign."""

    def write(value: float) -> str:
        written = f"{factor * value:+.{digits}f}"
        return written.replace("-", "−") if float(written) else f"{0:.{digits}f}"

    return write


def _p(value: float) -> str:
    if value < 0.001:
        return "< 0.001"
    return "> 0.999" if 0.9995 <= value < 1 else f"{value:.3f}"


def _seconds(value: float) -> str:
    if value >= 3600:
        return f"{value / 3600:,.2f} h"
    return f"{value:.0f} s" if value >= 10 else f"{value:.2f} s"


def _parameters(value: float) -> str:
    """As BIOMRC's Table 3 writes them; small numbers whole."""
    if value >= 999_500:
        return f"{value / 1e6:,.2f}M"
    return f"{value / 1e3:.0f}k" if value >= 10_000 else f"{value:,.0f}"


_WRITERS: dict[Kind, Callable[[float], str]] = {
    "text": str,
    "count": "{:,.0f}".format,
    "number": _number,
    "percent": _plain(100, 2),
    "difference": _signed(100, 2),
    "fraction": _plain(1, 4),
    "gain": _signed(1, 4),
    "p": _p,
    "seconds": _seconds,
    "parameters": _parameters,
}
