"""A report as plain text with aligned columns, for a pipe, a file or a mail; on a terminal with colours.

A table is as wide as its columns are; one that is wider than a terminal is laid out by rich. Control characters of
names are shown as signs of their own, so that a name can't move a cursor or change colours.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TextIO

from anagnosis.reports.renderers.numbers import grid
from anagnosis.reports.report import Heading, Item, Listing, Plot, Report, Table, Text
from anagnosis.showing import masked, unmasked

if TYPE_CHECKING:
    from rich.table import Table as Wide

WIDTH = 100
HUES = ("cyan", "magenta", "yellow", "green", "blue", "red")  # the terminal's own, so that its theme decides
GAP = "  "  # between columns
_TONES = {"plain": "", "note": "dim", "warning": "bold yellow"}


Pieces = Sequence[tuple[str, str]]  # (text, style of a terminal)


class Line(NamedTuple):
    """wrapped: whether it may go on in further lines, behind the indent."""

    pieces: Pieces = ()
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


def _plain(line: Line) -> str:
    text = "".join(text for text, _ in line.pieces)
    if not line.wrapped:
        return text.rstrip()
    return textwrap.fill(
        text, WIDTH, subsequent_indent=line.indent, break_long_words=False, break_on_hyphens=False
    )


def _lines(report: Report, width: int | None) -> Iterator[Line | Wide]:
    """width: of the terminal; None for any. Tables that are wider are rich's."""
    yield from _underlined(report.title, "=")
    for block in report.printed:
        yield Line()
        match block:
            case Heading():
                yield from _underlined(block.text, "-")
            case Text():
                yield _wrapped("WARNING: " * (block.tone == "warning") + block.text, _TONES[block.tone])
            case Table():
                yield from [Line([(visible(block.caption), "italic")])] if block.caption else []
                yield from _table(block, width)
            case Plot():
                yield _wrapped(f"{block.title}. {block.description}")
                yield from _table(block.data, width)
            case Listing():
                yield from [Line([(visible(block.caption), "bold")])] if block.caption else []
                yield from map(_item, block.items)


def _table(table: Table, width: int | None) -> Iterator[Line | Wide]:
    columns, rows, best = grid(table)
    starred = {place for _, place in best}
    left = [column.kind == "text" for column in columns]
    lines = [
        [(visible(column.name) + " " * (place in starred), "bold") for place, column in enumerate(columns)]
    ]
    for number, row in enumerate(rows):
        stars = ["*" if (number, place) in best else " " * (place in starred) for place in range(len(row))]
        texts = [visible(text) + star for text, star in zip(row, stars, strict=True)]
        lines.append([(text, "bold" * (star == "*")) for text, star in zip(texts, stars, strict=True)])
    widths = [max(width_of(line[place][0]) for line in lines) for place in range(len(columns))]
    if width is not None and sum(widths) + len(GAP) * (len(widths) - 1) > width:
        yield _narrow(lines, left, table.zones)
    else:
        rule = Line([(GAP.join("-" * width for width in widths), "")])
        for number, line in enumerate(lines):
            yield from [rule] if number == 1 or number - 1 in table.zones else []
            yield _row(line, widths, left)
        yield from [rule] if not rows else []
    yield from (_wrapped(note, "dim") for note in table.notes)
    if best:
        yield _wrapped(
            "* The best of its column" + ", in each part of the table" * bool(table.zones) + ".", "dim"
        )
    yield from (Line([(visible(signature), "dim")]) for signature in table.signatures)


def _row(cells: Pieces, widths: Sequence[int], left: Sequence[bool]) -> Line:
    pieces: list[tuple[str, str]] = []
    for (text, style), width, is_left in zip(cells, widths, left, strict=True):
        blank = (" " * (width - width_of(text)), "")
        pieces += [(GAP, "")] if pieces else []
        pieces += [(text, style), blank] if is_left else [blank, (text, style)]
    return Line(pieces)


def _narrow(lines: Sequence[Pieces], left: Sequence[bool], zones: Sequence[int]) -> Wide:
    """A table whose cells go on in further lines where the terminal has no room."""
    from rich.box import SIMPLE
    from rich.table import Table as Wide
    from rich.text import Text as Coloured

    made = Wide(box=SIMPLE, show_edge=False, pad_edge=False)
    for (head, style), is_left in zip(lines[0], left, strict=True):
        made.add_column(Coloured(head, style), justify="left" if is_left else "right", overflow="fold")
    for number, line in enumerate(lines[1:], 1):
        made.add_row(*(Coloured(text, style) for text, style in line), end_section=number in zones)
    return made


def _item(item: Item) -> Line:
    pieces = [(f"{visible(item.label)}: ", "bold")]
    for run in item.runs:
        hue = HUES[run.entity % len(HUES)] if run.entity is not None else ""
        before, text, after = run.parts
        shown = masked(text) + (f" [{visible(run.label)}]" if run.label else "")
        pieces.append((before + shown + after, f"{'bold ' * run.strong}{hue}".strip()))
    return Line(pieces, wrapped=True, indent="    ")


def _underlined(text: str, sign: str) -> Iterator[Line]:
    shown = visible(text)
    yield Line([(shown, "bold")])
    yield Line([(sign * width_of(shown), "")])


def _wrapped(text: str, style: str = "") -> Line:
    return Line([(visible(text), style)], wrapped=True)


def width_of(text: str) -> int:
    """Columns of a terminal: two for a wide letter, none for one that stands above another."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )
