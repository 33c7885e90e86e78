"""The result of one system."""

from __future__ import annotations

from pathlib import Path

import msgspec
from tests.leaderboard.boards import lines, made_board, submit

from anagnosis.datasets.folder.store import Dataset


def test_nothing_on_the_board_names_a_question(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5, 1)
    for row in rows[:7]:
        row["answer"] = "nothing of the kind"
    submit(tmp_path, "a", {"test.jsonl": rows})
    text = msgspec.json.encode(made_board(tmp_path, built, hidden=["test"])).decode()
    assert not [row["id"] for row in rows if row["id"] in text]
