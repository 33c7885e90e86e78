"""The words of a snippet that an exact answer may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis.errors import InputError
from anagnosis.readers.answers.snippet_words import is_content_word, words_by


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
