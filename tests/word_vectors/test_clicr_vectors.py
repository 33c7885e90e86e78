"""Word vectors as CliCR's program reads them: its shifted rows, and what it stops at."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.word_vectors import clicr_vectors, word2vec

FILE = "5 2\n</s> 1 0\nfever 0 1\ncough 0.5\nct 2 2\nscan 3 3\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "words.txt"
    path.write_text(text)
    return path


def test_the_published_reading(shared: Path, tmp_path: Path) -> None:
    stored = json.loads((shared / "vectors/clicr/word2vec_reading.json").read_text("utf-8"))
    assert len(stored["cases"]) == 7
    for case in stored["cases"]:
        path = written(tmp_path, stored["files"][case["input"]])
        if "raises" in case:
            with pytest.raises(InputError, match=r"words\.txt:12: goes on behind the 10 words"):
                clicr_vectors.read(path)
            continue
        found = clicr_vectors.read(path)
        rows = case["output"]["W"]
        assert found.first.tolist() == rows[0]
        of_words = {word: rows[row] for word, row in case["output"]["w_index"].items()}
        assert {word: row.tolist() for word, row in found.of_words.items()} == of_words


def test_the_words_behind_a_malformed_line_get_the_row_before_theirs(tmp_path: Path) -> None:
    found = clicr_vectors.read(written(tmp_path, FILE))
    assert {word: row.tolist() for word, row in found.of_words.items()} == {
        "</s>": [1, 0],
        "fever": [0, 1],
        "ct": [0, 0],
        "scan": [2, 2],
    }
    assert found.of("cough").tolist() == [1, 0]


def test_only_wanted_words_are_kept_and_the_last_of_a_word_counts(tmp_path: Path) -> None:
    found = clicr_vectors.read(written(tmp_path, "3 1\n</s> 1\nfever 2\nfever 3\n"), {"fever"})
    assert {word: row.tolist() for word, row in found.of_words.items()} == {"fever": [3]}
    assert found.first.tolist() == [1]


@each_row(
    ("text", "message"),
    [
        ("1 2\n</s> 1 0\nfever 0 1\n", "words.txt:3: goes on behind the 1 words of its first line"),
        ("fever 0 1\n", "does not begin with a count of words and a width"),
        ("1 2\nfever one two\n", "words.txt:2: not word2vec's text format"),
        ("1 2\nfever nan 1\n", "words.txt:2: not word2vec's text format.*: a number is not finite"),
        ("1 99999999999\nfever 1\n", "says that a vector has 99999999999 numbers"),
        ("1 1\n" + "f" * 9_000 + " 1\n", "words.txt:2: no word with 1 numbers"),
    ],
)
def test_what_the_program_stops_at_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        clicr_vectors.read(written(tmp_path, text))


def test_a_binary_file_is_named_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "words.bin"
    word2vec.write(path, ["fever", "cough"], np.full((2, 3), -0.3, np.float32))
    with pytest.raises(InputError, match=r"words.bin: is binary, .*; write the vectors as .txt or .vec"):
        clicr_vectors.read(path)


@given(st.binary(max_size=80), st.sampled_from([b"", b"2 1\n", b"3 2\na 1 2\n", b"2 1\na 1\nb\nc 2\n"]))
def test_any_bytes_are_read_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, end: bytes, start: bytes
) -> None:
    path = tmp_path_factory.mktemp("any") / "words.txt"
    path.write_bytes(start + end)
    with suppress(InputError):
        found = clicr_vectors.read(path)
        assert {row.shape for row in found.of_words.values()} <= {found.first.shape}
