"""A report as plain text with aligned columns, for a pipe, a file or a mail.

Control characters of names are shown as signs of their own, so that a name can't move a cursor or change colours.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from anagnosis.reports.renderers.numbers import best_cells, filled, table_texts
from anagnosis.reports.report import Block, Heading, Item, Listing, Plot, Report, Run, Table, Text
from anagnosis.showing import masked

WIDTH = 100


def render(report: Report) -> str:
    """The report as plain text, ending in a newline; the best values carry a star."""
    return "\n\n".join([_underlined(report.title, "="), *(_block(block) for block in report.printed)]) + "\n"


def visible(text: str) -> str:
    """A text on one line, masked."""
    return masked(" ".join(text.split()))


def untitled(plot: Plot) -> Table:
    """The data of a plot without their caption, for under the plot's own title."""
    return replace(plot.data, caption="")


def _block(block: Block) -> str:
    match block:
        case Heading():
            return _underlined(block.text, "-")
        case Text():
            return _wrapped(
                {"plain": "", "note": "", "warning": "WARNING: "}[block.tone] + visible(block.text)
            )
        case Table():
            return _table(block)
        case Plot():
            return "\n".join(
                [_wrapped(f"{visible(block.title)}. {visible(block.description)}"), _table(untitled(block))]
            )
        case Listing():
            caption = [visible(block.caption)] if block.caption else []
            return "\n".join([*caption, *(_item(item) for item in block.items)])


def _table(table: Table) -> str:
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
    widths = [max(map(width_of, column)) for column in zip(heads, *texts, strict=True)]
    left = [column.kind == "text" for column in table.columns]
    rule = "  ".join("-" * width for width in widths)
    lines = [visible(table.caption)] if table.caption else []
    lines += [_aligned(heads, widths, left), rule]
    for number, line in enumerate(texts):
        lines += [rule] if number in table.zones else []
        lines.append(_aligned(line, widths, left))
    notes = [
        *table.notes,
        *(
            ["* The best of its column" + (", in each part of the table." if table.zones else ".")]
            if best
            else []
        ),
    ]
    lines += [_wrapped(visible(note)) for note in notes]
    return "\n".join([*lines, *map(visible, table.signatures)])


def _aligned(texts: Iterable[str], widths: list[int], left: list[bool]) -> str:
    padded = (
        text + " " * (width - width_of(text)) if first else " " * (width - width_of(text)) + text
        for text, width, first in zip(texts, widths, left, strict=True)
    )
    return "  ".join(padded).rstrip()


def _item(item: Item) -> str:
    return _wrapped(f"{visible(item.label)}: " + "".join(run_text(run) for run in item.runs), "    ")


def run_text(run: Run) -> str:
    before, after = (" " if edge.isspace() else "" for edge in (run.text[:1], run.text[-1:]))
    shown = before + visible(run.text) + after if run.text.strip() else " " * bool(run.text)
    if not run.label:
        return shown
    return f"{shown.rstrip()} [{visible(run.label)}]" + (" " if shown.endswith(" ") else "")


def _underlined(text: str, sign: str) -> str:
    shown = visible(text)
    return f"{shown}\n{sign * width_of(shown)}"


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def width_of(text: str) -> int:
    """Columns of a terminal: two for a wide letter, none for one that stands above another."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )
