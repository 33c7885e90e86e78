"""Approximate randomisation (paired.py) for measures that are no means: instances swap their statistics.

Each draw swaps the statistics of every instance, or whole document, between the two systems with probability 1/2, sums
them, and takes the value of both sums. A difference that misses the observed one by less than rounding counts as equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.evaluation.differences.paired import DRAWS, Randomisation

_LUMPS = 64
_CELLS = 1 << 22
_ROUNDED = 1e-12

Values = Callable[[Floats], Floats]  # sums [draws, k] → values [draws]


def swapped(
    first: Floats,
    second: Floats,
    values: tuple[Values, Values],
    *,
    unit: str,
    draws: int = DRAWS,
    seed: int,
) -> Randomisation:
    """first, second: the statistics of the units, float64 [units, k], whose columns mean the same.

    values: of the sums of each system. unit: what the rows are, "instance" or "document".
    """
    apart = second - first
    apart = apart[(apart != 0).any(axis=1)]
    ours, theirs = first.sum(axis=0), second.sum(axis=0)

    def difference(moved: Floats) -> Floats:
        return values[0](ours + moved) - values[1](theirs - moved)

    observed = float(difference(np.zeros((1, first.shape[1])))[0])
    larger = extreme = 0
    for moved in _moved(apart, draws, np.random.default_rng(seed)):
        drawn = difference(moved)
        larger += int((drawn >= observed - _ROUNDED).sum())
        extreme += int((np.abs(drawn) >= abs(observed) - _ROUNDED).sum())
    return Randomisation(
        unit=unit,
        units=len(first),
        differing=len(apart),
        one_tailed=(1 + larger) / (1 + draws),
        two_tailed=(1 + extreme) / (1 + draws),
        exact_one_tailed=None if len(apart) else 1.0,
        exact_two_tailed=None if len(apart) else 1.0,
        draws=draws,
        seed=seed,
    )


def _moved(apart: Floats, draws: int, random: np.random.Generator) -> Iterator[Floats]:
    """Blocks of float64 [some draws, k]: what the swaps move from the second system to the first.

    Of c units with the same difference a binomial number is swapped.
    """
    patterns, counts = np.unique(apart, axis=0, return_counts=True)
    few = len(patterns) <= max(_LUMPS, len(apart) // 16)
    size = max(1, _CELLS // max(len(patterns if few else apart), 1))
    for start in range(0, draws, size):
        block = min(size, draws - start)
        if few:
            yield random.binomial(counts, 0.5, (block, len(counts))) @ patterns
        else:
            yield random.integers(0, 2, (block, len(apart)), np.int8) @ apart
