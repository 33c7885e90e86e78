"""Encoded examples, their batches of like length, drawn anew each epoch; rates step by step; which weights decay."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.training.bags import Example
from torch import nn

from anagnosis.readers.learning import ClozeSettings
from anagnosis.training.loop.examples import Examples
from anagnosis.training.loop.steps import Schedule, batches, micro_batches, optimizer

SIZES = st.lists(st.integers(1, 500), min_size=1, max_size=60).map(lambda sizes: np.array(sizes, np.int32))


def made(count: int) -> list[Example]:
    return [Example(f"{n}:0", n % 7 + 1, n % 3 - 1, [[n] * (n % 5), [1]]) for n in range(count)]


def test_what_went_in_comes_out_in_any_order() -> None:
    examples = made(100)
    found = Examples("train", 100, iter(examples), Example)
    assert len(found) == 100
    assert found.take([99, 0, 7, 7]) == [examples[99], examples[0], examples[7], examples[7]]
    assert found.sizes.tolist() == [example.size for example in examples]
    assert found.targets.tolist() == [example.target for example in examples]
    assert found.answered.tolist() == [n for n, example in enumerate(examples) if example.target >= 0]


@pytest.mark.parametrize("count", [9, 11])
def test_a_reader_that_encodes_more_or_fewer_is_a_bug(count: int) -> None:
    with pytest.raises(ValueError, match="argument 2 is"):
        Examples("train", 10, iter(made(count)), Example)


@given(SIZES, st.integers(1, 20), st.integers(0, 3))
def test_every_instance_is_in_exactly_one_batch(sizes: np.ndarray, batch: int, epoch: int) -> None:
    chosen = np.arange(len(sizes))[::2]
    found = batches(chosen, sizes, batch, 0, 0, epoch)
    assert sorted(np.concatenate(found)) == list(chosen)
    assert sorted((len(group) for group in found), reverse=True)[:-1] == [batch] * (len(found) - 1)


def test_the_order_is_a_function_of_seed_phase_and_epoch() -> None:
    sizes = np.random.default_rng(1).integers(50, 400, 500).astype(np.int32)

    def drawn(*numbers: int) -> list[list[int]]:
        return [group.tolist() for group in batches(np.arange(500), sizes, 32, *numbers)]

    assert drawn(0, 0, 0) == drawn(0, 0, 0)
    assert len({str(drawn(*numbers)) for numbers in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]}) == 4
    first, second = drawn(0, 0, 0), drawn(0, 0, 1)
    assert not {tuple(sorted(group)) for group in first} & {tuple(sorted(group)) for group in second}


def test_batches_hold_like_lengths_in_no_order() -> None:
    sizes = np.random.default_rng(1).integers(50, 400, 2000).astype(np.int32)
    found = batches(np.arange(2000), sizes, 32, 0, 0, 0)
    assert sum(len(group) * int(sizes[group].max()) for group in found) / int(sizes.sum()) < 1.15
    longest = [int(sizes[group].max()) for group in found]
    assert longest != sorted(longest)


@given(SIZES, st.integers(1, 2000))
def test_pieces_keep_the_budget_and_take_as_many_as_fit(sizes: np.ndarray, tokens: int) -> None:
    found = list(micro_batches(np.arange(len(sizes)), sizes, tokens))
    assert sorted(np.concatenate(found)) == list(range(len(sizes)))
    longest = [int(sizes[piece].max()) for piece in found]
    assert longest == sorted(longest, reverse=True)
    for piece, after in zip(found, [*found[1:], None], strict=True):
        assert len(piece) == 1 or len(piece) * sizes[piece].max() <= tokens
        assert after is None or (len(piece) + 1) * sizes[piece].max() > tokens


def test_equally_long_ones_stay_in_their_order() -> None:
    sizes = np.array([5, 9, 5, 7], np.int32)
    assert [piece.tolist() for piece in micro_batches(np.arange(4), sizes, 18)] == [[1, 3], [0, 2]]


@pytest.mark.parametrize(
    ("settings", "rates"),
    [
        (ClozeSettings(rate=8), [8] * 10),
        (ClozeSettings(rate=8, warmup=0.4), [2, 4, 6, 8, 8, 8, 8, 8, 8, 8]),
        (ClozeSettings(rate=10, schedule="linear"), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
        (ClozeSettings(rate=8, schedule="linear", warmup=0.2), [4, 8, 8, 7, 6, 5, 4, 3, 2, 1]),
        (ClozeSettings(rate=8, schedule="halving"), [8, 8, 8, 8, 8, 8, 4, 4, 2, 2]),
    ],
)
def test_the_rate_of_each_step(settings: ClozeSettings, rates: list[float]) -> None:
    """Five epochs of two steps."""
    made = Schedule(replace(settings, epochs=5), settings.rate, 2)
    assert [made.at(step) for step in range(10)] == pytest.approx(rates)
    # Gated-Attention: Adam starts anew from the third epoch on, after each epoch.
    halving = settings.schedule == "halving"
    assert [made.starts_anew(epoch) for epoch in range(5)] == [False, False, False, halving, halving]


@pytest.mark.parametrize("name", ["adam", "adamw", "sgd"])
def test_matrices_decay_and_vectors_do_not(name: str) -> None:
    matrix, vector = nn.Parameter(torch.ones(2, 2)), nn.Parameter(torch.ones(2))
    made = optimizer(ClozeSettings(optimizer=name, decay=0.5, rate=0.1), [matrix, vector])
    matrix.grad, vector.grad = torch.zeros(2, 2), torch.zeros(2)
    made.step()
    assert float(matrix.detach().max()) < 1
    assert vector.tolist() == [1, 1]
