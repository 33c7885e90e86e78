"""What a sentence compares with."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.searching.conclusions.comparison_arms import LONGEST, compared_with


@each_row(
    ("sentence", "compared"),
    [
        ("Tea, compared with salted broth, helped.", ["salted broth"]),
        ("Tea helped more than in those with coffee in adults.", ["in those with coffee"]),
        ("Tea was superior to milk; broth was not inferior to cider.", ["milk", "cider"]),
        ("Tea had an advantage over milk.", ["milk"]),
        ("Over ten years tea helped; the lid lay over the pot.", []),
        ("More than 50 adults drank tea rather than milk.", []),
        ("Means other than tea helped.", []),
        ("Tea vs. milk: who wins?", ["milk"]),
        ("Tea was better than", []),
        ("than " + "word " * 20, ["word " * (LONGEST - 1) + "word"]),
    ],
)
def test_a_comparison_reaches_to_a_sign_or_a_word_that_ends_it(sentence: str, compared: list[str]) -> None:
    assert [sentence[begin:end].strip() for begin, end in compared_with(sentence)] == compared


@given(st.text(max_size=200))
def test_places_lie_in_any_text(sentence: str) -> None:
    assert all(0 <= begin < end <= len(sentence) for begin, end in compared_with(sentence))
