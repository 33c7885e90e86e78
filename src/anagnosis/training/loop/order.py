"""Which instances make a batch: of like length, so that little is padded, and drawn anew each epoch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]

JITTER = 0.05  # by how much of its size an instance may change its place among the others


def batches(chosen: Indices, sizes: NDArray[np.int32], batch: int, *numbers: int) -> list[Indices]:
    """The epoch's batches, a function of the arguments alone; each of `chosen` is in exactly one.

    chosen: the instances to train on. sizes: of all instances. numbers: seed, phase, epoch. Sorted by a size that is
    off by up to a twentieth, cut into batches (the last one may be smaller), the batches shuffled.
    """
    draw = np.random.default_rng(numbers)
    off = draw.uniform(1 - JITTER, 1 + JITTER, len(chosen))
    # Equal sizes are shuffled by the draw that breaks their tie.
    ordered = chosen[np.lexsort((draw.random(len(chosen)), sizes[chosen] * off))]
    cut = [ordered[start : start + batch] for start in range(0, len(ordered), batch)]
    return [cut[place] for place in draw.permutation(len(cut))]


def by_length(chosen: Indices, sizes: NDArray[np.int32]) -> Indices:
    """The same instances, the longest first: what does not fit into memory is told at once."""
    return chosen[np.argsort(-sizes[chosen].astype(np.int64), kind="stable")]


def pieces(ordered: Sequence[int] | Indices, sizes: NDArray[np.int32], tokens: int) -> Iterator[Indices]:
    """Neighbours of `ordered` together as long as their number times the longest is at most `tokens`.

    An instance that is longer than that alone is a piece of its own.
    """
    piece: list[int] = []
    longest = 0
    for index in ordered:
        longest = max(longest, int(sizes[index]))
        if piece and longest * (len(piece) + 1) > tokens:
            yield np.array(piece, np.int64)
            piece, longest = [], int(sizes[index])
        piece.append(int(index))
    if piece:
        yield np.array(piece, np.int64)
