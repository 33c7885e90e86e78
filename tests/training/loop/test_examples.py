"""Encoded examples: what went in comes out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.training.bags import Example

from anagnosis.training.loop.examples import Examples


def made(count: int) -> Iterator[Example]:
    for number in range(count):
        yield Example(f"{number}:0", number % 7 + 1, number % 3 - 1, [[number] * (number % 5), [1]])


def test_what_went_in_comes_out_in_any_order() -> None:
    found, examples = Examples("train", 100, made(100), Example), list(made(100))
    assert len(found) == 100
    assert found.take([99, 0, 7, 7]) == [examples[99], examples[0], examples[7], examples[7]]
    assert found.sizes.tolist() == [example.size for example in examples]
    assert found.targets.tolist() == [example.target for example in examples]
    assert found.answered.tolist() == [n for n, example in enumerate(examples) if example.target >= 0]


@pytest.mark.parametrize("count", [9, 11])
def test_a_reader_that_encodes_more_or_fewer_is_a_bug(count: int) -> None:
    with pytest.raises(ValueError, match="argument 2 is"):
        Examples("train", 10, made(count), Example)
