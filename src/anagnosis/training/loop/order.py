"""Batches of instances: of similar length, to pad little, and drawn anew each epoch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from anagnosis.array_types import Ints, Longs

Indices = Longs

JITTER = 0.05  # largest random change of an instance's size before sorting, as a share of the size


def batches(chosen: Indices, sizes: Ints, batch: int, *numbers: int) -> list[Indices]:
    """The batches of an epoch. They depend on the arguments alone, and each of `chosen` is in exactly one.

    chosen: the instances to train on. sizes: of all instances. numbers: seed, phase, epoch. Instances are sorted by
    size, which jitter changes by up to a twentieth, and cut into batches (the last one may be smaller), which are
    shuffled.
    """
    draw = np.random.default_rng(numbers)
    off = draw.uniform(1 - JITTER, 1 + JITTER, len(chosen))
    # Equal sizes are shuffled by the draw that breaks their tie.
    ordered = chosen[np.lexsort((draw.random(len(chosen)), sizes[chosen] * off))]
    cut = [ordered[start : start + batch] for start in range(0, len(ordered), batch)]
    return [cut[place] for place in draw.permutation(len(cut))]


def by_length(chosen: Indices, sizes: Ints) -> Indices:
    """The instances by length, the longest first, so that too little memory shows at once."""
    return chosen[np.argsort(-sizes[chosen].astype(np.int64), kind="stable")]


def micro_batches(ordered: Sequence[int] | Indices, sizes: Ints, tokens: int) -> Iterator[Indices]:
    """Cut `ordered` into micro-batches of neighbours: number of instances times longest size is at most `tokens`.

    An instance longer than `tokens` is a micro-batch of its own.
    """
    micro_batch: list[int] = []
    longest = 0
    for index in ordered:
        longest = max(longest, int(sizes[index]))
        if micro_batch and longest * (len(micro_batch) + 1) > tokens:
            yield np.array(micro_batch, np.int64)
            micro_batch, longest = [], int(sizes[index])
        micro_batch.append(int(index))
    if micro_batch:
        yield np.array(micro_batch, np.int64)
