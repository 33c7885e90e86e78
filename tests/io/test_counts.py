"""What does not fit is counted by name, and its first places are kept."""

from __future__ import annotations

from anagnosis.io.counts import MOST, Counts


def test_all_are_counted_and_the_first_places_of_each_name_kept() -> None:
    found = Counts()
    assert found.sound
    for place in range(2 * MOST + 20):
        found.add("odd" if place % 2 else "even", f"place {place}:\n is wrong")
    assert not found.sound
    assert found.counts == {"even": MOST + 10, "odd": MOST + 10}
    assert found.places["odd"] == [f"place {place}: is wrong" for place in range(1, 2 * MOST, 2)]
    assert found.problems == found.places["even"] + found.places["odd"]


def test_an_equal_place_is_kept_once_and_another_tally_is_added() -> None:
    one, other = Counts(), Counts()
    one.add("blank", "line 1")
    other.add("blank", "line 1")
    other.add("blank", "line 2", 3)
    other.add("unknown")
    one.merge(other)
    assert (one.counts, one.places) == (
        {"blank": 5, "unknown": 1},
        {"blank": ["line 1", "line 2"], "unknown": []},
    )
