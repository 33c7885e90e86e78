from __future__ import annotations

from anagnosis.language.words import words_of, written_words_of


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
