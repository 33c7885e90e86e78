"""Files that are read at once: the limit, the encoding, and JSON that is none."""

from __future__ import annotations

import io

import pytest
from tests.rows import each_row

from anagnosis.documents.io.whole import decoded_json, whole, whole_text
from anagnosis.errors import InputError


@each_row(
    ("data", "error"),
    [
        (b"", "f: the file is empty"),
        (b" \n", "f: the file is empty"),
        (b"x" * ((1 << 20) + 1), "f: larger than 1 MiB; split it"),
        (b"ab\n\xff", "f:2: not UTF-8; convert it to UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_at_once_is_one_line(data: bytes, error: str) -> None:
    with pytest.raises(InputError, match=error):
        whole_text(io.BytesIO(data), "f", 1 << 20)


def test_a_mark_and_what_was_read_already_are_of_the_file() -> None:
    assert whole(io.BytesIO(b"c"), "f", head=b"\xef\xbb\xbfab") == b"abc"
    assert whole_text(io.BytesIO("é".encode()), "f", 2) == "é"


@each_row(
    ("data", "error"),
    [
        (b'{"id": "a"}', "f: Expected `array`, got `object`"),
        (b'[{"id": "a" "b"}]', "f: malformed JSON"),
        (b"[] x", "f: malformed JSON: trailing"),
        (b'[{"id": "a"}', "f: the text ends too early"),
        (b"[" * 200_000, "f: malformed JSON: maximum recursion depth"),
    ],
)
def test_json_that_is_none_is_one_line(data: bytes, error: str) -> None:
    with pytest.raises(InputError, match=error):
        decoded_json(data, "f", list[dict[str, str]] if data[:2] != b"[[" else list)
