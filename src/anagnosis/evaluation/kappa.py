"""Cohen's kappa (1960) of two annotators, and its mean over the pairs of several, with intervals.

    kappa = (observed - expected) / (1 - expected)

expected is the agreement of two annotators who draw labels at random from their own frequencies. "Could not answer"
can be treated in three ways:

- *own label*: it is one more label, on which two can agree;
- *left out*: only the instances that both answered count;
- *wrong*: it agrees with nothing, not even with itself.

The interval draws instances anew, the same for all pairs; its ends are percentiles. Where both annotators give a single
label, the same, kappa is 0/0: it is set to 1. Of full agreement the interval is a point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.evaluation.intervals import Interval, percentiles

NO_ANSWER = -1
DRAWS = 10_000
_CELLS = 1 << 15  # of a block of draws, which stays in a processor's cache

Treatment = Literal["own label", "left out", "wrong"]
TREATMENTS: tuple[Treatment, ...] = ("own label", "left out", "wrong")

Labels = Longs


@dataclass(frozen=True, slots=True)
class Kappa:
    """A kappa, or its mean over the pairs of annotators that have an instance that counts.

    instances: that count, a mean over pairs.
    """

    value: float
    instances: float
    bootstrap: Interval


@dataclass(frozen=True, slots=True, eq=False)
class PairKappas:
    """each: the kappa of each pair, None where no instance counts for it. mean: over the pairs that have one."""

    each: tuple[Kappa | None, ...]
    mean: Kappa | None


def mean_kappa(
    annotators: Sequence[Labels], treatment: Treatment, *, seed: int, draws: int = DRAWS
) -> Kappa | None:
    """annotators: two or more, int64 [n] each, labels >= 0 or NO_ANSWER. None if no instance counts for any pair."""
    return pair_kappas(annotators, treatment, seed=seed, draws=draws).mean


def pair_kappas(
    annotators: Sequence[Labels], treatment: Treatment, *, seed: int, draws: int = DRAWS
) -> PairKappas:
    """Of all pairs of two or more annotators, in the order of `combinations`."""
    n = len(annotators[0])
    pairs = [_pair(first, second, treatment) for first, second in combinations(annotators, 2)]
    places = [place for place, pair in enumerate(pairs) if pair.counts.nnz]
    if not places:
        return PairKappas((None,) * len(pairs), None)
    some = [pairs[place] for place in places]
    once = np.array([pair.kappa(np.ones((n, 1)))[0] for pair in some])
    blocks = _resamples(n, draws, np.random.default_rng(seed))
    drawn = np.concatenate([[pair.kappa(block) for pair in some] for block in blocks], axis=1)
    each = {place: _kappa([pairs[place]], once[[row]], drawn[row], n) for row, place in enumerate(places)}
    mean = _kappa(some, once, _mean_of_defined(drawn), n)
    return PairKappas(tuple(each.get(place) for place in range(len(pairs))), mean)


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """counts, agree: sparse [1, n], which instances count, and those of one label.

    tables: of both, sparse [labels, n], which instances that count have a label that both gave somewhere.
    """

    counts: Any
    agree: Any
    tables: tuple[Any, Any]

    def kappa(self, weights: Floats) -> Floats:
        """[draws] for weights [n, draws] of the instances; NaN where none counts."""
        total = (self.counts @ weights)[0]
        ours, theirs = (table @ weights for table in self.tables)
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = (self.agree @ weights)[0] / total
            expected = np.einsum("ld,ld->d", ours, theirs) / total**2
            return np.where(expected == 1, 1.0, (observed - expected) / (1 - expected))


def _pair(first: Labels, second: Labels, treatment: Treatment) -> _Pair:
    silent = (first == NO_ANSWER, second == NO_ANSWER)
    either = silent[0] | silent[1]
    counts = ~either if treatment == "left out" else np.ones(len(first), np.bool_)
    if treatment == "own label":
        silent = (np.zeros_like(either), np.zeros_like(either))
    able = [counts & ~own for own in silent]
    agree = np.flatnonzero((first == second) & able[0] & able[1])
    shared = np.intersect1d(first[able[0]], second[able[1]])
    tables = (_table(own, shared, can) for own, can in zip((first, second), able, strict=True))
    return _Pair(
        _row(np.flatnonzero(counts), len(first)), _row(agree, len(first)), (next(tables), next(tables))
    )


def _row(places: Longs, n: int) -> Any:
    return _sparse(np.zeros_like(places), places, (1, n))


def _table(labels: Labels, shared: Labels, able: Bools) -> Any:
    columns = np.flatnonzero(able & np.isin(labels, shared))
    return _sparse(np.searchsorted(shared, labels[columns]), columns, (len(shared), len(labels)))


def _sparse(rows: Longs, columns: Longs, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_matrix

    return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)


def _kappa(pairs: Sequence[_Pair], once: Floats, drawn: Floats, n: int) -> Kappa:
    """once: of each pair. drawn: the mean in each draw of instances."""
    return Kappa(
        value=float(once.mean()),
        instances=float(np.mean([pair.counts.nnz for pair in pairs])),
        bootstrap=percentiles(drawn[np.isfinite(drawn)], n, "bootstrap by instance"),
    )


def _resamples(n: int, draws: int, random: np.random.Generator) -> Iterator[Floats]:
    """Blocks of float64 [n, some draws]: how often each instance is drawn when n are drawn with replacement."""
    rows = max(1, _CELLS // n)
    for start in range(0, draws, rows):
        block = min(rows, draws - start)
        places = random.integers(0, n, (block, n)) + n * np.arange(block)[:, None]
        drawn = np.bincount(places.ravel(), minlength=block * n).reshape(block, n)
        yield np.ascontiguousarray(drawn.T, np.float64)


def _mean_of_defined(kappas: Floats) -> Floats:
    """The mean over pairs of each draw, without those for which no instance was drawn; NaN where that is all."""
    defined = np.isfinite(kappas)
    with np.errstate(invalid="ignore"):
        return np.where(defined, kappas, 0).sum(axis=0) / defined.sum(axis=0)
