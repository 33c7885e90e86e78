"""The store of encoded examples: what went in comes out, and memory does not grow with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import ROOT
from tests.disk import full_after
from tests.training.bags import Example

from anagnosis.errors import InputError
from anagnosis.training.loop.examples import Examples, batches, by_length, encoded, micro_batches

SIZES = st.lists(st.integers(1, 500), min_size=1, max_size=60).map(lambda sizes: np.array(sizes, np.int32))


def padded(groups: list[np.ndarray], sizes: np.ndarray) -> int:
    return sum(len(group) * int(sizes[group].max()) for group in groups)


@given(SIZES, st.integers(1, 20), st.integers(0, 3))
def test_every_instance_is_in_exactly_one_batch(sizes: np.ndarray, batch: int, epoch: int) -> None:
    chosen = np.arange(len(sizes))[::2]
    found = batches(chosen, sizes, batch, 0, 0, epoch)
    assert sorted(np.concatenate(found)) == list(chosen)
    assert sorted((len(group) for group in found), reverse=True)[:-1] == [batch] * (len(found) - 1)


def test_the_order_is_a_function_of_seed_phase_and_epoch() -> None:
    sizes = np.random.default_rng(1).integers(50, 400, 500).astype(np.int32)
    chosen = np.arange(500)

    def drawn(*numbers: int) -> list[list[int]]:
        return [group.tolist() for group in batches(chosen, sizes, 32, *numbers)]

    assert drawn(0, 0, 0) == drawn(0, 0, 0)
    assert len({str(drawn(*numbers)) for numbers in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]}) == 4
    first, second = drawn(0, 0, 0), drawn(0, 0, 1)
    assert not {tuple(sorted(group)) for group in first} & {tuple(sorted(group)) for group in second}


def test_batches_hold_like_lengths_in_no_order() -> None:
    sizes = np.random.default_rng(1).integers(50, 400, 2000).astype(np.int32)
    found = batches(np.arange(2000), sizes, 32, 0, 0, 0)
    at_random = [np.arange(2000)[start : start + 32] for start in range(0, 2000, 32)]
    real = int(sizes.sum())
    assert padded(found, sizes) / real < 1.15 < 1.6 < padded(at_random, sizes) / real
    longest = [int(sizes[group].max()) for group in found]
    assert longest != sorted(longest)


@given(SIZES, st.integers(1, 2000))
def test_pieces_keep_the_order_and_the_budget(sizes: np.ndarray, tokens: int) -> None:
    ordered = by_length(np.arange(len(sizes)), sizes)
    found = list(micro_batches(ordered, sizes, tokens))
    assert np.concatenate(found).tolist() == ordered.tolist()
    assert all(len(piece) == 1 or len(piece) * sizes[piece].max() <= tokens for piece in found)


@pytest.mark.parametrize(("tokens", "pieces"), [(1, [[0], [1], [2]]), (20, [[0, 1], [2]]), (30, [[0, 1, 2]])])
def test_a_piece_takes_as_many_as_fit(tokens: int, pieces: list[list[int]]) -> None:
    sizes = np.array([10, 10, 9], np.int32)
    assert [piece.tolist() for piece in micro_batches([0, 1, 2], sizes, tokens)] == pieces


def test_the_longest_come_first_and_equals_in_their_order() -> None:
    assert by_length(np.array([0, 1, 2, 3]), np.array([5, 9, 5, 7], np.int32)).tolist() == [1, 3, 0, 2]


def made(count: int) -> Iterator[Example]:
    for number in range(count):
        yield Example(f"{number}:0", number % 7 + 1, number % 3 - 1, [[number] * (number % 5), [1]])


def test_what_went_in_comes_out_in_any_order(tmp_path: Path) -> None:
    with Examples(encoded(tmp_path, "train", "ab" * 32, 100, made(100)), Example) as found:
        examples = list(made(100))
        assert len(found) == 100
        assert found.take([99, 0, 7, 7]) == [examples[99], examples[0], examples[7], examples[7]]
        assert found.sizes.tolist() == [example.size for example in examples]
        assert found.targets.tolist() == [example.target for example in examples]
        assert found.answered.tolist() == [n for n, example in enumerate(examples) if example.target >= 0]


def test_a_store_that_is_there_is_not_made_again(tmp_path: Path) -> None:
    first = encoded(tmp_path, "train", "ab" * 32, 10, made(10))
    assert encoded(tmp_path, "train", "ab" * 32, 10, iter(())) == first
    assert encoded(tmp_path, "train", "cd" * 32, 10, made(10)) != first


def test_an_encoding_that_breaks_off_leaves_no_store(tmp_path: Path) -> None:
    def broken() -> Iterator[Example]:
        yield from made(5)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encoded(tmp_path, "train", "ab" * 32, 10, broken())
    assert len(Examples(encoded(tmp_path, "train", "ab" * 32, 10, made(10)), Example)) == 10


@pytest.mark.parametrize("count", [9, 11])
def test_a_reader_that_encodes_more_or_fewer_is_a_bug(count: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="argument 2 is"):
        encoded(tmp_path, "train", "ab" * 32, 10, made(count))


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    with full_after(1000), pytest.raises(InputError, match="writing the encoded examples failed"):
        encoded(tmp_path, "train", "ab" * 32, 1000, made(1000))
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_store_is_one_line(tmp_path: Path) -> None:
    store = encoded(tmp_path, "train", "ab" * 32, 10, made(10))
    records = store / "records.msgpack"
    records.write_bytes(records.read_bytes()[:-1])
    with pytest.raises(InputError, match="end too early"):
        Examples(store, Example).take([9])


PEAK = """
import resource, sys
from pathlib import Path
import numpy as np
from anagnosis.training.loop.examples import Examples, batches, by_length, encoded, micro_batches
from tests.training.bags import Example
count = int(sys.argv[1])
row = [list(range(2000))]
store = encoded(Path(sys.argv[2]), "train", "ab" * 32, count, (Example(str(n), 1, 0, row) for n in range(count)))
found = Examples(store, Example)
for start in range(0, count, 100):
    found.take(range(start, start + 100))
print(sum(f.stat().st_size for f in store.iterdir()) >> 20, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
"""


def test_memory_does_not_grow_with_the_dataset(tmp_path: Path) -> None:
    def peak(count: int) -> tuple[int, int]:
        command = [sys.executable, "-c", PEAK, str(count), str(tmp_path / str(count))]
        out = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        size, memory = map(int, out.stdout.split())
        return size, memory

    (small, before), (large, after) = peak(100), peak(8_000)
    assert large - small > 40, "MiB on disk"
    assert after - before < 15, "MiB in memory"
