"""Predictions for datasets that a board does not have: faults by default, left out and counted where that is asked."""

from __future__ import annotations

from pathlib import Path

from tests.leaderboard.boards import TODAY, lines, submit

from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard.building import board


def test_they_are_faults_by_default_and_left_out_where_that_is_asked(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5)
    foreign = [{**row, "dataset": "f" * 64} for row in rows]
    submit(tmp_path, "both", {"a.jsonl": rows, "b.jsonl": foreign})
    submit(tmp_path, "foreign", {"b.jsonl": foreign})
    submit(tmp_path, "mixed", {"b.jsonl": [*foreign[:1], *rows[1:]]})
    submit(tmp_path, "unsaid", {"b.jsonl": [{"id": "x", "answer": "y"}]})
    strict = board(tmp_path / "submissions", [built], today=TODAY)
    assert [each.submission for each in strict.refused] == ["both", "foreign", "mixed", "unsaid"]
    found = board(tmp_path / "submissions", [built], today=TODAY, leave_out_others=True)
    assert [(each.submission, each.files) for each in found.other_datasets] == [
        ("both", ("b.jsonl",)),
        ("foreign", ("b.jsonl",)),
    ]
    assert [system.submission for system in found.systems] == ["both"]
    assert [each.submission for each in found.refused] == ["mixed", "unsaid"]
