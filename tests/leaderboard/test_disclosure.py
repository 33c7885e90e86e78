"""What the figures of a hidden split may tell: two decimals, no small group, and none that subtraction gives away."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anagnosis.evaluation.intervals import Estimate, Interval
from anagnosis.leaderboard.board import Figure, Group
from anagnosis.leaderboard.disclosure import SMALLEST_GROUP, Disclosure

VALUE = Estimate(0.123456, 70, 70, Interval(0.111111, 0.222222, 0.95, "Wilson"))
HIDDEN, OPEN = Disclosure(True), Disclosure(False)


def groups(*sizes: int) -> list[Group]:
    return [Group(str(n), size, {"accuracy": Figure(0.5, 0.4, 0.6, size)}) for n, size in enumerate(sizes)]


def test_a_hidden_figure_has_two_decimals_of_its_percent() -> None:
    assert HIDDEN.figure(VALUE, "s") == Figure(0.1235, 0.1111, 0.2222, 70, "s")
    assert OPEN.figure(VALUE) == Figure(0.123456, 0.111111, 0.222222, 70)


def test_no_p_value_of_a_hidden_split_is_shown() -> None:
    assert (HIDDEN.p_value(0.01), OPEN.p_value(0.01)) == (None, 0.01)


def test_a_figure_on_few_questions_is_not_shown_of_a_hidden_split() -> None:
    assert HIDDEN.of_some(VALUE, 500) is None
    assert OPEN.of_some(VALUE, 500) == OPEN.figure(VALUE)
    assert HIDDEN.of_some(None, 500) is None


def test_a_figure_that_gives_a_small_rest_away_by_subtraction_is_not_shown() -> None:
    most = Estimate(0.5, 450, 450, VALUE.interval)
    assert HIDDEN.of_some(most, 500) is None
    assert HIDDEN.of_some(most, 550) == HIDDEN.figure(most)
    assert HIDDEN.of_some(most, 450) == HIDDEN.figure(most)


def test_small_groups_are_left_out_and_counted() -> None:
    found = HIDDEN.breakdown("type", groups(500, 60, 300, 50))
    assert found is not None
    assert ([group.n for group in found.groups], found.left_out) == ([500, 300], 110)


def test_one_small_group_takes_the_next_one_with_it_so_that_subtraction_does_not_give_it_away() -> None:
    found = HIDDEN.breakdown("type", groups(500, 7, 300, 120))
    assert found is not None
    assert ([group.n for group in found.groups], found.left_out) == ([500, 300], 127)


def test_nothing_is_shown_where_one_group_would_be_left() -> None:
    assert HIDDEN.breakdown("type", groups(500, 7, 120)) is None
    assert HIDDEN.breakdown("type", groups(40, 30)) is None


def test_everything_is_shown_of_an_open_split() -> None:
    found = OPEN.breakdown("type", groups(5, 1))
    assert found is not None
    assert ([group.n for group in found.groups], found.left_out) == ([5, 1], 0)


@given(st.lists(st.integers(1, 400), min_size=1, max_size=8))
def test_what_is_left_out_is_never_small(sizes: list[int]) -> None:
    found = HIDDEN.breakdown("type", groups(*sizes))
    if found is not None:
        shown = sum(group.n for group in found.groups)
        assert found.left_out == sum(sizes) - shown
        assert found.left_out == 0 or found.left_out >= SMALLEST_GROUP
        assert all(group.n >= SMALLEST_GROUP for group in found.groups)
