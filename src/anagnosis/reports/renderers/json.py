"""A report as JSON, for programs: the raw values, fractions where a page shows percent.

    {"title": …, "blocks": [{"block": "table", "caption": …, "columns": [{"name", "kind", "best"}, …],
     "rows": [[…], …], "notes": […], "signatures": […], "zones": […]}, …]}

A value with an interval is {"value", "low", "high"}; what is not there is null. Keys come in a fixed order.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from anagnosis.masking import escaped_json
from anagnosis.reports.report import Block, Report


def render(report: Report) -> str:
    """The whole report, indented, one value a line, ending in a newline."""
    return escaped_json(json.dumps(plain(report), ensure_ascii=False, indent=2, allow_nan=False)) + "\n"


def plain(report: Report) -> dict[str, Any]:
    """The report as dictionaries and lists, for `--json` and for the page."""
    return {"title": report.title, "blocks": [_block(block) for block in report.blocks]}


def _block(block: Block) -> dict[str, Any]:
    return {"block": type(block).__name__.lower(), **asdict(block)}
