"""One view as plain rows for any trainer."""

from __future__ import annotations

import csv as csv_files
import json
from pathlib import Path

import pyarrow.parquet as pq

from anagnosis.datasets.export.trainable import csv, jsonl, parquet
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.datasets.kinds.question import QuestionInstance


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_parquet_and_json_lines_hold_the_same_rows(built: Dataset, tmp_path: Path) -> None:
    jsonl(built, tmp_path, "local")
    parquet(built, tmp_path, "local")
    for split in built.sizes:
        assert pq.read_table(tmp_path / f"{split}.parquet").to_pylist() == lines(tmp_path / f"{split}.jsonl")


def test_csv_holds_the_same_rows_with_lists_as_json(built: Dataset, tmp_path: Path) -> None:
    jsonl(built, tmp_path, "local")
    csv(built, tmp_path, "local")
    for split in built.sizes:
        with (tmp_path / f"{split}.csv").open(newline="", encoding="utf-8") as stream:
            rows = [*csv_files.DictReader(stream)]
        lists = ("candidates", "keys", "names", "labels")
        found = [row | {name: json.loads(row[name]) for name in lists} for row in rows]
        assert found == [
            row | {"answer_index": str(row["answer_index"])} for row in lines(tmp_path / f"{split}.jsonl")
        ]


def test_a_spreadsheet_runs_no_cell(tmp_path: Path) -> None:
    asked = QuestionInstance("7", "yesno", '=HYPERLINK("x")')
    made = writing.write(tmp_path / "d", {"test": [asked]}, {"dataset": "x", "kind": "question"})
    (written,) = csv(made, tmp_path, None)
    assert """7,"'=HYPERLINK(""x"")",yesno""" in written.path.read_text()


def test_a_decision_is_a_row_of_its_own_kind_whose_view_may_leave_the_long_answer_out(tmp_path: Path) -> None:
    sections = (ContextSection("AIM", "One."), ContextSection("", "Two."))
    made = DecisionInstance("7", "Does tea help?", sections, "So be it.", "no", date="2024", subset="A")
    unlabelled = DecisionInstance("8", "Does salt?", (), None, None, subset="U")
    recipe = {"dataset": "x", "kind": "decision"}
    rows = writing.write(tmp_path / "d", {"train": [made, unlabelled]}, recipe)["train"]
    first, second = rows.view("reasoning-required")
    assert (first["passage"], first["long_answer"]) == ("One.\nTwo.", "So be it.")
    assert (first["answer"], first["answer_index"], first["subset"], first["date"]) == ("no", 1, "A", "2024")
    assert (second["answer"], second["answer_index"], second["long_answer"]) == (None, None, None)
    for view, passage in (("reasoning-free", "So be it."), ("question-only", "")):
        shown = next(iter(rows.view(view)))
        assert (shown["passage"], shown["long_answer"]) == (passage, None)
