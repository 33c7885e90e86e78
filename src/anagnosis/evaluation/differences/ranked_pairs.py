"""Which pairs of a ranking are shown, and p-values corrected for all pairs that it could have shown.

A table of k ranked systems shows 2k − 3 pairs: each system beside the one ranked below it, as BIOMRC's Table 3 does,
and the first beside each other. The ranking chooses them after a look at the scores, and it puts lucky systems first.
So Holm's correction (1979) covers all k(k − 1)/2 pairs: then the chance that any pair of equal systems is called
different is at most alpha, whichever pairs are shown (simulated in docs/evaluation.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, Generic, TypeVar

Places = tuple[int, int]
Result = TypeVar("Result")


def every_pair(systems: int) -> list[Places]:
    """All k(k − 1)/2 pairs of places in a ranking, from 0, the better-ranked system first."""
    return list(combinations(range(systems), 2))


def shown(systems: int) -> list[Places]:
    """The first system beside each other, then each beside the one ranked below it; every pair once."""
    beside_first = [(0, place) for place in range(1, systems)]
    return list(dict.fromkeys([*beside_first, *pairwise(range(systems))]))


class RankedPairs(Generic[Result]):
    """Base of a comparison: its ranking, and its differences in the order of `shown`."""

    __slots__ = ()

    ranking: tuple[Any, ...]
    differences: tuple[Result, ...]

    @property
    def against_next(self) -> tuple[Result, ...]:
        """Each system beside the one ranked below it."""
        by_places = dict(zip(shown(len(self.ranking)), self.differences, strict=True))
        return tuple(by_places[places] for places in pairwise(range(len(self.ranking))))

    @property
    def against_first(self) -> tuple[Result, ...]:
        """The first system beside each other one."""
        return self.differences[: len(self.ranking) - 1]


def corrected(p_values: Mapping[Places, float]) -> dict[Places, float]:
    """Holm's correction over all tests of a family, by their pairs."""
    return dict(zip(p_values, holm([*p_values.values()]), strict=True))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's (1979) step-down correction: the i-th smallest of m times m − i + 1, never falling, at most 1."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted
