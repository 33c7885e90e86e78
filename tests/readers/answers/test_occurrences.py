"""Where synonyms occur in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.predictions import Answer
from anagnosis.readers.answers.occurrences import occurrences, placed

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


def test_an_answer_names_the_snippet_and_where_it_occurs() -> None:
    snippets = ["none", "the BRCA1 gene", "brca1"]
    assert placed("brca1", 0.5, snippets, 1) == Answer("brca1", 0.5, 1, 4, 9)
    assert placed("tp53", 0.5, snippets, 1) == Answer("tp53", 0.5, 1)
    # In any snippet, the first that has it.
    assert placed("brca1", None, snippets) == Answer("brca1", None, 1, 4, 9)
    assert placed("tp53", None, snippets) == Answer("tp53")
    assert placed("IL-2", None, ["IL-21", "of IL-2"]) == Answer("IL-2", None, 1, 3, 7)


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
