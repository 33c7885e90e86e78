from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.readers.ties import credit, draw, tied

SCORES = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=8)


@each_row(
    ("scores", "indices"),
    [
        ([], []),
        ([-1.0], [0]),
        ([0.0, 2.0, 1.0], [1]),
        ([2.0, 0.0, 2.0], [0, 2]),
        ([0.0, 0.0], [0, 1]),
        ([-0.0, 0.0], [0, 1]),
        ([float("-inf"), float("-inf")], [0, 1]),
    ],
)
def test_tied_are_all_that_share_the_top(scores: list[float], indices: list[int]) -> None:
    assert tied(scores) == indices


@given(SCORES)
def test_the_credits_of_all_candidates_sum_to_one(scores: list[float]) -> None:
    assert sum(credit(scores, index) for index in range(len(scores))) == pytest.approx(1)


def test_one_of_three_tied_answers_is_worth_a_third() -> None:
    assert credit([2.0, 1.0, 2.0, 2.0], 0) == 1 / 3
    assert credit([2.0, 1.0, 2.0, 2.0], 1) == 0


def test_a_draw_depends_on_seed_and_id_and_not_on_the_order() -> None:
    keys = ["gene/1", "gene/2", "disease/3"]
    first = [draw(keys, seed=5, instance=f"{i}:0") for i in range(50)]
    assert first == [draw(keys[::-1], seed=5, instance=f"{i}:0") for i in range(50)]
    assert first != [draw(keys, seed=6, instance=f"{i}:0") for i in range(50)]
    assert first != [draw(keys, seed=5, instance=f"{i}:1") for i in range(50)]


def test_a_draw_is_the_same_on_every_machine_and_in_every_version() -> None:
    assert [draw(["a", "b", "c"], seed=0, instance=str(i)) for i in range(8)] == list("cbbbacba")


def test_draws_are_uniform() -> None:
    counts = Counter(draw(["a", "b", "c"], seed=1, instance=str(i)) for i in range(3000))
    assert all(900 < counts[key] < 1100 for key in "abc")
