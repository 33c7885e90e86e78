from __future__ import annotations

from anagnosis.io.counts import Counts
from anagnosis.predictions.problems import LONGEST_NAME, NAMED, Problem, problems_found


def test_all_are_counted_and_the_first_different_ones_named() -> None:
    problems = Counts()
    for number in range(NAMED + 3):
        problems.add("unknown", f"id{number // 2}")
    problems.add("missing", "x" * 200)
    assert list(problems_found(problems).items()) == [
        ("missing", Problem(1, ("x" * LONGEST_NAME,))),
        ("unknown", Problem(8, ("id0", "id1", "id2", "id3"))),
    ]
