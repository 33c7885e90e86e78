"""The answer of a snippet: its words, their scores, and the best n-gram."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.errors import InputError
from anagnosis.readers.answers.word_answers import (
    AGGREGATES,
    LONGEST,
    UNWANTED,
    Ngram,
    best_ngram,
    is_content_word,
    min_max,
    min_max_of_nonzero,
    normalised,
    unwanted_words_lowest,
    words_by,
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


def content_words(text: str, words: str = "nltk") -> list[str]:
    return [text[word.begin : word.end] for word in words_by("rule", "", words)(text) if word.content]


def test_an_answer_may_hold_nouns_verbs_and_adjectives() -> None:
    text = "Gefitinib rapidly inhibits the mutant EGFR, but not in 3 cells."
    assert content_words(text) == ["Gefitinib", "inhibits", "mutant", "EGFR", "cells"]


def test_every_word_is_there_with_its_place() -> None:
    text = " IL-2 (the T cell's)"
    words = words_by("rule", "", "nltk")(text)
    assert [text[word.begin : word.end] for word in words] == ["IL-2", "(", "the", "T", "cell", "'s", ")"]
    assert [word.content for word in words] == [
        True,
        False,
        False,
        False,
        True,
        False,
        False,
    ]  # t: a part of don't


def test_a_stop_word_is_out_whatever_its_case(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("gefitinib\n")
    assert "Gefitinib" in content_words("Gefitinib inhibits EGFR.")
    assert content_words("Gefitinib inhibits EGFR.", str(tmp_path / "words")) == ["inhibits", "EGFR"]


@pytest.mark.parametrize(
    ("word", "tag", "content"),
    [
        ("cell", "NN", True),
        ("Gefitinib", "NNP", True),
        ("bound", "VBN", True),
        ("mutant", "JJ", True),
        ("can", "MD", False),
        ("rapidly", "RB", False),
        ("three", "CD", False),
        ("in", "IN", False),
        ("--", "NN", False),
    ],
)
def test_the_tag_decides(word: str, tag: str, content: bool) -> None:
    assert is_content_word(word, tag) is content


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match="unknown part-of-speech tagger 'spacy'"):
        words_by("spacy", "", "nltk")
    with pytest.raises(InputError, match="unknown list of stop words 'spacy'"):
        words_by("rule", "", "spacy")
