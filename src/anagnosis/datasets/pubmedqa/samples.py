"""A few instances of each subset, drawn by a seed, to be looked at (PubMedQA, Table 2)."""

from __future__ import annotations

import heapq

from anagnosis.datasets.kinds.decision import SUBSETS, DecisionInstance, Subset
from anagnosis.datasets.sampling import rank


class Samples:
    """Watches instances go by and keeps `number` of each subset: those that a hash of seed and id puts first."""

    def __init__(self, number: int, seed: int) -> None:
        self._number = number
        self._seed = seed
        self._kept: dict[Subset, list[tuple[int, str, DecisionInstance]]] = {}

    def add(self, instance: DecisionInstance) -> None:
        """One more."""
        if not self._number:
            return
        kept = self._kept.setdefault(instance.subset, [])
        # heapq gives the smallest first, and the largest is the one to be pushed out.
        place = -int.from_bytes(rank(self._seed, instance.id)), instance.id, instance
        if len(kept) < self._number:
            heapq.heappush(kept, place)
        elif place[:2] > kept[0][:2]:
            heapq.heapreplace(kept, place)

    def drawn(self) -> dict[Subset, list[DecisionInstance]]:
        """Of each subset that there is, in the order of the draw."""
        return {
            subset: [instance for _, _, instance in sorted(self._kept[subset], key=lambda kept: -kept[0])]
            for subset in SUBSETS
            if subset in self._kept
        }
