"""What the systems of a split share."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from tests.leaderboard.boards import decisions, lines, made_board, submit

from anagnosis.datasets.folder import store


def test_a_cut_off_is_held_against_the_dates_of_the_papers(tmp_path: Path) -> None:
    built = decisions(tmp_path)
    dated = sorted(instance.year for instance in store.instances(built, "test") if instance.year is not None)
    cutoff = date(int(dated[len(dated) // 2]), 6, 1)
    before = sum(int(year) <= cutoff.year for year in dated) / len(dated)
    about = {"view": "question-only", "training_data": "text", "training_cutoff": cutoff}
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.8)}, **about)
    submit(tmp_path, "b", {"test.jsonl": lines(built, 0.8)}, view="question-only")
    results = {each.submission: each.dated_before for each in made_board(tmp_path, built).parts[0].results}
    assert results == {"a": pytest.approx(before), "b": None}
    assert 0 < before < 1
