"""The answer of a snippet: its words, their scores, and the best n-gram."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.language.stop_words import stop_words
from anagnosis.readers.answers.word_answers import (
    UNWANTED,
    Gap,
    Ngram,
    best_ngram,
    cloze_passage,
    is_content_word,
    normalised,
    snippet_words,
    unwanted_words_lowest,
)


@each_row(
    ("step", "scores", "content", "expected"),
    [
        (unwanted_words_lowest, [1.0, 5.0, -2.0], [True, False, True], [1.0, -999.0, -2.0]),
        (unwanted_words_lowest, [-1500.0, 2.0, -999.0], [True, False, True], [-1500.0, -1501.0, -999.0]),
        (normalised, [], [], []),
        (normalised, [-1500.0, -1400.0, 2.0], [True, True, False], [0.0, 1.0, 0.0]),
        (normalised, [-2000.0, -999.0, -1500.0, 5.0], [True] * 3 + [False], [0.0, 1.0, 500 / 1001, 0.0]),
        # First pass: (1 + 999) / 1004, (3 + 999) / 1004, (5 + 999) / 1004 and 0; second: 0, 1/2, 1 and the 0 stays.
        (normalised, [1.0, 3.0, 5.0, 99.0], [True] * 3 + [False], [0.0, 0.5, 1.0, 0.0]),
        # First pass: 0, 1/4, 1/2, 1; the 0 takes no part in the second: 0, 0, 1/3, 1.
        (normalised, [1.0, 2.0, 3.0, 5.0], [True] * 4, [0.0, 0.0, 1 / 3, 1.0]),
        (normalised, [4.0, 1.0], [True, False], [0.0, 0.0]),
    ],
)
def test_scores_are_normalised_as_by_hand(
    step: Any, scores: list[float], content: list[bool], expected: list[float]
) -> None:
    assert step(scores, content) == pytest.approx(expected)


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


def test_of_equal_ngrams_the_shortest_is_best_then_the_first() -> None:
    assert best_ngram([0.0, 1.0, 0.0], [True] * 3, 3, "sum") == Ngram(1, 2, 1.0)
    assert best_ngram([1.0, 0.0, 1.0], [True] * 3, 1, "sum") == Ngram(0, 1, 1.0)
    assert best_ngram([1.0, 1.0], [True] * 2, 2, "mean") == Ngram(0, 1, 1.0)
    assert best_ngram([0.9, 0.0, 0.9, 0.3], [True, False, True, True], 3, "sum") == Ngram(2, 4, 1.2)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=8),
    st.integers(1, 3),
    st.sampled_from(["sum", "mean"]),
)
def test_no_other_ngram_is_better(rows: list[tuple[float, bool]], most: int, aggregate: str) -> None:
    scores, content = [score for score, _ in rows], [kept for _, kept in rows]
    every = [
        sum(scores[first:last]) / (last - first if aggregate == "mean" else 1)
        for first in range(len(rows))
        for last in range(first + 1, min(first + most, len(rows)) + 1)
        if all(content[first:last])
    ]
    best = best_ngram(scores, content, most, aggregate)  # pyright: ignore[reportArgumentType]
    assert (best and best.score) == (max(every) if every else None)


def content_words(text: str, words: str = "nltk") -> list[str]:
    return [text[word.begin : word.end] for word in snippet_words(text, stop_words(words)) if word.content]


def test_every_word_is_there_and_an_answer_may_hold_nouns_verbs_and_adjectives() -> None:
    text = "Gefitinib rapidly inhibits the mutant EGFR, but not in 3 cells."
    assert content_words(text) == ["Gefitinib", "inhibits", "mutant", "EGFR", "cells"]
    text = " IL-2 (the T cell's)"
    words = snippet_words(text, stop_words("nltk"))
    assert [text[word.begin : word.end] for word in words] == ["IL-2", "(", "the", "T", "cell", "'s", ")"]
    assert content_words(text) == ["IL-2", "cell"]  # t: a part of don't


def test_a_stop_word_is_out_whatever_its_case(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("gefitinib\n")
    assert "Gefitinib" in content_words("Gefitinib inhibits EGFR.")
    assert content_words("Gefitinib inhibits EGFR.", str(tmp_path / "words")) == ["inhibits", "EGFR"]


def test_the_tag_decides() -> None:
    words = {"cell": "NN", "Gefitinib": "NNP", "bound": "VBN", "mutant": "JJ"}
    others = {"can": "MD", "rapidly": "RB", "three": "CD", "in": "IN", "--": "NN"}
    assert all(is_content_word(word, tag) for word, tag in words.items())
    assert not any(is_content_word(word, tag) for word, tag in others.items())


@pytest.mark.parametrize(
    ("gap", "asked"), [("end", "What blocks egfr? XXXX"), ("start", "XXXX What blocks egfr? ")]
)
def test_the_gap_is_where_it_was_asked_for(gap: Gap, asked: str) -> None:
    snippet = "Gefitinib blocks EGFR(egfr), in A549 cells."
    viewed = cloze_passage("q:0", snippet, snippet_words(snippet, frozenset()), "What blocks egfr? ", gap)
    assert viewed.question == asked
    assert viewed.question[slice(*viewed.placeholder)] == "XXXX"
