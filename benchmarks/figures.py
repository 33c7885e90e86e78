"""Tables of reports as the data that docs/generate.py makes tables of pages from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from anagnosis.reports.renderers.markdown import render
from anagnosis.reports.report import Block, Listing, Report, Table

# Both tables of pairs have these columns, so one of them says whose they are.
RENAMED = {"p, two-tailed": "p, macro-F1", "Holm": "Holm, macro-F1"}
OVER_RUNS = re.compile(
    r"(?:these runs of )?(.+) (?:is|are) better than (.+?)(?:;|, over| over).*"
    r"\(p ([<.\d ]+), by Holm for all \d+ pairs ([<.\d ]+)\)"
)


def tables(blocks: Iterable[Block]) -> list[dict[str, Any]]:
    """Caption, columns, rows and signatures of each table; the p over runs of verdicts in words as a table."""
    blocks = list(blocks)
    found = [table(block) for block in blocks if isinstance(block, Table)]
    if rows := list(over_runs(blocks)):
        columns = ["pair", "p, over runs", "Holm, over runs"]
        found.append({"caption": "Over runs and questions", "columns": columns, "rows": rows})
    return found


def table(block: Table) -> dict[str, Any]:
    lines = render(Report("", (block,))).splitlines()
    columns, _, *rows = [cells(line) for line in lines if line.startswith("|")]
    if block.caption.startswith("Macro-F1 of the same pairs"):
        columns = [RENAMED.get(column, column) for column in columns]
    return {
        "caption": block.caption,
        "columns": columns,
        "rows": rows,
        "signatures": list(block.signatures),
    }


def cells(line: str) -> list[str]:
    """Of a row of a pipe table, without the signs that escape brackets and underscores."""
    return [re.sub(r"\\([\[\]_])", r"\1", cell.strip()) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def over_runs(blocks: Iterable[Block]) -> Iterator[list[str]]:
    for block in blocks:
        for item in block.items if isinstance(block, Listing) else ():
            if verdict := OVER_RUNS.match("".join(run.text for run in item.runs)):
                first, second, p, holm = verdict.groups()
                yield [f"{first} over {second}", *(value.replace("<", "&lt;") for value in (p, holm))]


def written(parts: Mapping[str, list[dict[str, Any]]]) -> str:
    """JSON with a line for each row."""
    lines: list[str] = []
    for part, own in parts.items():
        inner = ",\n".join(_lines(each) for each in own)
        lines.append(f" {json.dumps(part)}: [\n{inner}\n ]")
    return "{\n" + ",\n".join(lines) + "\n}"


def _lines(each: Mapping[str, Any]) -> str:
    head = json.dumps({key: value for key, value in each.items() if key != "rows"}, ensure_ascii=False)
    rows = ",\n".join(f"   {json.dumps(row, ensure_ascii=False)}" for row in each["rows"])
    return f'  {head[:-1]}, "rows": [\n{rows}\n  ]}}'
