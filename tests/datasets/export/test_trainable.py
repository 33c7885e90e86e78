"""One view as plain rows for any trainer."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq

from anagnosis.datasets.export.trainable import jsonl, parquet
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_parquet_and_json_lines_hold_the_same_rows(built: Dataset, tmp_path: Path) -> None:
    jsonl(built, tmp_path, "local")
    parquet(built, tmp_path, "local")
    for split in built.sizes:
        assert pq.read_table(tmp_path / f"{split}.parquet").to_pylist() == lines(tmp_path / f"{split}.jsonl")


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
