"""Words of a text, and their stems."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.language.words import stems, words_of, written_words_of


def test_words_are_runs_of_letters_and_digits_in_lower_case() -> None:
    assert words_of("IL-2 (p<0.05) isn't 5-fold; Müller's.") == [
        "il-2",
        "p",
        "0",
        "05",
        "isn't",
        "5-fold",
        "müller's",
    ]


def test_words_can_be_had_as_they_are_written() -> None:
    assert written_words_of("DNA (In vitro)") == ["DNA", "In", "vitro"]


@each_row(
    ("text", "found"),
    [
        ("Universities agreed generously.", ["universiti", "agre", "generous"]),
        ("IL-2 of p53's", ["il", "2", "of", "p53", "s"]),
        ("TNFα ≥ 3 %", ["tnf", "3"]),
        ("", []),
        ("xa" * 28 + "xing", ["xa" * 28 + "x"]),
        ("xa" * 28 + "xxing", ["xa" * 28 + "xxing"]),
    ],
)
def test_words_are_letters_and_digits_by_their_stems(text: str, found: list[str]) -> None:
    assert stems(text) == found


@given(st.text(max_size=60))
def test_the_case_does_not_matter_and_a_stem_is_never_empty(text: str) -> None:
    assert all(stems(text))
    assert stems(text.lower()) == stems(text)
