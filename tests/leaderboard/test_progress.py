"""The systems of a standing by date."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from tests.leaderboard.boards import lines, made_board, submit

from anagnosis.datasets.folder.store import Dataset


def test_systems_of_one_date_are_simultaneous_in_the_progress(tmp_path: Path, built: Dataset) -> None:
    entered = {"a": (0.1, 1), "b": (0.5, 1), "c": (0.8, 2), "d": (1.0, 2), "e": (0.2, 3)}
    for seed, (name, (share, month)) in enumerate(entered.items()):
        submit(tmp_path, name, {"test.jsonl": lines(built, share, seed)}, date=date(2024, month, 1))
    (part,) = made_board(tmp_path, built).parts
    steps = part.standings[0].progress
    assert [step.submission for step in steps] == [*entered]
    assert [step.submission for step in steps if step.best] == ["b", "d"]
