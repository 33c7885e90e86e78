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
from typing import Literal

import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.evaluation.intervals import LEVEL, Interval, percentiles

NO_ANSWER = -1
DRAWS = 10_000
_CELLS = 1 << 21

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


def mean_kappa(
    annotators: Sequence[Labels],
    treatment: Treatment,
    *,
    seed: int,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Kappa | None:
    """annotators: two or more, int64 [n] each, labels >= 0 or NO_ANSWER. None if no instance counts for any pair."""
    pairs = [_pair(first, second, treatment) for first, second in combinations(annotators, 2)]
    pairs = [pair for pair in pairs if pair.counts.any()]
    if not pairs:
        return None
    n = len(annotators[0])
    once = [_kappas(pair, np.ones((1, n))) for pair in pairs]
    value, observed, expected = np.mean(once, axis=0)[:, 0].tolist()
    error = float(np.sqrt(np.sum(np.mean([_influence(pair) for pair in pairs], axis=0) ** 2))) / n
    half = NormalDist().inv_cdf((1 + level) / 2) * error
    blocks = _resamples(n, draws, np.random.default_rng(seed))
    drawn = np.concatenate(
        [_mean_of_defined([_kappas(pair, block)[0] for pair in pairs]) for block in blocks]
    )
    return Kappa(
        value=value,
        observed=observed,
        expected=expected,
        pairs=len(pairs),
        instances=float(np.mean([pair.counts.sum() for pair in pairs])),
        degenerate=sum(float(chance[0]) == 1 for _, _, chance in once),
        analytic=Interval(
            max(value - half, -1.0), min(value + half, 1.0), level, "Fleiss, Cohen and Everitt"
        ),
        bootstrap=percentiles(drawn, level, "bootstrap by instance"),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Labels from 0 to before `labels`, -1 where they can agree with nothing; counts: which instances count."""

    first: Labels
    second: Labels
    counts: Bools
    labels: int


def _pair(first: Labels, second: Labels, treatment: Treatment) -> _Pair:
    present, codes = np.unique(np.stack([first, second]), return_inverse=True)
    silent = np.stack([first, second]) == NO_ANSWER
    if treatment == "own label":
        silent[:] = False
    counts = ~silent.any(axis=0) if treatment == "left out" else np.ones(len(first), np.bool_)
    ours, theirs = np.where(silent, -1, codes.reshape(2, -1))
    return _Pair(ours, theirs, counts, len(present))


def _kappas(pair: _Pair, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """(kappa, observed, expected) [draws] for weights [draws, n] of the instances; NaN where none counts."""
    weights = weights * pair.counts
    total = weights.sum(axis=1)
    both = _frequencies(pair.first, pair.labels, weights) * _frequencies(pair.second, pair.labels, weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = weights @ _agree(pair) / total
        expected = both.sum(axis=1) / total**2
        kappa = np.where(expected == 1, 1.0, (observed - expected) / (1 - expected))
    return kappa, observed, expected


def _influence(pair: _Pair) -> Floats:
    """float64 [n]: how far each instance pulls kappa from its value; the variance is their squares' sum over n²."""
    ones = np.ones((1, len(pair.first)))
    kappa, observed, expected = (each[0] for each in _kappas(pair, ones))
    if expected == 1:
        return np.zeros(len(pair.first))
    counted = ones * pair.counts
    total = counted.sum()
    # a label that agrees with nothing is at place -1: nobody has it
    ours, theirs = (
        np.append(_frequencies(labels, pair.labels, counted)[0] / total, 0.0)
        for labels in (pair.first, pair.second)
    )
    chance = theirs[pair.first] + ours[pair.second]
    pull = _agree(pair) - observed - (1 - kappa) * (chance - 2 * expected)
    return pull / (1 - expected) * pair.counts * len(pair.first) / total


def _agree(pair: _Pair) -> Floats:
    return ((pair.first == pair.second) & (pair.first >= 0)).astype(np.float64)


def _frequencies(codes: Labels, labels: int, weights: Floats) -> Floats:
    """float64 [draws, labels]: the weight of the instances with each label."""
    found = np.zeros((len(weights), labels))
    order = np.argsort(codes, kind="stable")
    order = order[codes[order] >= 0]
    if len(order):
        present, starts = np.unique(codes[order], return_index=True)
        found[:, present] = np.add.reduceat(weights[:, order], starts, axis=1)
    return found


def _resamples(n: int, draws: int, random: np.random.Generator) -> Iterator[Floats]:
    """Blocks of float64 [rows, n]: how often each instance is drawn when n are drawn with replacement."""
    rows = max(1, _CELLS // n)
    for start in range(0, draws, rows):
        block = min(rows, draws - start)
        places = random.integers(0, n, (block, n)) + n * np.arange(block)[:, None]
        yield np.bincount(places.ravel(), minlength=block * n).reshape(block, n).astype(np.float64)


def _mean_of_defined(kappas: Sequence[Floats]) -> Floats:
    """The mean over pairs of each draw, without pairs for which no instance was drawn and draws without any pair."""
    table = np.stack(kappas)
    defined = np.isfinite(table)
    number = defined.sum(axis=0)
    return np.where(defined, table, 0).sum(axis=0)[number > 0] / number[number > 0]
