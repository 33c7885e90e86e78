from __future__ import annotations

from anagnosis.predictions.problems import LONGEST_NAME, NAMED, PROBLEMS, Problem, Problems


def test_all_are_counted_and_the_first_different_ones_named() -> None:
    problems = Problems()
    for number in range(NAMED + 3):
        problems.add("unknown", f"id{number // 2}")
    problems.add("missing", "x" * 200)
    assert problems.found() == {
        "missing": Problem(1, ("x" * LONGEST_NAME,)),
        "unknown": Problem(8, ("id0", "id1", "id2", "id3")),
    }


def test_a_tally_takes_in_another() -> None:
    one, other = Problems(), Problems()
    one.add("blank", "line 1")
    other.add("blank", "line 2", 3)
    other.add("repeated", "a")
    one.merge(other)
    assert one.found() == {"repeated": Problem(1, ("a",)), "blank": Problem(4, ("line 1", "line 2"))}


def test_they_are_told_in_the_order_of_the_table() -> None:
    problems = Problems()
    for name in reversed(PROBLEMS):
        problems.add(name, "a")
    assert list(problems.found()) == list(PROBLEMS)
