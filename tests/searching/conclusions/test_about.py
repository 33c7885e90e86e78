"""Which papers are about a question."""

from __future__ import annotations

import pytest
from tests.searching.conclusions.papers import paper

from anagnosis.searching.conclusions.about import covered, rarer, words_of_paper

# metformin and sarcoidosis are rare, treat is common.
WEIGHTS = {"metformin": 6.0, "sarcoidosi": 5.0, "treat": 1.0}


def test_the_rarer_words_weigh_at_least_the_mean() -> None:
    assert rarer(WEIGHTS) == ["metformin", "sarcoidosi"]
    assert rarer({"a": 2.0, "b": 2.0}) == ["a", "b"]
    assert rarer({}) == []


@pytest.mark.parametrize(
    ("words", "share"),
    [
        ({"metformin", "sarcoidosi", "treat"}, 1.0),
        ({"metformin", "sarcoidosi"}, 11 / 12),
        ({"metformin", "treat"}, None),  # one of two rarer words
        ({"treat"}, None),
        (set(), None),
    ],
)
def test_a_paper_is_about_a_question_if_it_has_its_rarer_words(words: set[str], share: float | None) -> None:
    found = covered(WEIGHTS, words)
    assert found == (pytest.approx(share) if share is not None else None)


def test_three_of_four_rarer_words_are_enough_only_with_most_of_the_weight() -> None:
    equal = dict.fromkeys("abcd", 1.0)
    assert covered(equal, "abc") == pytest.approx(0.75)
    assert covered(equal, "ab") is None
    assert covered({"a": 1.0, "b": 1.1, "c": 9.0}, "ab") is None  # every rarer word is missing


def test_nothing_is_about_a_question_without_words() -> None:
    assert covered({}, {"tea"}) is None


def test_title_headings_and_texts_count() -> None:
    words = words_of_paper(paper(("FEVER", "Cold tea."), title="On sarcoidosis"))
    assert {"sarcoidosi", "fever", "cold", "tea"} <= words
    assert words_of_paper([]) == frozenset()
