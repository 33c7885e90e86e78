"""The hard subset is measured as a set of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.leaderboard.boards import decisions, lines, submit

from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.run_measurements import measure_runs
from anagnosis.evaluation.systems import System
from anagnosis.predictions.matching import match_files


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
