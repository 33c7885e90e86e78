"""Batches of like length, drawn anew each epoch and the same each time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.training.loop import order

SIZES = st.lists(st.integers(1, 500), min_size=1, max_size=60).map(lambda sizes: np.array(sizes, np.int32))


def padded(groups: list[np.ndarray], sizes: np.ndarray) -> int:
    return sum(len(group) * int(sizes[group].max()) for group in groups)


@given(SIZES, st.integers(1, 20), st.integers(0, 3))
def test_every_instance_is_in_exactly_one_batch(sizes: np.ndarray, batch: int, epoch: int) -> None:
    chosen = np.arange(len(sizes))[::2]
    found = order.batches(chosen, sizes, batch, 0, 0, epoch)
    assert sorted(np.concatenate(found)) == list(chosen)
    assert sorted((len(group) for group in found), reverse=True)[:-1] == [batch] * (len(found) - 1)


def test_the_order_is_a_function_of_seed_phase_and_epoch() -> None:
    sizes = np.random.default_rng(1).integers(50, 400, 500).astype(np.int32)
    chosen = np.arange(500)

    def drawn(*numbers: int) -> list[list[int]]:
        return [group.tolist() for group in order.batches(chosen, sizes, 32, *numbers)]

    assert drawn(0, 0, 0) == drawn(0, 0, 0)
    assert len({str(drawn(*numbers)) for numbers in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]}) == 4
    first, second = drawn(0, 0, 0), drawn(0, 0, 1)
    assert not {tuple(sorted(group)) for group in first} & {tuple(sorted(group)) for group in second}


def test_batches_hold_like_lengths_in_no_order() -> None:
    sizes = np.random.default_rng(1).integers(50, 400, 2000).astype(np.int32)
    found = order.batches(np.arange(2000), sizes, 32, 0, 0, 0)
    at_random = [np.arange(2000)[start : start + 32] for start in range(0, 2000, 32)]
    real = int(sizes.sum())
    assert padded(found, sizes) / real < 1.15 < 1.6 < padded(at_random, sizes) / real
    longest = [int(sizes[group].max()) for group in found]
    assert longest != sorted(longest)


@given(SIZES, st.integers(1, 2000))
def test_pieces_keep_the_order_and_the_budget(sizes: np.ndarray, tokens: int) -> None:
    ordered = order.by_length(np.arange(len(sizes)), sizes)
    found = list(order.micro_batches(ordered, sizes, tokens))
    assert np.concatenate(found).tolist() == ordered.tolist()
    assert all(len(piece) == 1 or len(piece) * sizes[piece].max() <= tokens for piece in found)


@pytest.mark.parametrize(("tokens", "pieces"), [(1, [[0], [1], [2]]), (20, [[0, 1], [2]]), (30, [[0, 1, 2]])])
def test_a_piece_takes_as_many_as_fit(tokens: int, pieces: list[list[int]]) -> None:
    sizes = np.array([10, 10, 9], np.int32)
    assert [piece.tolist() for piece in order.micro_batches([0, 1, 2], sizes, tokens)] == pieces


def test_the_longest_come_first_and_equals_in_their_order() -> None:
    assert order.by_length(np.array([0, 1, 2, 3]), np.array([5, 9, 5, 7], np.int32)).tolist() == [1, 3, 0, 2]
