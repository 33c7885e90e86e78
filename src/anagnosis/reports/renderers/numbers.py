"""How numbers are written in every report, and which of a column's values is the best.

| kind       | value                     | written                  |
|------------|---------------------------|--------------------------|
| count      | 6250                      | 6,250                    |
| number     | 6.7251                    | 6.73                     |
| percent    | 0.565                     | 56.50                    |
| percent    | Estimate(.565, .5526, .5772) | 56.50 [55.26, 57.72]  |
| difference | Estimate(.012, -.001, .025)  | +1.20 [−0.10, +2.50]  |
| fraction   | 0.6863                    | 0.6863                   |
| gain       | 0.0121                    | +0.0121                  |
| p          | 0.0002, 0.0412, 1.0       | < 0.001, 0.041, 1.000    |
| seconds    | 0.42, 75, 15768           | 0.42 s, 75 s, 4.38 h     |
| parameters | 600, 153801, 12872800     | 600, 154k, 12.87M        |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from anagnosis.reports.report import Cell, Estimate, Kind, Table


def cell_text(value: Cell, kind: Kind) -> str:
    """A cell as a reader sees it; the empty string where there is no value."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    write = _WRITERS[kind]
    if isinstance(value, Estimate):
        return f"{write(value.value)} [{write(value.low)}, {write(value.high)}]"
    return write(value)


def table_texts(table: Table) -> list[list[str]]:
    """All cells of a table as they are seen, row by row."""
    kinds: list[Kind] = [column.kind for column in table.columns]
    return [[cell_text(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in table.rows]


def filled(table: Table) -> Table:
    """The table as a reader needs it: columns without a single value are left out, the first never."""
    places = [
        place
        for place in range(len(table.columns))
        if not place or not table.rows or any(row[place] not in (None, "") for row in table.rows)
    ]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in places),
        rows=tuple(tuple(row[place] for place in places) for row in table.rows),
    )


def best_cells(table: Table) -> frozenset[tuple[int, int]]:
    """(row, column) of the best values of each zone; equal ones together, a lone one not at all."""
    marked: set[tuple[int, int]] = set()
    for start, end in zip((0, *table.zones), (*table.zones, len(table.rows)), strict=True):
        for place, column in enumerate(table.columns):
            if not column.best:
                continue
            values = {row: _size(table.rows[row][place]) for row in range(start, end)}
            numbers = [number for number in values.values() if number is not None]
            if len(set(numbers)) > 1:
                best = max(numbers) if column.best == "high" else min(numbers)
                marked.update((row, place) for row, number in values.items() if number == best)
    return frozenset(marked)


def _size(value: Cell) -> float | None:
    size = value.value if isinstance(value, Estimate) else value
    # Equal values that were summed in another order are equal.
    return None if size is None or isinstance(size, str) else round(float(size), 12)


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _number(value: float) -> str:
    return f"{value:,d}" if isinstance(value, int) else f"{value:,.2f}"


def _percent(value: float) -> str:
    return _minus(f"{100 * value:.2f}")


def _difference(value: float) -> str:
    written = f"{100 * value:+.2f}"
    return "0.00" if float(written) == 0 else _minus(written)


def _fraction(value: float) -> str:
    return _minus(f"{value:.4f}")


def _gain(value: float) -> str:
    """A difference of fractions."""
    written = f"{value:+.4f}"
    return "0.0000" if float(written) == 0 else _minus(written)


def _p(value: float) -> str:
    if value < 0.001:
        return "< 0.001"
    if 0.9995 <= value < 1:
        return "> 0.999"
    return f"{value:.3f}"


def _seconds(value: float) -> str:
    if value >= 3600:
        return f"{value / 3600:,.2f} h"
    return f"{value:.0f} s" if value >= 10 else f"{value:.2f} s"


def _parameters(value: float) -> str:
    """As BIOMRC's Table 3 writes them; small numbers whole."""
    if value >= 999_500:
        return f"{value / 1e6:,.2f}M"
    return f"{value / 1e3:.0f}k" if value >= 10_000 else f"{value:,.0f}"


def _minus(written: str) -> str:
    return written.replace("-", "−")


def _text(value: float) -> str:
    return str(value)


_WRITERS: dict[Kind, Callable[[float], str]] = {
    "text": _text,
    "count": _count,
    "number": _number,
    "percent": _percent,
    "difference": _difference,
    "fraction": _fraction,
    "gain": _gain,
    "p": _p,
    "seconds": _seconds,
    "parameters": _parameters,
}
