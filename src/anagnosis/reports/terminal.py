"""A report in a terminal: ruled tables with bold bests there, aligned plain text in a pipe or a file.

Control characters of names are shown as ␀-signs, so that a name can't move the cursor or change colours.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from anagnosis.reports.numbers import best_cells, table_texts
from anagnosis.reports.report import Block, Heading, Item, Listing, Plot, Report, Run, Table, Text

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDTH = 100
HUES = ("cyan", "magenta", "yellow", "green", "blue", "red")  # the terminal's own, so that its theme decides


def show(report: Report, stream: TextIO) -> None:
    """Print the report: with rich where the stream is a terminal, as `render` has it elsewhere."""
    if not stream.isatty():
        stream.write(render(report))
        return
    from rich.console import Console

    console = Console(file=stream, highlight=False)
    for line in (_Title(report.title, 1), *report.blocks):
        console.print(_rich(line))
        console.print()


def render(report: Report) -> str:
    """The report as plain text, ending in a newline; the best values carry a star."""
    return "\n\n".join([_underlined(report.title, "="), *(_plain(block) for block in report.blocks)]) + "\n"


def visible(text: str) -> str:
    """A text on one line without characters that a terminal obeys (Unicode's categories Cc, Cf, Zl, Zp)."""
    return "".join(_visible(sign) for sign in " ".join(text.split()))


def _visible(sign: str) -> str:
    if ord(sign) < 32:
        return chr(0x2400 + ord(sign))
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(sign) in {"Cc", "Cf", "Zl", "Zp"} else sign


class _Title(Heading):
    """The report's own title, drawn as the highest heading."""


def _plain(block: Block) -> str:
    match block:
        case Heading():
            return _underlined(block.text, "-")
        case Text():
            return _wrapped(
                {"plain": "", "note": "", "warning": "WARNING: "}[block.tone] + visible(block.text)
            )
        case Table():
            return _plain_table(block)
        case Plot():
            return "\n".join(
                [_wrapped(f"{visible(block.title)}. {visible(block.description)}"), _plain_table(block.data)]
            )
        case Listing():
            caption = [visible(block.caption)] if block.caption else []
            return "\n".join([*caption, *(_plain_item(item) for item in block.items)])


def _plain_table(table: Table) -> str:
    best = best_cells(table)
    stars = {place for _, place in best}
    texts = [
        [
            visible(text) + (("*" if (row, place) in best else " ") if place in stars else "")
            for place, text in enumerate(line)
        ]
        for row, line in enumerate(table_texts(table))
    ]
    heads = [
        visible(column.name) + (" " if place in stars else "") for place, column in enumerate(table.columns)
    ]
    widths = [max(map(_width, column)) for column in zip(heads, *texts, strict=True)]
    left = [column.kind == "text" for column in table.columns]
    rule = "  ".join("-" * width for width in widths)
    lines = [visible(table.caption), _aligned(heads, widths, left), rule]
    for number, line in enumerate(texts):
        lines += [rule] if number in table.zones else []
        lines.append(_aligned(line, widths, left))
    lines += [_wrapped(visible(note)) for note in table.notes]
    return "\n".join([*lines, *map(visible, table.signatures)])


def _aligned(texts: Iterable[str], widths: list[int], left: list[bool]) -> str:
    padded = (
        text + " " * (width - _width(text)) if first else " " * (width - _width(text)) + text
        for text, width, first in zip(texts, widths, left, strict=True)
    )
    return "  ".join(padded).rstrip()


def _plain_item(item: Item) -> str:
    return _wrapped(f"{visible(item.label)}: " + "".join(_plain_run(run) for run in item.runs), "    ")


def _plain_run(run: Run) -> str:
    before, after = (" " if edge.isspace() else "" for edge in (run.text[:1], run.text[-1:]))
    shown = before + visible(run.text) + after if run.text.strip() else " " * bool(run.text)
    if not run.label:
        return shown
    return f"{shown.rstrip()} [{visible(run.label)}]" + (" " if shown.endswith(" ") else "")


def _underlined(text: str, sign: str) -> str:
    shown = visible(text)
    return f"{shown}\n{sign * _width(shown)}"


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _width(text: str) -> int:
    """Columns of a terminal: two for a wide letter, none for one that stands above another."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def _rich(block: Block) -> RenderableType:
    from rich.console import Group
    from rich.text import Text as Line

    match block:
        case Heading():
            return Line(visible(block.text), style="bold underline" if isinstance(block, _Title) else "bold")
        case Text():
            return Line(
                visible(block.text), style={"plain": "", "note": "dim", "warning": "bold yellow"}[block.tone]
            )
        case Table():
            return _rich_table(block)
        case Plot():
            return Group(
                Line(visible(block.title), style="bold"),
                Line(visible(block.description)),
                _rich_table(block.data),
            )
        case Listing():
            caption = [Line(visible(block.caption), style="bold")] if block.caption else []
            return Group(*caption, *(_rich_item(item) for item in block.items))


def _rich_table(table: Table) -> RenderableType:
    from rich.box import SIMPLE_HEAD
    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text as Line

    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in table.columns:
        justify = "left" if column.kind == "text" else "right"
        grid.add_column(Line(visible(column.name)), justify=justify, overflow="fold")
    best = best_cells(table)
    for row, texts in enumerate(table_texts(table)):
        cells = [
            Line(visible(text), style="bold" if (row, place) in best else "")
            for place, text in enumerate(texts)
        ]
        grid.add_row(*cells, end_section=row + 1 in table.zones)
    below = (*table.notes, *table.signatures)
    return Group(
        Line(visible(table.caption), style="italic"),
        grid,
        *(Line(visible(note), style="dim") for note in below),
    )


def _rich_item(item: Item) -> RenderableType:
    from rich.text import Text as Line

    line = Line(f"{visible(item.label)}: ", style="")
    line.stylize("bold")
    for run in item.runs:
        hue = HUES[run.entity % len(HUES)] if run.entity is not None else ""
        line.append(_plain_run(run), style=f"{'bold ' if run.strong else ''}{hue}".strip() or "not bold")
    return line
