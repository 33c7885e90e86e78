"""The best n-gram of a snippet, worked out by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.readers.answers.ngrams import AGGREGATES, LONGEST, Ngram, best_ngram

SCORES = [0.2, 1.0, 0.5, 0.0, 0.75]


@pytest.mark.parametrize(
    ("most", "aggregate", "best"),
    [
        (1, "sum", (1, 2, 1.0)),
        (2, "sum", (1, 3, 1.5)),
        (3, "sum", (0, 3, 1.7)),
        (5, "sum", (0, 5, 2.45)),
        (3, "mean", (1, 2, 1.0)),
    ],
)
def test_the_largest_sum_or_mean_wins(most: int, aggregate: str, best: tuple[int, int, float]) -> None:
    found = best_ngram(SCORES, [True] * 5, most, aggregate)  # pyright: ignore[reportArgumentType]
    assert found is not None
    assert found[:2] == best[:2]
    assert found.score == pytest.approx(best[2])


def test_no_ngram_holds_an_unwanted_word() -> None:
    assert best_ngram([0.9, 0.0, 0.9, 0.3], [True, False, True, True], 3, "sum") == Ngram(2, 4, 1.2)


def test_of_equal_ngrams_the_shortest_is_best_then_the_first() -> None:
    assert best_ngram([0.0, 1.0, 0.0], [True] * 3, 3, "sum") == Ngram(1, 2, 1.0)
    assert best_ngram([1.0, 0.0, 1.0], [True] * 3, 1, "sum") == Ngram(0, 1, 1.0)
    assert best_ngram([1.0, 1.0], [True] * 2, 2, "mean") == Ngram(0, 1, 1.0)


@pytest.mark.parametrize("content", [[], [False, False]])
def test_without_a_word_there_is_none(content: list[bool]) -> None:
    assert best_ngram([0.0] * len(content), content, 3, "sum") is None


def test_the_bounds_are_the_mean_lengths_or_what_the_thesis_says_literally() -> None:
    assert LONGEST == {
        "inclusive": {"factoid": 3, "list": 2},
        "thesis-literal": {"factoid": 2, "list": 1},
    }
    for inclusive, literal in pairwise(LONGEST.values()):
        assert {type: most - 1 for type, most in inclusive.items()} == literal


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=8),
    st.integers(1, 3),
    st.sampled_from(["sum", "mean"]),
)
def test_no_other_ngram_is_better(rows: list[tuple[float, bool]], most: int, aggregate: str) -> None:
    scores, content = [score for score, _ in rows], [kept for _, kept in rows]
    value = AGGREGATES[aggregate]  # pyright: ignore[reportArgumentType]
    every = [
        value(scores[first:last])
        for first in range(len(rows))
        for last in range(first + 1, min(first + most, len(rows)) + 1)
        if all(content[first:last])
    ]
    best = best_ngram(scores, content, most, aggregate)  # pyright: ignore[reportArgumentType]
    assert (best and best.score) == (max(every) if every else None)
