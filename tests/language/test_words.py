"""Words of a text, and their stems."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.language.words import (
    STOP_WORDS,
    TOKENIZERS,
    blanks,
    stems,
    stop_words,
    tokenizer,
    words,
    words_of,
    written_words_of,
)


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


@each_row(
    ("text", "tokens"),
    [
        ("post-operative fever (38.5 °C).", ["post-operative", "fever", "(", "38.5", "°", "C", ")", "."]),
        ("0.5 mg, 1,000 IU", ["0.5", "mg", ",", "1,000", "IU"]),
        ("Crohn's and patients' pain", ["Crohn", "'s", "and", "patients", "'", "pain"]),
        ("i.v. fluids, e.g. saline", ["i.v.", "fluids", ",", "e.g.", "saline"]),
        ("IL-2R and β-blocker", ["IL-2R", "and", "β-blocker"]),
        ("CD4+/CD8", ["CD4", "+", "/", "CD8"]),
        ("O’Brien", ["O’Brien"]),
        (" \n", []),
    ],
)
def test_words_keep_hyphens_and_decimal_points(text: str, tokens: list[str]) -> None:
    assert words(text).split(" ") == (tokens or [""])


def test_blanks_part_at_white_space_alone() -> None:
    assert blanks(" a, b\n(c) ") == "a, b (c)"
    assert blanks("a\u00a0b\u2009c  d\te") == "a b c d e"


@given(st.text())
def test_no_tokenizer_loses_a_sign_and_no_token_has_white_space(text: str) -> None:
    for name in TOKENIZERS:
        tokens = tokenizer(name)(text)
        assert tokens.replace(" ", "") == "".join(text.split())
        assert tokens == " ".join(tokens.split())


@given(st.text("ab 0.'-(", max_size=30))
def test_tokens_parted_by_blanks_are_the_same_tokens_again(text: str) -> None:
    assert blanks(words(text)) == words(words(text)) == words(text)


def test_another_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="words"):
        tokenizer("spaces")


def test_the_lists_have_as_many_words_as_nltk_gives() -> None:
    assert {name: len(words) for name, words in STOP_WORDS.items()} == {"nltk": 179, "nltk-127": 127}
    assert STOP_WORDS["nltk-127"] < STOP_WORDS["nltk"]


@each_row("word", ["the", "of", "was", "with", "themselves", "won't", "now"])
def test_a_stop_word_is_in_the_list(word: str) -> None:
    assert word in stop_words("nltk")


@each_row("word", ["gene", "causes", "without", "via", "may"])
def test_a_word_of_content_or_one_that_nltk_lacks_is_not(word: str) -> None:
    assert word not in stop_words("nltk")


def test_a_file_has_a_word_a_line(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("# nouns of every abstract\nStudy\n\n  patients \n")
    assert stop_words(str(path)) == {"study", "patients"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"study\ntwo words\n", r"words\.txt:2: more than one word; write one word a line"),
        (b"\xff\n", r"words\.txt:1: not UTF-8"),
    ],
)
def test_a_file_that_is_no_list_is_refused_with_its_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        stop_words(str(path))


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="unknown list of stop words 'nltk127'; did you mean nltk-127"):
        stop_words("nltk127")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.txt"):
        stop_words(str(tmp_path / "none.txt"))
