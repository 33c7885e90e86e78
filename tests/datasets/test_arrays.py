"""Arrow arrays without pandas are those that pyarrow makes of the same values."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.arrays import from_numbers, from_texts, to_numbers, without_nulls

LISTS = st.lists(st.integers(-(2**31), 2**31 - 1))


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@given(numbers=LISTS)
def test_numbers_become_an_array_and_numbers_again(kind: type, numbers: list[int]) -> None:
    values = np.array(numbers, kind)
    array = from_numbers(values)
    array.validate(full=True)
    assert array.equals(pa.array(numbers, pa.from_numpy_dtype(values.dtype)))
    assert to_numbers(array).tolist() == numbers
    assert to_numbers(array[1:3]).tolist() == numbers[1:3]


def test_numbers_that_do_not_lie_side_by_side_are_copied() -> None:
    assert from_numbers(np.arange(6)[::2]).to_pylist() == [0, 2, 4]


@given(st.lists(st.none() | st.integers(0, 9)))
def test_nulls_are_replaced(numbers: list[int | None]) -> None:
    assert without_nulls(pa.array(numbers, pa.int32()), -7).to_pylist() == [
        -7 if one is None else one for one in numbers
    ]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_texts_become_an_array(texts: list[str]) -> None:
    array = from_texts(texts)
    array.validate(full=True)
    assert array.equals(pa.array(texts, pa.string()))
