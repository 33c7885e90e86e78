"""Lists of stop words by name and from files."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.language.stop_words import STOP_WORDS, stop_words


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
