"""When a mention's text counts as a normalised form of the words it stands for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.text.mention_text import is_normalised


@each_row(
    ("text", "words"),
    [
        ("cxcr 1", "CXCR-1"),
        ("TNF-a", "TNF-α"),
        ("TNF alpha", "TNF  alpha"),
        ("IL1b", "IL-1β"),
        ("alpha", "ALPHA"),
        ("1/2", "½"),
        ("H2O", "H₂O"),
        ("5 mm", "5 µM"),
    ],
)
def test_case_separators_compatibility_forms_and_greek_letters_are_folded_away(text: str, words: str) -> None:
    assert is_normalised(text, words)


@each_row(
    ("text", "words"),
    [("zinc", "iron"), ("zinc", "zinc2"), ("", "zinc"), ("zinc", ""), ("-", "+"), ("", "")],
)
def test_other_words_and_nothing_are_no_normalised_form(text: str, words: str) -> None:
    assert not is_normalised(text, words)


@given(st.text(), st.text())
def test_neither_side_is_the_first(a: str, b: str) -> None:
    assert is_normalised(a, b) == is_normalised(b, a)


@given(st.text(alphabet="abcXYZ019αβ"))
def test_what_has_a_letter_or_digit_is_a_normalised_form_of_itself(text: str) -> None:
    assert is_normalised(f" {text}-", text) == bool(text)
