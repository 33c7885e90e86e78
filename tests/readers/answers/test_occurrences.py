"""Where synonyms occur in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.readers.answers.occurrences import occurrences

LETTERS = st.text("ab_1 -", max_size=12)


@pytest.mark.parametrize(
    ("text", "synonyms", "places"),
    [
        ("IL-2 binds il-2.", ["IL-2"], ["IL-2", "il-2"]),
        ("p53 in p53-mutants, not p530", ["p53"], ["p53", "p53"]),
        ("TNF-alpha and TNFalpha", ["TNF", "TNF-alpha"], ["TNF", "TNF-alpha"]),
        ("breast\n  cancer", ["breast cancer"], ["breast\n  cancer"]),
        ("(a+b)*c", ["a+b", "(a+b)*"], ["(a+b)*", "a+b"]),
        ("half of it", ["al", ""], []),
        ("x_y", ["x"], []),
        ("Straße", ["STRASSE"], []),
    ],
)
def test_whole_words_count_in_any_case(text: str, synonyms: list[str], places: list[str]) -> None:
    assert [text[begin:end] for begin, end in occurrences(text, synonyms)] == places


@given(LETTERS, LETTERS, LETTERS)
def test_a_synonym_set_between_blanks_is_found_where_it_stands(before: str, synonym: str, after: str) -> None:
    words = " ".join(synonym.split())
    text = f"{before} {words} {after}"
    found = occurrences(text, [synonym])
    assert all(" ".join(text[begin:end].split()).casefold() == words.casefold() for begin, end in found)
    if words:
        assert any(begin <= len(before) + 1 < end for begin, end in found)
    else:
        assert found == []
