"""A report as Markdown with pipe tables (GitHub's), for a README, an issue or a notebook.

Names from files are escaped, so that a system called `<b>` or `a|b` shows its name. A plot is shown as the
table it is drawn from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from anagnosis.reports.renderers.numbers import grid
from anagnosis.reports.report import Block, Heading, Listing, Plot, Report, Run, Table, Text

_SPECIAL = re.compile(r"([\\`*_{}\[\]|~$#])")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_LINE_START = re.compile(r"^([-+=]|\d+[.)])(?=[-=\s]|$)")
_TONES = {"plain": "", "note": "> ", "warning": "> **Warning.** "}


def render(report: Report) -> str:
    """The report, blocks apart by an empty line."""
    return "\n\n".join([f"# {escape(report.title)}", *(_block(block) for block in report.printed)]) + "\n"


def escape(text: str) -> str:
    """A text on one line that Markdown shows as it is."""
    line = _SPECIAL.sub(r"\\\1", " ".join(text.split()).translate(_ENTITIES))
    return _LINE_START.sub(lambda found: f"{found[1][:-1]}\\{found[1][-1]}", line)


def _block(block: Block) -> str:
    match block:
        case Heading():
            return f"## {escape(block.text)}"
        case Text():
            return _TONES[block.tone] + escape(block.text)
        case Table():
            return "\n".join([*_title(block.caption), *_table(block)])
        case Plot():
            return "\n".join([*_title(block.title), escape(block.description), "", *_table(block.data)])
        case Listing():
            items = (f"- **{escape(item.label)}**: {''.join(map(_run, item.runs))}" for item in block.items)
            return "\n".join([*_title(block.caption), *items])


def _title(text: str) -> list[str]:
    return [f"**{escape(text)}**", ""] if text else []


def _table(table: Table) -> Iterable[str]:
    columns, rows, best = grid(table)
    yield _row(escape(column.name) for column in columns)
    yield _row(":---" if column.kind == "text" else "---:" for column in columns)
    for number, row in enumerate(rows):
        yield _row(
            f"**{escape(text)}**" if (number, place) in best else escape(text)
            for place, text in enumerate(row)
        )
    for line in (*map(escape, table.notes), *map(_code, table.signatures)):
        yield f"\n{line}"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _run(run: Run) -> str:
    before, text, after = run.parts
    shown = escape(text)
    if shown and (run.entity is not None or run.strong):
        shown = f"**{shown}**"
    return before + shown + (f" {_code(run.label)}" if run.label else "") + after


def _code(text: str) -> str:
    line = " ".join(text.split())
    return f"`` {line} ``" if "`" in line else f"`{line}`"
