"""The nouns that a sentence denies."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.language.negation import cues
from anagnosis.searching.conclusions.stance_features import denied_nouns


@each_row(
    ("sentence", "nouns"),
    [
        ("There was no evidence of an obesity paradox in adults.", ["paradox"]),
        ("There was no significant difference.", None),  # the same is another kind of denial
        ("Cells that lack Swi1 of yeast live without food, and there is no doubt of that.", ["Swi1", "food"]),
        ("There was an absence of TREM2 polymorphisms.", ["polymorphisms"]),
        ("Tea did not help.", None),
        ("No harm was seen, but tea did not help.", None),
        ("No.", None),
        ("Tea helped.", []),
    ],
)
def test_the_last_word_of_each_phrase_is_denied(sentence: str, nouns: list[str] | None) -> None:
    assert denied_nouns(sentence, cues(sentence)) == nouns


@given(st.text(max_size=200))
def test_nouns_are_words_of_any_text(sentence: str) -> None:
    assert all(noun in sentence for noun in denied_nouns(sentence, cues(sentence)) or ())
