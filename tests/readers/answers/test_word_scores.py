"""The scores of a snippet's words, worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.readers.answers.word_scores import (
    UNWANTED,
    min_max,
    min_max_of_nonzero,
    normalised,
    unwanted_words_lowest,
)


def test_words_that_no_answer_holds_get_the_lowest_score() -> None:
    assert unwanted_words_lowest([1.0, 5.0, -2.0], [True, False, True]) == [1.0, -999.0, -2.0]


def test_they_are_below_scores_under_999_too() -> None:
    assert unwanted_words_lowest([-1500.0, 2.0, -999.0], [True, False, True]) == [-1500.0, -1501.0, -999.0]
    assert normalised([-1500.0, -1400.0, 2.0], [True, True, False]) == pytest.approx([0.0, 1.0, 0.0])
    assert normalised([-2000.0, -999.0, -1500.0, 5.0], [True, True, True, False]) == pytest.approx(
        [0.0, 1.0, 500 / 1001, 0.0]
    )


def test_min_max_goes_from_0_to_1() -> None:
    assert min_max([2.0, 6.0, 3.0]) == [0.0, 1.0, 0.25]


@pytest.mark.parametrize("scores", [[], [3.0], [-7.0, -7.0]])
def test_equal_scores_all_become_0(scores: list[float]) -> None:
    assert min_max(scores) == [0.0] * len(scores)


def test_a_snippet_without_words_has_no_scores() -> None:
    assert normalised([], []) == []


def test_the_second_pass_leaves_zeros_and_spreads_the_rest() -> None:
    assert min_max_of_nonzero([0.0, 0.5, 1.0, 0.0, 0.75]) == [0.0, 0.0, 1.0, 0.0, 0.5]
    assert min_max_of_nonzero([0.0, 1.0]) == [0.0, 0.0]


def test_unwanted_words_take_part_in_the_first_pass_alone() -> None:
    # First pass: (1 + 999) / 1004, (3 + 999) / 1004, (5 + 999) / 1004 and 0; second: 0, 1/2, 1 and the 0 stays.
    assert normalised([1.0, 3.0, 5.0, 99.0], [True, True, True, False]) == pytest.approx([0.0, 0.5, 1.0, 0.0])


def test_without_unwanted_words_the_second_pass_leaves_the_lowest_out() -> None:
    # First pass: 0, 1/4, 1/2, 1; the 0 takes no part in the second: 0, 0, 1/3, 1.
    assert normalised([1.0, 2.0, 3.0, 5.0], [True] * 4) == pytest.approx([0.0, 0.0, 1 / 3, 1.0])


def test_one_word_among_unwanted_ones_becomes_0() -> None:
    assert normalised([4.0, 1.0], [True, False]) == [0.0, 0.0]


@given(
    st.lists(st.tuples(st.floats(-50, 50), st.booleans()), min_size=2, max_size=9),
    st.floats(0.1, 500),
    st.floats(-2000, 2000),
)
def test_scale_and_shift_of_the_scores_do_not_matter(
    rows: list[tuple[float, bool]], scale: float, shift: float
) -> None:
    scores, content = [round(score, 2) for score, _ in rows], [kept for _, kept in rows]
    first = normalised(scores, content)
    second = normalised([scale * score + shift for score in scores], content)
    assert first == pytest.approx(second, abs=1e-6)
    assert all(
        value == 0 for value, kept in zip(first, content, strict=True) if not kept and not all(content)
    )
    assert UNWANTED == -999
