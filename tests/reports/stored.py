"""Blocks of a report beside how they are stored: every caption, column, cell, note and zone stands in a text file.

With ANAGNOSIS_STORE=1 the files are written anew; what changed is then to be read in the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from anagnosis.reports.renderers.numbers import cell_text
from anagnosis.reports.report import Block, Heading, Listing, Plot, Table, Text
from anagnosis.version import __version__

FOLDER = Path(__file__).parents[1] / "samples" / "reports"


def check_stored(name: str, blocks: Iterable[Block]) -> None:
    """Demand that blocks are those of the file of that name."""
    lines = (line.rstrip() for block in blocks for line in _lines(block))
    shown = re.sub(rf"(anagnosis[: ]){re.escape(__version__)}", r"\1…", "\n".join(lines)) + "\n"
    path = FOLDER / f"{name}.txt"
    if os.environ.get("ANAGNOSIS_STORE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, "utf-8")
    assert shown == path.read_text("utf-8")


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"## {block.text}"
        case Text():
            yield f"{block.tone}: {block.text}"
        case Listing():
            yield f"listing: {block.caption}"
            for item in block.items:
                runs = (
                    f"{run.text}<{run.label}{'' if run.entity is None else f' {run.entity}'}{' !' * run.strong}>"
                    if run.label or run.strong or run.entity is not None
                    else run.text
                    for run in item.runs
                )
                yield f"  {item.label}: {''.join(runs)}"
        case Plot():
            yield f"plot: {block.title}; {block.drawing}{' repeated' * block.repeated}"
            yield f"  {block.description}"
            yield from _lines(block.data)
        case Table():
            yield f"table: {block.caption}"
            yield "  " + " | ".join(f"{each.name} <{each.kind} {each.best}>" for each in block.columns)
            for place, row in enumerate(block.rows):
                yield from ["  ---"] if place in block.zones else []
                cells = (cell_text(cell, each.kind) for cell, each in zip(row, block.columns, strict=True))
                yield "  " + " | ".join(cells)
            yield from (f"  note: {note}" for note in block.notes)
            yield from (f"  signed: {signature}" for signature in block.signatures)
