"""Examples of which each epoch draws parts anew, such as a relevant document beside a random other one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from anagnosis.array_types import Ints, Longs
from anagnosis.readers.learning import DrawingLearner
from anagnosis.training.loop.examples import Examples


class DrawnExamples:
    """The draws of an epoch, n from all examples with an answer. sizes: int32 [n], tokens of each at most.

    A draw depends on seed, phase, epoch and its place alone, so batches, processes and a kill change nothing.
    """

    def __init__(self, examples: Examples, learner: DrawingLearner) -> None:
        self._examples, self._learner = examples, learner
        self._numbers: tuple[int, ...] = ()
        each = [(int(at), learner.draws(*examples.take([at]))) for at in examples.answered]
        self._of = [(at, number) for at, sizes in each for number in range(len(sizes))]
        self.sizes: Ints = np.array([size for _, sizes in each for size in sizes], np.int32)

    @property
    def answered(self) -> Longs:
        """All draws."""
        return np.arange(len(self._of))

    def begin(self, *numbers: int) -> None:
        """Draw anew. numbers: seed, phase, epoch."""
        self._numbers = numbers

    def take(self, indices: Iterable[int]) -> list[Any]:
        """The draws at these places, examples themselves."""
        found: list[Any] = []
        for index in indices:
            at, number = self._of[int(index)]
            (example,) = self._examples.take([at])
            found.append(
                self._learner.drawn(example, number, np.random.default_rng((*self._numbers, int(index))))
            )
        return found
