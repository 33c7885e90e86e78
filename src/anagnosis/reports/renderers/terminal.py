"""A report on a terminal: ruled tables with bold bests, as wide as the terminal is.

A table that is too wide loses its columns without any value, then breaks its intervals onto a second line, and at
last shows its rows one below the other. In a pipe the report is plain text (`plain.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from anagnosis.reports.renderers.numbers import best_cells, table_texts
from anagnosis.reports.renderers.plain import render, run_text, untitled, visible, width_of
from anagnosis.reports.report import Block, Column, Heading, Item, Listing, Plot, Report, Table, Text
from anagnosis.showing import unmasked

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text as Line

HUES = ("cyan", "magenta", "yellow", "green", "blue", "red")  # the terminal's own, so that its theme decides
GAP = 3  # blanks between columns
SHORT = 16  # a text may be broken into lines of so many letters


def show(report: Report, stream: TextIO) -> None:
    """Print the report: with rich where the stream is a terminal, as `plain.render` has it elsewhere."""
    if not stream.isatty():
        stream.write(render(report))
        return
    from rich.console import Console
    from rich.text import Text as Line

    console = Console(file=unmasked(stream), highlight=False)
    console.print(Line(visible(report.title), style="bold underline"))
    for block in report.printed:
        console.print()
        console.print(_rich(block, console.width), crop=False)


def _rich(block: Block, width: int) -> RenderableType:
    from rich.console import Group
    from rich.text import Text as Line

    match block:
        case Heading():
            return Line(visible(block.text), style="bold")
        case Text():
            return Line(
                visible(block.text), style={"plain": "", "note": "dim", "warning": "bold yellow"}[block.tone]
            )
        case Table():
            return _table(block, width)
        case Plot():
            title = Line(visible(block.title), style="bold")
            return Group(title, Line(visible(block.description)), _table(untitled(block), width))
        case Listing():
            caption = [Line(visible(block.caption), style="bold")] if block.caption else []
            return Group(*caption, *(_item(item) for item in block.items))


def _table(table: Table, width: int) -> RenderableType:
    from rich.console import Group
    from rich.text import Text as Line

    texts = [[visible(text) for text in row] for row in table_texts(table)]
    places = list(range(len(table.columns)))
    if _natural(table, texts, places) >= width:
        places = [place for place in places if place == 0 or any(row[place] for row in texts)]
    above = [Line(visible(table.caption), style="italic")] if table.caption else []
    notes = [Line(visible(note), style="dim") for note in table.notes]
    # whole lines, which the terminal may break: they are to be copied
    signed = [Line(visible(s), style="dim", no_wrap=True, overflow="ignore") for s in table.signatures]
    return Group(*above, _shape(table, texts, places, width), *notes, *signed)


def _shape(table: Table, texts: Sequence[Sequence[str]], places: Sequence[int], width: int) -> RenderableType:
    """The widest of three shapes that fits: lines, lines with broken intervals and texts, a row below the other."""
    if _natural(table, texts, places) < width:
        return _grid(table, texts, places)
    broken = [[text.replace(" [", "\n[") for text in row] for row in texts]
    least = sum(_least(table.columns[place], [row[place] for row in broken]) + GAP for place in places) - GAP
    return _grid(table, broken, places) if least < width else _records(table, texts, places)


def _natural(table: Table, texts: Sequence[Sequence[str]], places: Sequence[int]) -> int:
    names = [visible(column.name) for column in table.columns]
    widest = [max(map(width_of, (names[place], *(row[place] for row in texts)))) for place in places]
    return sum(widest) + GAP * (len(widest) - 1)


def _least(column: Column, texts: Sequence[str]) -> int:
    """How narrow a column can become: a number not at all, a text and a name down to their longest word."""
    words = [word for text in (visible(column.name), *texts) for word in text.split()]
    lines = [line for text in texts for line in text.split("\n")]
    whole = words if column.kind == "text" else [*visible(column.name).split(), *lines]
    longest = max(map(width_of, whole), default=0)
    return min(longest, SHORT) if column.kind == "text" else longest


def _grid(table: Table, texts: Sequence[Sequence[str]], places: Sequence[int]) -> RenderableType:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Grid
    from rich.text import Text as Line

    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place in places:
        column = table.columns[place]
        number = column.kind != "text"
        least = _least(column, [row[place] for row in texts])
        head = Line(visible(column.name))
        grid.add_column(head, justify="right" if number else "left", overflow="fold", min_width=least)
    best = best_cells(table)
    for row, cells in enumerate(texts):
        lines = [Line(cells[place], style="bold" if (row, place) in best else "") for place in places]
        grid.add_row(*lines, end_section=row + 1 in table.zones)
    return grid


def _records(table: Table, texts: Sequence[Sequence[str]], places: Sequence[int]) -> RenderableType:
    """Each row as its name and, below it, a line for every value that is there."""
    from rich.text import Text as Line

    best = best_cells(table)
    found = Line()
    indent = 2 + max((width_of(visible(table.columns[place].name)) for place in places[1:]), default=0)
    for row, cells in enumerate(texts):
        found.append(("\n" if row else "") + cells[places[0]], style="bold")
        for place in places[1:]:
            if cells[place]:
                name = visible(table.columns[place].name)
                found.append(f"\n  {name}{' ' * (indent - width_of(name))}")
                found.append(cells[place], style="bold" if (row, place) in best else "not bold")
    return found


def _item(item: Item) -> Line:
    from rich.text import Text as Line

    line = Line()
    line.append(f"{visible(item.label)}: ", style="bold")
    for run in item.runs:
        hue = HUES[run.entity % len(HUES)] if run.entity is not None else ""
        line.append(run_text(run), style=f"{'bold ' if run.strong else ''}{hue}".strip() or "not bold")
    return line
