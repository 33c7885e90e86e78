from __future__ import annotations

import gzip
import struct
from pathlib import Path

import pytest

from anagnosis.errors import InputError
from anagnosis.readers.recurrent.vectors import read_vectors
from anagnosis.readers.recurrent.words import Vocabulary

VOCABULARY = Vocabulary(["protein", "naïve", "absent", "@entity1"])
ROWS = {"the": (9.0, 9.0), "protein": (0.5, -2.0), "naïve": (1.0, 1e-3), "@entity1": (3.0, 4.0)}
EXPECTED = {4: [0.5, -2.0], 5: [1.0, pytest.approx(1e-3)], 7: [3.0, 4.0]}


def text(rows: dict[str, tuple[float, ...]] = ROWS) -> bytes:
    return "".join([f"{len(rows)} 2\n", *(f"{word} {a} {b}\n" for word, (a, b) in rows.items())]).encode()


def binary(end: bytes = b"\n") -> bytes:
    rows = [word.encode() + b" " + struct.pack("<2f", *numbers) + end for word, numbers in ROWS.items()]
    return f"{len(ROWS)} 2\n".encode() + b"".join(rows)


@pytest.mark.parametrize(
    "data",
    [
        text(),
        text()[:-1],
        text().replace(b"\n", b" \n"),
        text().replace(b"\n", b"\r\n"),
        binary(),
        binary(b""),
        gzip.compress(text()),
        gzip.compress(binary()),
    ],
    ids=[
        "text",
        "no last line end",
        "blank at the end",
        "CRLF",
        "binary",
        "binary without line ends",
        "text.gz",
        "binary.gz",
    ],
)
def test_the_words_of_the_vocabulary_get_their_vectors(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(data)
    found = read_vectors(str(path), VOCABULARY, 2)
    assert {place: vector.tolist() for place, vector in found.items()} == EXPECTED


def test_the_first_of_a_word_that_stands_twice_counts(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(b"2 1\nprotein 1\nprotein 2\n")
    assert read_vectors(str(path), VOCABULARY, 1)[4].tolist() == [1.0]


@pytest.mark.parametrize(
    ("data", "width", "said"),
    [
        (text(), 3, "its vectors have 2 numbers, the recipe's embedding 3"),
        (b"", 2, "does not begin with"),
        (b"protein 1 2\n", 2, "does not begin with"),
        (b"{}" * 500, 2, "does not begin with"),
        (b"3 0\n", 2, "does not begin with"),
        (text().replace(b"4 2", b"9 2"), 2, "ends after 4 of 9 words"),
        (binary()[:-6], 2, "ends after 3 of 4 words"),
        (binary().replace(b"4 2", b"5 2"), 2, "ends after 4 of 5 words"),
        (b"2 2\nprotein 1\nthe 1 2\n", 2, "the vector of 'protein' is no 2 finite numbers"),
        (b"2 2\nthe 1 2\nprotein nan 1\n", 2, "the vector of 'protein' is no 2 finite numbers"),
        (b"2 2\nthe 1 2\nprotein a 1\n", 2, "the vector of 'protein' is no 2 finite numbers"),
        (b"1 2\nthe 1 2\n", 2, "no word of the training data is in it"),
        (b"1 2\n" + b"x" * 9000, 2, "row 1 has no word"),
        (gzip.compress(text())[:-30], 2, "ends too early"),
    ],
    ids=[
        "another width",
        "empty",
        "no header",
        "another format",
        "no width",
        "text cut",
        "binary cut",
        "binary short",
        "a short row",
        "no number",
        "no numeral",
        "no known word",
        "no word",
        "gzip cut",
    ],
)
def test_a_file_that_is_something_else_is_one_line(
    data: bytes, width: int, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(data)
    with pytest.raises(InputError, match=said) as fault:
        read_vectors(str(path), VOCABULARY, width)
    assert "\n" not in str(fault.value)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_vectors(str(tmp_path / "none"), VOCABULARY, 2)
