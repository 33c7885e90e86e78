"""Small vectors: how far they are from those they were made of."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from anagnosis.searching.vectors.compact import PLANES, planes, signs, small, words


def drawn(seed: int, count: int, width: int) -> NDArray[np.float32]:
    found = np.random.default_rng(seed).standard_normal((count, width)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


@given(st.integers(0, 999), st.integers(1, 5), st.integers(1, 200))
def test_whole_numbers_are_within_half_a_step(seed: int, count: int, width: int) -> None:
    vectors = drawn(seed, count, width)
    kept = small(vectors)
    again = kept.numbers.astype(np.float32) * kept.scales[:, None]
    assert (np.abs(again - vectors) <= 0.51 * kept.scales[:, None]).all()
    assert kept.signs.shape == (count, words(width))


def test_a_vector_of_nothing_stays_so() -> None:
    kept = small(np.zeros((1, 8), np.float32))
    assert not kept.numbers.any()
    assert not kept.scales.any()
    assert not kept.signs.any()


@given(st.integers(0, 999), st.integers(1, 130))
def test_counted_bits_are_the_product_with_the_signs(seed: int, width: int) -> None:
    """What the formula in compact.py says, held to the product that it stands for."""
    question, *vectors = drawn(seed, 4, width)
    own = signs(small(np.array(vectors)).numbers)
    bits, middle = planes(question)
    weights = [1 << place for place in range(PLANES - 1, -1, -1)]
    sums = sum(
        weight * np.bitwise_count(own & plane).sum(1).astype(int) for weight, plane in zip(weights, bits)
    )
    step = float(np.abs(question).max()) / middle
    told = step * (2 * sums - 2 * middle * np.bitwise_count(own).sum(1))
    positive = small(np.array(vectors)).numbers > 0
    exact = 2 * (positive * question).sum(1)
    assert np.abs(told - exact).max() <= step * width + 1e-4
