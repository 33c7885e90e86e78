"""A report as Markdown with pipe tables (GitHub's), for a README, an issue or a notebook.

Names from files are escaped, so that a system called `<b>` or `a|b` shows its name. A plot is shown as the
table it is drawn from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from anagnosis.reports.renderers.numbers import best_cells, table_texts
from anagnosis.reports.renderers.text import untitled
from anagnosis.reports.report import Block, Heading, Item, Listing, Plot, Report, Run, Table, Text

_SPECIAL = re.compile(r"([\\`*_{}\[\]|~$#])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_LINE_START = re.compile(r"^([-+=]|\d+[.)])(?=[-=\s]|$)")


def render(report: Report) -> str:
    """The report, blocks apart by an empty line."""
    return "\n\n".join([f"# {escape(report.title)}", *(_block(block) for block in report.printed)]) + "\n"


def escape(text: str) -> str:
    """A text on one line that Markdown shows as it is."""
    line = " ".join(text.split())
    line = _SPECIAL.sub(r"\\\1", "".join(_ENTITIES.get(sign, sign) for sign in line))
    return _LINE_START.sub(lambda found: f"{found[1][:-1]}\\{found[1][-1]}", line)


def _block(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {escape(block.text)}"
        case Text():
            return {"plain": "", "note": "> ", "warning": "> **Warning.** "}[block.tone] + escape(block.text)
        case Table():
            return _table(block)
        case Plot():
            return "\n\n".join(
                [f"**{escape(block.title)}**", escape(block.description), _table(untitled(block))]
            )
        case Listing():
            title = [f"**{escape(block.caption)}**", ""] if block.caption else []
            return "\n".join([*title, *(_item(item) for item in block.items)])


def _table(table: Table) -> str:
    best = best_cells(table)
    lines = [f"**{escape(table.caption)}**", ""] if table.caption else []
    lines.append(_row(escape(column.name) for column in table.columns))
    lines.append(_row(":---" if column.kind == "text" else "---:" for column in table.columns))
    for number, texts in enumerate(table_texts(table)):
        cells = (escape(text) for text in texts)
        lines.append(
            _row(f"**{text}**" if (number, place) in best else text for place, text in enumerate(cells))
        )
    for note in table.notes:
        lines += ["", escape(note)]
    for signature in table.signatures:
        lines += ["", _code(signature)]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _item(item: Item) -> str:
    return f"- **{escape(item.label)}**: " + "".join(_run(run) for run in item.runs)


def _run(run: Run) -> str:
    before, text, after = _edges(run.text)
    shown = escape(text)
    if shown and (run.entity is not None or run.strong):
        shown = f"**{shown}**"
    return before + shown + (f" {_code(run.label)}" if run.label else "") + after


def _edges(text: str) -> tuple[str, str, str]:
    """Blanks stay outside the stars, or Markdown would not see them."""
    inner = text.strip()
    if not inner:
        return (" " if text else "", "", "")
    return (" " if text[0].isspace() else "", inner, " " if text[-1].isspace() else "")


def _code(text: str) -> str:
    line = " ".join(text.split())
    return f"`` {line} ``" if "`" in line else f"`{line}`"
