"""Hard questions, and when they may be shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.leaderboard.boards import decisions, lines, made_board, submit

from anagnosis.leaderboard import disclosure


def test_the_hard_subset_of_hidden_labels_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disclosure, "SMALLEST_GROUP", 1)  # so that its size does not hide it
    asked = decisions(tmp_path)
    for name, share in (("a", 0.9), ("b", 0.4)):
        submit(tmp_path, name, {"t.jsonl": lines(asked, share)}, view="reasoning-required")
    (part,) = made_board(tmp_path, asked).parts
    assert part.standings[0].hard
    assert all(row.hard is not None for row in part.standings[0].rows)
    (part,) = made_board(tmp_path, asked, hidden=["test"]).parts
    assert all(standing.hard is None for standing in part.standings)
    assert all(row.hard is None for standing in part.standings for row in standing.rows)
    assert all(gain.hard is None for result in part.results for gain in result.gains.values())
