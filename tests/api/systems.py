"""Predictions that are right as often as a test says, and what reports show of them."""

from __future__ import annotations

import json
from collections.abc import Container
from pathlib import Path
from typing import Any

from tests.reports.samples import blocks_of
from tests.typed import answered

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.predictions import notes
from anagnosis.reports.report import Report


def answers(
    dataset: Dataset,
    path: Path | str,
    right: Container[int] = (),
    view: str | None = None,
    split: str = "test",
    lines: int = 1000,
) -> str:
    """Predictions of a split's first lines, right on these questions; with a note of the view where one is given."""
    found = list(store.instances(dataset, split))[:lines]
    given = [{"id": each.id, "answer": answered(each, place in right)} for place, each in enumerate(found)]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("".join(json.dumps(line) + "\n" for line in given))
    if view is not None:
        notes.write(path, notes.Note(view=view))
    return str(path)


def tables(report: Report) -> dict[str, list[dict[str, Any]]]:
    """Caption → rows, of tables and of the data of plots."""
    found: dict[str, list[dict[str, Any]]] = {}
    for block in blocks_of(report):
        table: dict[str, Any] | None = {"table": block, "plot": block.get("data")}.get(block["block"])
        if table is not None:
            names = [column["name"] for column in table["columns"]]
            rows = [dict(zip(names, row, strict=True)) for row in table["rows"]]
            assert found.setdefault(table["caption"], rows) == rows  # a picture may show a table's numbers
    return found


def said(report: Report) -> str:
    return json.dumps(blocks_of(report), ensure_ascii=False)
