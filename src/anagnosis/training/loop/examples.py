"""Encoded examples, packed in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import numpy as np

from anagnosis.array_types import Ints, Longs
from anagnosis.progress import Progress
from anagnosis.readers.learning import Learner


class Examples:
    """The examples of a part, as msgpack.

    sizes: int32 [n], tokens of each. targets: int64 [n], -1 where there is none.
    """

    def __init__(self, name: str, rows: int, examples: Iterator[Any], example: type[msgspec.Struct]) -> None:
        self._packed: list[bytes] = []
        self._decode = msgspec.msgpack.Decoder(example).decode
        self.sizes: Ints = np.zeros(rows, np.int32)
        self.targets: Longs = np.zeros(rows, np.int64)
        encode = msgspec.msgpack.Encoder().encode
        with Progress(f"encode {name}", rows, "instances") as bar:
            # A reader that gives an example too few or too many would be trained on wrong answers.
            for row, each in zip(range(rows), examples, strict=True):
                self._packed.append(encode(each))
                self.sizes[row], self.targets[row] = each.size, each.target
                bar.advance()

    def __len__(self) -> int:
        return len(self._packed)

    @property
    def answered(self) -> Longs:
        """The instances that have an answer."""
        return np.flatnonzero(self.targets >= 0)

    @property
    def unanswered(self) -> int:
        return len(self) - len(self.answered)

    def take(self, indices: Iterable[int]) -> list[Any]:
        """The examples of these instances."""
        return [self._decode(self._packed[int(index)]) for index in indices]


class DrawnExamples:
    """Examples of which each epoch draws parts anew, such as a relevant document beside a random other one.

    The draws of an epoch, n from all examples with an answer. sizes: int32 [n], tokens of each at most. A draw depends
    on seed, phase, epoch and its place alone, so batches and a kill change nothing.
    """

    def __init__(self, examples: Examples, learner: Learner) -> None:
        self._examples, self._learner = examples, learner
        self._numbers: tuple[int, ...] = ()
        each = [(int(at), learner.draws(*examples.take([at]))) for at in examples.answered]
        self._of = [(at, number) for at, sizes in each for number in range(len(sizes))]
        self.sizes: Ints = np.array([size for _, sizes in each for size in sizes], np.int32)
        self.answered: Longs = np.arange(len(self._of))

    def begin(self, *numbers: int) -> None:
        """Draw anew. numbers: seed, phase, epoch."""
        self._numbers = numbers

    def take(self, indices: Iterable[int]) -> list[Any]:
        """The draws at these places, examples themselves."""
        drawn: list[Any] = []
        for index in map(int, indices):
            at, number = self._of[index]
            (example,) = self._examples.take([at])
            drawn.append(self._learner.drawn(example, number, np.random.default_rng((*self._numbers, index))))
        return drawn
