"""A report as plain text with aligned columns, for a pipe, a file or a mail; on a terminal with colours.

A table is as wide as its columns are; one that is wider than a terminal is laid out by rich. Control characters of
names are shown as signs of their own, so that a name can't move a cursor or change colours.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TextIO

from anagnosis.reports.renderers.numbers import best_cells, filled, table_texts
from anagnosis.reports.report import Block, Heading, Item, Listing, Plot, Report, Run, Table, Text
from anagnosis.showing import masked, unmasked

if TYPE_CHECKING:
    from rich.table import Table as Grid

WIDTH = 100
HUES = ("cyan", "magenta", "yellow", "green", "blue", "red")  # the terminal's own, so that its theme decides
GAP = "  "  # between columns
_TONES = {"plain": "", "note": "dim", "warning": "bold yellow"}


class Line(NamedTuple):
    """pieces: (text, style of a terminal). wrapped: whether it may go on in further lines, behind the indent."""

    pieces: Sequence[tuple[str, str]] = ()
    wrapped: bool = False
    indent: str = ""


def render(report: Report) -> str:
    """The report as plain text, ending in a newline; the best values carry a star."""
    lines = (_plain(line) for line in _lines(report, None) if isinstance(line, Line))
    return "\n".join(lines) + "\n"


def show(report: Report, stream: TextIO) -> None:
    """Print the report: with colours and as wide as the terminal where the stream is one, else as `render` has it."""
    if not stream.isatty():
        stream.write(render(report))
        return
    from rich.console import Console
    from rich.text import Text as Coloured

    console = Console(file=unmasked(stream), highlight=False)
    for line in _lines(report, console.width):
        if not isinstance(line, Line):
            console.print(line)
            continue
        # Whole lines, which the terminal may break, are to be copied.
        overflow = None if line.wrapped else "ignore"
        console.print(
            Coloured.assemble(*line.pieces), no_wrap=not line.wrapped, overflow=overflow, crop=False
        )


def visible(text: str) -> str:
    """A text on one line, masked."""
    return masked(" ".join(text.split()))


def untitled(plot: Plot) -> Table:
    """The data of a plot without their caption, for under the plot's own title."""
    return replace(plot.data, caption="")


def _plain(line: Line) -> str:
    text = "".join(text for text, _ in line.pieces)
    if not line.wrapped:
        return text.rstrip()
    return textwrap.fill(
        text, WIDTH, subsequent_indent=line.indent, break_long_words=False, break_on_hyphens=False
    )


def _lines(report: Report, width: int | None) -> Iterator[Line | Grid]:
    """width: of the terminal; None for any. Tables that are wider are rich's."""
    yield from _underlined(report.title, "=")
    for block in report.printed:
        yield Line()
        yield from _block(block, width)


def _block(block: Block, width: int | None) -> Iterator[Line | Grid]:
    match block:
        case Heading():
            yield from _underlined(block.text, "-")
        case Text():
            yield _wrapped(
                ("WARNING: " if block.tone == "warning" else "") + visible(block.text), _TONES[block.tone]
            )
        case Table():
            yield from _table(block, width)
        case Plot():
            yield _wrapped(f"{visible(block.title)}. {visible(block.description)}")
            yield from _table(untitled(block), width)
        case Listing():
            if block.caption:
                yield Line([(visible(block.caption), "bold")])
            yield from map(_item, block.items)


def _table(table: Table, width: int | None) -> Iterator[Line | Grid]:
    table = filled(table)
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
    if table.caption:
        yield Line([(visible(table.caption), "italic")])
    left = [column.kind == "text" for column in table.columns]
    widths = [max(map(width_of, column)) for column in zip(heads, *texts, strict=True)]
    styles = [
        ["bold" if (row, place) in best else "" for place in range(len(heads))] for row in range(len(texts))
    ]
    if width is not None and sum(widths) + len(GAP) * (len(widths) - 1) > width:
        yield _narrow(heads, texts, left, styles, table.zones)
    else:
        rule = Line([(GAP.join("-" * width for width in widths), "")])
        yield _row(heads, widths, left, ["bold"] * len(heads))
        yield rule
        for number, line in enumerate(texts):
            yield from [rule] if number in table.zones else []
            yield _row(line, widths, left, styles[number])
    yield from (_wrapped(visible(note), "dim") for note in table.notes)
    if best:
        yield _wrapped(
            "* The best of its column" + (", in each part of the table." if table.zones else "."), "dim"
        )
    yield from (Line([(visible(signature), "dim")]) for signature in table.signatures)


def _row(cells: Sequence[str], widths: Sequence[int], left: Sequence[bool], styles: Sequence[str]) -> Line:
    pieces: list[tuple[str, str]] = []
    for text, width, first, style in zip(cells, widths, left, styles, strict=True):
        blank = (" " * (width - width_of(text)), "")
        pieces += [
            *([(GAP, "")] if pieces else []),
            *([(text, style), blank] if first else [blank, (text, style)]),
        ]
    return Line(pieces)


def _narrow(
    heads: Sequence[str],
    texts: Sequence[Sequence[str]],
    left: Sequence[bool],
    styles: Sequence[Sequence[str]],
    zones: Sequence[int],
) -> Grid:
    """A table whose cells go on in further lines where the terminal has no room."""
    from rich.box import SIMPLE
    from rich.table import Table as Grid
    from rich.text import Text as Coloured

    grid = Grid(box=SIMPLE, show_edge=False, pad_edge=False, header_style="bold")
    for head, is_left in zip(heads, left, strict=True):
        grid.add_column(Coloured(head), justify="left" if is_left else "right", overflow="fold")
    for number, (line, own) in enumerate(zip(texts, styles, strict=True), 1):
        grid.add_row(*map(Coloured, line, own), end_section=number in zones)
    return grid


def _item(item: Item) -> Line:
    pieces = [(f"{visible(item.label)}: ", "bold")]
    for run in item.runs:
        hue = HUES[run.entity % len(HUES)] if run.entity is not None else ""
        pieces.append((_run_text(run), f"{'bold ' if run.strong else ''}{hue}".strip()))
    return Line(pieces, wrapped=True, indent="    ")


def _run_text(run: Run) -> str:
    before, after = (" " if edge.isspace() else "" for edge in (run.text[:1], run.text[-1:]))
    shown = before + visible(run.text) + after if run.text.strip() else " " * bool(run.text)
    if not run.label:
        return shown
    return f"{shown.rstrip()} [{visible(run.label)}]" + (" " if shown.endswith(" ") else "")


def _underlined(text: str, sign: str) -> Iterator[Line]:
    shown = visible(text)
    yield Line([(shown, "bold")])
    yield Line([(sign * width_of(shown), "")])


def _wrapped(text: str, style: str = "") -> Line:
    return Line([(text, style)], wrapped=True)


def width_of(text: str) -> int:
    """Columns of a terminal: two for a wide letter, none for one that stands above another."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )
