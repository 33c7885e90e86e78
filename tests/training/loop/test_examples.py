"""The store of encoded examples: what went in comes out, and memory does not grow with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import ROOT
from tests.disk import full_after
from tests.training.bags import Example

from anagnosis.errors import InputError
from anagnosis.training.loop.examples import Examples, encoded


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
from anagnosis.training.loop.examples import Examples, encoded
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
