"""Cohen's kappa (1960) of two annotators, and its mean over the pairs of several, with intervals.

    kappa = (observed - expected) / (1 - expected)

expected is the agreement of two annotators who draw labels at random from their own frequencies. "Could not answer"
can be treated in three ways:

- *own label*: it is one more label, on which two can agree;
- *left out*: only the instances that both answered count;
- *wrong*: it agrees with nothing, not even with itself.

The analytic interval is kappa ± z times the large-sample error of Fleiss, Cohen and Everitt (1969), written as the
influence of each instance, which for a mean over pairs is the mean of theirs. The bootstrap draws instances anew,
the same for all pairs; its ends are percentiles. Where both annotators give a single label, the same, kappa is 0/0:
it is set to 1 and counted as degenerate. Of full agreement both intervals are a point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.evaluation.intervals import LEVEL, Interval, percentiles

NO_ANSWER = -1
DRAWS = 10_000
_CELLS = 1 << 21
_CACHED = 512  # draws whose tables stay in a processor's cache

Treatment = Literal["own label", "left out", "wrong"]
TREATMENTS: tuple[Treatment, ...] = ("own label", "left out", "wrong")

Labels = Longs


@dataclass(frozen=True, slots=True)
class Kappa:
    """A kappa, or its mean over pairs of annotators.

    value, observed, expected: means over the pairs that have an instance that counts; pairs: how many those are.
    instances: that count, a mean over pairs. degenerate: pairs whose kappa was set to 1.
    """

    value: float
    observed: float
    expected: float
    pairs: int
    instances: float
    degenerate: int
    analytic: Interval
    bootstrap: Interval


@dataclass(frozen=True, slots=True, eq=False)
class PairKappas:
    """each: the kappa of each pair, None where no instance counts for it. mean: over the pairs that have one."""

    each: tuple[Kappa | None, ...]
    mean: Kappa | None


def mean_kappa(
    annotators: Sequence[Labels],
    treatment: Treatment,
    *,
    seed: int,
    draws: int = DRAWS,
) -> Kappa | None:
    """annotators: two or more, int64 [n] each, labels >= 0 or NO_ANSWER. None if no instance counts for any pair."""
    return pair_kappas(annotators, treatment, seed=seed, draws=draws).mean


def pair_kappas(
    annotators: Sequence[Labels], treatment: Treatment, *, seed: int, draws: int = DRAWS
) -> PairKappas:
    """Of all pairs of two or more annotators, in the order of `combinations`."""
    n = len(annotators[0])
    pairs = [_pair(first, second, treatment) for first, second in combinations(annotators, 2)]
    counting = [number for number, pair in enumerate(pairs) if pair.counts.any()]
    if not counting:
        return PairKappas((None,) * len(pairs), None)
    some = [pairs[number] for number in counting]
    once = np.array(_Pairs.of(some).kappas(np.ones((n, 1))))[:, :, 0].T
    influences = [_influence(pair) for pair in some]
    drawn = _drawn(some, draws, seed)
    alone = {
        number: _kappa([pairs[number]], once[[place]], influences[place], drawn[place])
        for place, number in enumerate(counting)
    }
    mean = _kappa(some, once, np.mean(influences, axis=0), _mean_of_defined(drawn))
    return PairKappas(tuple(alone.get(number) for number in range(len(pairs))), mean)


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Labels from 0, -1 where they can agree with nothing; counts: which instances count.

    tables: of both, sparse [labels, n], which instances that count have a label that both gave somewhere.
    """

    first: Labels
    second: Labels
    counts: Bools
    labels: int
    tables: tuple[Any, Any]


def _pair(first: Labels, second: Labels, treatment: Treatment) -> _Pair:
    present, codes = np.unique(np.stack([first, second]), return_inverse=True)
    silent = np.stack([first, second]) == NO_ANSWER
    if treatment == "own label":
        silent[:] = False
    counts = ~silent.any(axis=0) if treatment == "left out" else np.ones(len(first), np.bool_)
    ours, theirs = np.where(silent, -1, codes.reshape(2, -1))
    return _Pair(ours, theirs, counts, len(present), _tables(ours, theirs, counts))


def _tables(ours: Labels, theirs: Labels, counts: Bools) -> tuple[Any, Any]:
    from scipy.sparse import csr_matrix

    shared = np.intersect1d(ours[counts & (ours >= 0)], theirs[counts & (theirs >= 0)])
    found: list[Any] = []
    for labels in (ours, theirs):
        columns = np.flatnonzero(counts & np.isin(labels, shared))
        rows = np.searchsorted(shared, labels[columns])
        ones = np.ones(len(columns))
        found.append(csr_matrix((ones, (rows, columns)), shape=(len(shared), len(labels))))
    return found[0], found[1]


def _kappa(pairs: Sequence[_Pair], once: Floats, influence: Floats, drawn: Floats) -> Kappa:
    """once: kappa, observed and expected of each pair. drawn: the mean in each draw of instances."""
    value, observed, expected = once.mean(axis=0).tolist()
    error = float(np.sqrt(np.sum(influence**2))) / len(influence)
    half = NormalDist().inv_cdf((1 + LEVEL) / 2) * error
    return Kappa(
        value=value,
        observed=observed,
        expected=expected,
        pairs=len(pairs),
        instances=float(np.mean([pair.counts.sum() for pair in pairs])),
        degenerate=int((once[:, 2] == 1).sum()),
        analytic=Interval(
            max(value - half, -1.0), min(value + half, 1.0), LEVEL, "Fleiss, Cohen and Everitt"
        ),
        bootstrap=percentiles(drawn[np.isfinite(drawn)], len(influence), "bootstrap by instance"),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Several pairs: which instances count for each, and on which each agrees, sparse [pairs, n].

    Sparse, since the threads of small dense products cost more than they save where the processors are busy.
    """

    pairs: Sequence[_Pair]
    counts: Any
    agree: Any

    @classmethod
    def of(cls, pairs: Sequence[_Pair]) -> _Pairs:
        from scipy.sparse import csr_matrix

        counts = np.array([pair.counts for pair in pairs], np.float64)
        return cls(pairs, csr_matrix(counts), csr_matrix(np.array([_agree(pair) for pair in pairs])))

    def kappas(self, weights: Floats) -> tuple[Floats, Floats, Floats]:
        """(kappa, observed, expected) [pairs, draws] for weights [n, draws] of the instances; NaN where none counts."""
        totals = self.counts @ weights
        both = np.array([_both(pair, weights) for pair in self.pairs])
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = self.agree @ weights / totals
            expected = both / totals**2
            kappa = np.where(expected == 1, 1.0, (observed - expected) / (1 - expected))
        return kappa, observed, expected


def _drawn(pairs: Sequence[_Pair], draws: int, seed: int) -> Floats:
    """float64 [pairs, draws]: kappa in each draw of instances; NaN where none counts for the pair."""
    together = _Pairs.of(pairs)
    blocks = _resamples(len(pairs[0].first), draws, np.random.default_rng(seed))
    parts = (
        block[:, start : start + _CACHED] for block in blocks for start in range(0, block.shape[1], _CACHED)
    )
    return np.concatenate([together.kappas(np.ascontiguousarray(part))[0] for part in parts], axis=1)


def _both(pair: _Pair, weights: Floats) -> Floats:
    """float64 [draws]: the sum over labels of the weight of the instances to which either gave it, multiplied."""
    ours, theirs = pair.tables
    return np.einsum("ld,ld->d", ours @ weights, theirs @ weights)


def _influence(pair: _Pair) -> Floats:
    """float64 [n]: how far each instance pulls kappa from its value; the variance is their squares' sum over n²."""
    n = len(pair.first)
    kappa, observed, expected = (float(each[0, 0]) for each in _Pairs.of([pair]).kappas(np.ones((n, 1))))
    if expected == 1:
        return np.zeros(n)
    total = pair.counts.sum()
    # a label that agrees with nothing is at place -1: nobody has it
    ours, theirs = (
        np.append(np.bincount(labels[pair.counts & (labels >= 0)], minlength=pair.labels) / total, 0.0)
        for labels in (pair.first, pair.second)
    )
    chance = theirs[pair.first] + ours[pair.second]
    pull = _agree(pair) - observed - (1 - kappa) * (chance - 2 * expected)
    return pull / (1 - expected) * pair.counts * n / total


def _agree(pair: _Pair) -> Floats:
    return ((pair.first == pair.second) & (pair.first >= 0) & pair.counts).astype(np.float64)


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
    number = defined.sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.where(defined, kappas, 0).sum(axis=0) / number
