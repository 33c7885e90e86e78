"""Values are read from any stream, however it is cut, in bounded memory."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.documents.io import json_stream
from anagnosis.documents.io.json_stream import JsonText
from anagnosis.errors import InputError

_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


class _Pieces(io.BytesIO):
    """A stream that never gives more than `size` bytes at once."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self.size = size

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self.size if size is None or size < 0 else min(size, self.size))


@given(values=st.lists(_values, min_size=1, max_size=4), size=st.integers(1, 9), ascii_only=st.booleans())
def test_values_cut_anywhere_are_read_whole(values: list[Any], size: int, ascii_only: bool) -> None:
    data = "\n ".join(json.dumps(value, ensure_ascii=ascii_only) for value in values).encode()
    text = JsonText(_Pieces(data, size))
    found: list[Any] = []
    while text.peek():
        found.append(text.value())
    assert found == values
    assert text.line == data.count(b"\n") + 1


def test_repeated_keys_are_counted_and_the_last_value_stays() -> None:
    text = JsonText(_Pieces(b'{"a": 1, "a": {"b": 2, "b": 3}}', 7))
    assert text.value() == {"a": {"b": 3}}
    assert text.repeated == 2


def test_a_value_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "LONGEST_VALUE", 1 << 10)
    monkeypatch.setattr(json_stream, "BLOCK", 1 << 8)
    with pytest.raises(InputError, match="a value longer than"):
        JsonText(io.BytesIO(b'["' + b"x" * (1 << 16))).value()
