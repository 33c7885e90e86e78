"""The hard subset is measured as a set of its own."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest
from tests.leaderboard.boards import decisions, lines, submit

from anagnosis import api
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.run_measurements import measure_runs
from anagnosis.evaluation.systems import System
from anagnosis.predictions.matching import match_files


def test_a_perfect_system_has_a_macro_f1_of_1_on_the_hard_subset(tmp_path: Path) -> None:
    """Majority answers yes, so that no hard question has that label."""
    built = decisions(tmp_path)
    submit(tmp_path, "perfect", {"test.jsonl": lines(built, 1)}, view="question-only")
    submit(tmp_path, "other", {"test.jsonl": lines(built, 0.6, 3)}, view="question-only")
    (part,) = api.build_leaderboard(tmp_path / "submissions", [built], today=date(2026, 8, 1)).parts
    for measure in ("accuracy", "macro_f1"):
        (standing,) = (each for each in part.standings if each.measure == measure)
        hard = {row.submission: row.hard for row in standing.rows}
        assert (hard["perfect"].value, hard["perfect"].high) == (1, 1)
        assert hard["other"].value < 1


@pytest.mark.parametrize(("protocol", "part"), [("fixed", 2 / 3), ("official", 1)])
def test_a_part_keeps_the_labels_of_the_split_and_a_set_of_its_own_does_not(
    tmp_path: Path, protocol: str, part: float
) -> None:
    built = decisions(tmp_path)
    place = submit(tmp_path, "perfect", {"test.jsonl": lines(built, 1)})
    gold, (run,) = match_files([place / "test.jsonl"], built, "test")
    rows = np.arange(len(gold))
    found = measure_runs(gold, System("perfect", (run,)), named("macro_f1"), protocol, rows)
    some = np.flatnonzero(gold.answer != gold.answer[0])
    of_split, alone = found.of(some), found.alone(some)
    assert of_split.values.tolist() == pytest.approx([part])
    assert alone.values.tolist() == [1]
