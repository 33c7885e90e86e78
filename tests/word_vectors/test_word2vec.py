from __future__ import annotations

import gzip
import random
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.io import compression
from anagnosis.word_vectors import word2vec

WANTED = ["protein", "naïve", "absent", "@entity1"]
ROWS = {"the": (9.0, 9.0), "protein": (0.5, -2.0), "naïve": (1.0, 1e-3), "@entity1": (3.0, 4.0)}
EXPECTED = {"protein": [0.5, -2.0], "naïve": [1.0, pytest.approx(1e-3)], "@entity1": [3.0, 4.0]}


def text(rows: dict[str, tuple[float, ...]] = ROWS) -> bytes:
    return "".join([f"{len(rows)} 2\n", *(f"{word} {a} {b}\n" for word, (a, b) in rows.items())]).encode()


def binary(end: bytes = b"\n") -> bytes:
    rows = [word.encode() + b" " + struct.pack("<2f", *numbers) + end for word, numbers in ROWS.items()]
    return f"{len(ROWS)} 2\n".encode() + b"".join(rows)


@each_row(
    "data",
    [
        text(),
        text()[:-1],
        text().replace(b"\n", b" \n"),
        text().replace(b"\n", b"\r\n"),
        binary(),
        binary(b""),
        binary() + b"\n",
        gzip.compress(text()),
        gzip.compress(binary()),
    ],
)
def test_the_words_that_are_wanted_get_their_vectors(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(data)
    found = word2vec.read(path, WANTED, 2)
    assert {word: vector.tolist() for word, vector in found.items()} == EXPECTED


def test_the_first_of_a_word_that_stands_twice_counts(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(b"2 1\nprotein 1\nprotein 2\n")
    assert word2vec.read(path, WANTED, 1)["protein"].tolist() == [1.0]


@each_row(
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
        (b"2 2\nthe 1 2\ncough 1\n", 2, r":3: row 2 \('cough'\) has 1 of 2 numbers"),
        (b"2 2\nprotein 1\nthe 1 2\n", 2, r"row 1 \('protein'\) has 1 of 2 numbers"),
        (b"2 2\nthe 1 2\nprotein nan 1\n", 2, "the vector of 'protein' is no 2 finite numbers"),
        (b"2 2\nthe 1 2\nprotein a 1\n", 2, "the vector of 'protein' is no 2 finite numbers"),
        (text().replace(b"4 2", b"3 2"), 2, "goes on behind the 3 words of its first line"),
        (binary().replace(b"4 2", b"3 2"), 2, "goes on behind the 3 words"),
        (b"1 99999999\nthe 1\n", 2, "says that a vector has 99999999 numbers"),
        (b"1 2\nthe 1 " + b"2" * 9000, 2, "row 1 is no word with 2 numbers"),
        (b"1 2\n" + b"x" * 9000, 2, "row 1 has no word"),
        (gzip.compress(text())[:-30], 2, "ends too early"),
    ],
)
def test_a_file_that_is_something_else_is_one_line(
    data: bytes, width: int, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(data)
    with pytest.raises(InputError, match=said) as fault:
        word2vec.read(path, WANTED, width)
    assert "\n" not in str(fault.value)


WORDS = st.lists(
    st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8), unique=True, min_size=1, max_size=9
)


@given(WORDS, st.integers(1, 5), st.randoms(use_true_random=False))
def test_what_is_written_is_read_again_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], width: int, draw: random.Random
) -> None:
    vectors = np.array([[draw.uniform(-9, 9) for _ in range(width)] for _ in words], np.float32)
    folder = tmp_path_factory.mktemp("vectors")
    for name in ("a.bin", "a.txt", "a.vec.gz", "a.bin.zst"):
        word2vec.write(folder / name, words, vectors)
        found = word2vec.read(folder / name, words, width)
        assert {word: vector.tolist() for word, vector in found.items()} == dict(zip(words, vectors.tolist()))


def test_a_row_may_lie_across_what_is_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "CHUNK", 7)
    path = tmp_path / "vectors.bin"
    path.write_bytes(binary())
    assert word2vec.read(path, WANTED, 2)["@entity1"].tolist() == [3.0, 4.0]


def test_gensim_s_files_are_read(tmp_path: Path) -> None:
    gensim = pytest.importorskip("gensim.models", reason="the extra vectors is not installed")
    theirs = gensim.KeyedVectors(2)
    theirs.add_vectors(list(ROWS), np.array(list(ROWS.values()), np.float32))
    for name, is_binary in (("a.bin", True), ("a.txt", False)):
        theirs.save_word2vec_format(str(tmp_path / name), binary=is_binary)
        found = word2vec.read(tmp_path / name, WANTED, 2)
        assert {word: vector.tolist() for word, vector in found.items()} == EXPECTED
    word2vec.write(tmp_path / "ours.bin", list(ROWS), np.array(list(ROWS.values()), np.float32))
    again = gensim.KeyedVectors.load_word2vec_format(str(tmp_path / "ours.bin"), binary=True)
    assert again["naïve"].tolist() == EXPECTED["naïve"]


def test_another_ending_is_refused_before_anything_is_written() -> None:
    with pytest.raises(InputError, match="does not show the format"):
        word2vec.form("vectors.npy")


def test_the_published_program_takes_the_last_of_a_word_and_the_first_row_for_others(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("3 1\n</s> 1\nfever 2\nfever 3\n")
    found, first = word2vec.read_published(path, {"fever", "cough"})
    assert {word: row.tolist() for word, row in found.items()} == {"fever": [3]}
    assert first.tolist() == [1]
