"""A report as plain text with aligned columns, for a pipe, a file or a mail; on a terminal with colours.

A table is as wide as its columns are. On a terminal, one that is too wide breaks its intervals and texts onto further
lines, and at last shows its rows one below the other. Control characters of names are shown as signs of their own, so
that a name can't move a cursor or change colours.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple, TextIO

from anagnosis.reports.renderers.numbers import best_cells, filled, table_texts
from anagnosis.reports.report import Block, Heading, Item, Listing, Plot, Report, Run, Table, Text
from anagnosis.showing import masked, unmasked

WIDTH = 100
HUES = ("cyan", "magenta", "yellow", "green", "blue", "red")  # the terminal's own, so that its theme decides
GAP = "  "  # between columns
SHORT = 16  # a text may be broken into lines of so many letters
_TONES = {"plain": "", "note": "dim", "warning": "bold yellow"}


class Line(NamedTuple):
    """pieces: (text, style of a terminal). wrapped: whether it may go on in further lines, behind the indent."""

    pieces: Sequence[tuple[str, str]] = ()
    wrapped: bool = False
    indent: str = ""


def render(report: Report) -> str:
    """The report as plain text, ending in a newline; the best values carry a star."""
    return "\n".join(map(_plain, _lines(report, None))) + "\n"


def show(report: Report, stream: TextIO) -> None:
    """Print the report: with colours and as wide as the terminal where the stream is one, else as `render` has it."""
    if not stream.isatty():
        stream.write(render(report))
        return
    from rich.console import Console
    from rich.text import Text as Coloured

    console = Console(file=unmasked(stream), highlight=False)
    for line in _lines(report, console.width):
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


def _lines(report: Report, width: int | None) -> Iterator[Line]:
    """width: of the terminal; None for any."""
    yield from _underlined(report.title, "=")
    for block in report.printed:
        yield Line()
        yield from _block(block, width)


def _block(block: Block, width: int | None) -> Iterator[Line]:
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


def _table(table: Table, width: int | None) -> Iterator[Line]:
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
    if width is not None and sum(widths) + len(GAP) * (len(widths) - 1) > width:
        texts = [[text.replace(" [", "\n[") for text in line] for line in texts]
        widths = _narrowed(heads, texts, left, width)
    if widths is None:
        yield from _records(heads, texts, best)
    else:
        rule = Line([(GAP.join("-" * width for width in widths), "")])
        yield from _row(heads, widths, left, ["bold"] * len(heads))
        yield rule
        for number, line in enumerate(texts):
            yield from [rule] if number in table.zones else []
            styles = ["bold" if (number, place) in best else "" for place in range(len(line))]
            yield from _row(line, widths, left, styles)
    yield from (_wrapped(visible(note), "dim") for note in table.notes)
    if best:
        yield _wrapped(
            "* The best of its column" + (", in each part of the table." if table.zones else "."), "dim"
        )
    yield from (Line([(visible(signature), "dim")]) for signature in table.signatures)


def _narrowed(
    heads: Sequence[str], texts: Sequence[Sequence[str]], left: Sequence[bool], width: int
) -> list[int] | None:
    """The widths of columns that fit the terminal together; None where there are none.

    A number is as wide as its longest line; a text can become as narrow as its longest word, or SHORT.
    """
    room = width - len(GAP) * (len(heads) - 1)
    least: list[int] = []
    widths: list[int] = []
    for head, is_text, *column in zip(heads, left, *texts, strict=True):
        words = max(map(width_of, head.split()), default=0)
        own = [part for text in column for part in (text.split() if is_text else text.split("\n"))]
        longest = max(words, *map(width_of, own), 0)
        least.append(min(longest, SHORT) if is_text else longest)
        widths.append(min(room, max(map(width_of, (head, *column)))) if is_text else longest)
    if sum(least) > room:
        return None
    while sum(widths) > room:
        spare = [own - low for own, low in zip(widths, least, strict=True)]
        widths[spare.index(max(spare))] -= 1
    return widths


def _row(
    cells: Sequence[str], widths: Sequence[int], left: Sequence[bool], styles: Sequence[str]
) -> Iterator[Line]:
    """The lines of a row, whose cells are broken where they are wider than their column."""
    columns = [
        [
            part
            for line in cell.split("\n")
            for part in ([line] if width_of(line) <= width else _broken(line, width))
        ]
        for cell, width in zip(cells, widths, strict=True)
    ]
    for parts in zip_longest(*columns, fillvalue=""):
        pieces: list[tuple[str, str]] = []
        for text, width, first, style in zip(parts, widths, left, styles, strict=True):
            blank = (" " * (width - width_of(text)), "")
            pieces += [
                *([(GAP, "")] if pieces else []),
                *([(text, style), blank] if first else [blank, (text, style)]),
            ]
        yield Line(pieces)


def _broken(line: str, width: int) -> Iterator[str]:
    """A line in parts of at most `width` columns: between words, and within those that are longer."""
    part = ""
    for word in line.split():
        if part and width_of(part) + 1 + width_of(word) <= width:
            part += f" {word}"
            continue
        if part:
            yield part
        part = ""
        for sign in word:
            if part and width_of(part + sign) > width:
                yield part
                part = ""
            part += sign
    yield part


def _records(
    heads: Sequence[str], texts: Sequence[Sequence[str]], best: frozenset[tuple[int, int]]
) -> Iterator[Line]:
    """Each row as its name and, below it, a line for every value that is there."""
    indent = 2 + max((width_of(head.rstrip()) for head in heads[1:]), default=0)
    for row, cells in enumerate(texts):
        yield _wrapped(cells[0], "bold")
        for place, (head, cell) in enumerate(zip(heads[1:], cells[1:], strict=True), 1):
            if text := cell.replace("\n", " ").rstrip():
                name = f"  {head.rstrip()}{' ' * (indent - width_of(head.rstrip()))}"
                yield Line([(name, ""), (text, "bold" if (row, place) in best else "")], wrapped=True)


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
