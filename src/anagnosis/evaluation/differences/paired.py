"""Is one system better than another on the same instances? Paired tests on credits and on statistics.

*Approximate randomisation* (Noreen 1989; Dror et al. 2018; BIOMRC, Table 3): if the two systems were equally good,
the credits of an instance could as well be swapped. Each draw swaps every instance's with probability 1/2, and

    p = (1 + number of draws with a difference of at least the observed one) / (1 + number of draws)

One-tailed asks whether the first is better, two-tailed whether they differ; choosing the first after a look at the
scores calls for the two-tailed one. By document, all instances of a document are swapped together, since they
share a passage. Sums are whole numbers (`intervals.py`), also of credits that are averages over a system's runs, so
"at least" means that.

Two systems that differ nowhere get p = 1 in every test.

*Measures that are no means* (`swapped`): instances swap their statistics. Each draw swaps the statistics of every
instance, or whole document, between the two systems with probability 1/2, sums them, and takes the value of both sums.
A difference that misses the observed one by less than rounding counts as equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from anagnosis.array_types import Codes, Floats, Longs
from anagnosis.evaluation.intervals import Interval, percentiles, whole_numbers

Verdict = Literal["better", "tied", "identical"]

ALPHA = 0.05
DRAWS = 10_000
_LUMPS = 64
_CELLS = 1 << 22
ROUNDED = 1e-12

Values = Callable[[Floats], Floats]  # sums [draws, k] → values [draws]


@dataclass(frozen=True, slots=True)
class Randomisation:
    """one_tailed: p for "the first is better", two_tailed: for "they differ"."""

    one_tailed: float
    two_tailed: float


def randomisation(
    first: Floats, second: Floats, documents: Codes | None = None, *, draws: int = DRAWS, seed: int
) -> Randomisation:
    """Test credits of n instances each, float64 [n]. documents: int [n], swapped as one where they are equal."""
    (ours, theirs), _ = whole_numbers(first, second)
    differences = _by_unit(ours - theirs, documents)
    observed = int(differences.sum())
    sizes = np.abs(differences[differences != 0])
    drawn = _swapped(sizes, draws, np.random.default_rng(seed))
    return Randomisation(
        one_tailed=(1 + int((drawn >= observed).sum())) / (1 + draws),
        two_tailed=(1 + int((np.abs(drawn) >= abs(observed)).sum())) / (1 + draws),
    )


def verdict_of(p: float, *, differ: bool) -> Verdict:
    """differ: whether any instance or query does, which those of a document that cancel out do, too."""
    if not differ:
        return "identical"
    return "better" if p <= ALPHA else "tied"


def bootstrap(
    first: Floats,
    second: Floats,
    documents: Codes | None = None,
    *,
    draws: int = DRAWS,
    seed: int,
) -> Interval:
    """The percentile interval of mean(first) - mean(second), drawing instances or whole documents anew."""
    (ours, theirs), scale = whole_numbers(first, second)
    differences = _by_unit(ours - theirs, documents)
    instances = _by_unit(np.ones(len(ours), np.int64), documents)
    sums, sizes = _resampled(differences, instances, draws, np.random.default_rng(seed))
    unit = "instance" if documents is None else "document"
    return percentiles(sums / sizes / scale, len(differences), f"paired bootstrap by {unit}")


def _by_unit(values: Longs, documents: Codes | None) -> Longs:
    """The sum of each document's values, exact below 2**53; the values themselves without documents."""
    if documents is None:
        return values
    places = np.unique(documents, return_inverse=True)[1]
    return np.rint(np.bincount(places, values)).astype(np.int64)


def _swapped(sizes: Longs, draws: int, random: np.random.Generator) -> Longs:
    """int64 [draws]: the sum of the sizes, each with a random sign.

    The signs of c equal sizes add up to twice a binomial number minus c, so that equal sizes need one number a
    draw. Many different sizes get a sign each, in blocks.
    """
    values, counts = np.unique(sizes, return_counts=True)
    total = np.zeros(draws, np.int64)
    if len(values) <= max(_LUMPS, len(sizes) // 16):
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            total += value * (2 * random.binomial(count, 0.5, draws) - count)
        return total
    rows = max(1, _CELLS // len(sizes))
    weights = sizes.astype(np.float64)
    for start in range(0, draws, rows):
        block = min(rows, draws - start)
        coins = random.integers(0, 256, (block, -(-len(sizes) // 8)), np.uint8)
        plus = np.unpackbits(coins, axis=1, count=len(sizes)) @ weights
        total[start : start + block] = 2 * np.rint(plus).astype(np.int64)
    return total - int(sizes.sum())


def _resampled(
    differences: Longs, instances: Longs, draws: int, random: np.random.Generator
) -> tuple[Longs, Longs]:
    """int64 [draws] each: summed differences and instances of as many units, drawn with replacement.

    Units with the same difference and size are drawn as one kind, by their number.
    """
    kinds, counts = np.unique(np.stack([differences, instances]), axis=1, return_counts=True)
    units = len(differences)
    sums = np.empty((2, draws), np.int64)
    many = kinds.shape[1] > max(_LUMPS, units // 16)
    rows = max(1, _CELLS // (units if many else kinds.shape[1]))
    for start in range(0, draws, rows):
        block = min(rows, draws - start)
        if many:
            places = random.integers(0, units, (block, units))
            found = np.stack([differences[places].sum(axis=1), instances[places].sum(axis=1)])
        else:
            found = kinds @ random.multinomial(units, counts / units, block).T
        sums[:, start : start + block] = found
    return sums[0], sums[1]


def swapped(
    first: Floats,
    second: Floats,
    values: tuple[Values, Values],
    *,
    draws: int = DRAWS,
    seed: int,
) -> Randomisation:
    """first, second: the statistics of the units, float64 [units, k], whose columns mean the same.

    values: of the sums of each system.
    """
    differing = second - first
    differing = differing[(differing != 0).any(axis=1)]
    ours, theirs = first.sum(axis=0), second.sum(axis=0)

    def difference(moved: Floats) -> Floats:
        return values[0](ours + moved) - values[1](theirs - moved)

    observed = float(difference(np.zeros((1, first.shape[1])))[0])
    larger = extreme = 0
    for moved in _moved(differing, draws, np.random.default_rng(seed)):
        drawn = difference(moved)
        larger += int((drawn >= observed - ROUNDED).sum())
        extreme += int((np.abs(drawn) >= abs(observed) - ROUNDED).sum())
    return Randomisation((1 + larger) / (1 + draws), (1 + extreme) / (1 + draws))


def _moved(differing: Floats, draws: int, random: np.random.Generator) -> Iterator[Floats]:
    """Blocks of float64 [some draws, k]: what the swaps move from the second system to the first.

    Of c units with the same difference a binomial number is swapped.
    """
    patterns, counts = np.unique(differing, axis=0, return_counts=True)
    few = len(patterns) <= max(_LUMPS, len(differing) // 16)
    size = max(1, _CELLS // max(len(patterns if few else differing), 1))
    for start in range(0, draws, size):
        block = min(size, draws - start)
        if few:
            yield random.binomial(counts, 0.5, (block, len(counts))) @ patterns
        else:
            yield random.integers(0, 2, (block, len(differing)), np.int8) @ differing
