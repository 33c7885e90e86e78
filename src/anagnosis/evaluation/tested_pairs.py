"""Pairs of systems by one measure: each with its tests, its p-values corrected for the whole family, and a verdict.

The tests are on credits, or on statistics where the measure is no mean. Both draw alike: randomisation swaps instances
or documents, the bootstrap draws them anew, and the test over runs takes how runs vary over other questions, from the
credits' covariance or from those draws.

Of two single runs the two-tailed randomisation decides, and what it shows holds for these two models. Where a system
has several runs, the larger p-value decides: of the randomisation with these runs, averaged within each instance first,
and of the test over runs and questions together (`over_runs.py`); what it shows holds for the recipes. The paper's
one-tailed value stands beside both. What is not shown to differ is called tied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from anagnosis.array_types import Codes, Floats
from anagnosis.evaluation.differences import paired, ranked_pairs
from anagnosis.evaluation.differences.over_runs import OverRuns, covariance_of_means, over_runs
from anagnosis.evaluation.differences.paired import (
    ALPHA,
    Randomisation,
    Verdict,
    swapped,
    verdict_of,
)
from anagnosis.evaluation.intervals import Interval, percentiles
from anagnosis.evaluation.run_measurements import RunMeasurements, by_unit, redrawn, unit_of
from anagnosis.evaluation.systems import System


@dataclass(frozen=True, slots=True)
class Pair:
    """A better-ranked system beside a worse-ranked one.

    difference: how much better the first is, >= 0; interval: by bootstrap over the comparison's unit.
    p_one_tailed, p_two_tailed: of these runs, by randomisation of that unit. over_runs: of the recipes, None for two
    single runs. models_alone: of two single runs, unless neither reader is trained. people: whether the runs of each
    are people. p: the larger of p_two_tailed and that of over_runs. holm…: corrected. verdict: from holm.
    """

    first: str
    second: str
    difference: float
    interval: Interval
    p_one_tailed: float
    p_two_tailed: float
    over_runs: OverRuns | None
    models_alone: bool
    people: tuple[bool, bool]
    p: float
    holm_one_tailed: float
    holm_two_tailed: float
    holm: float
    verdict: Verdict

    @property
    def between(self) -> str:
        """What tables and sentences call the pair."""
        return f"{self.first} over {self.second}"


def tested_pairs(
    systems: Sequence[System],
    measurements: Sequence[RunMeasurements],
    values: Sequence[float],
    drawing: Drawing,
) -> tuple[tuple[Pair, ...], frozenset[ranked_pairs.Places]]:
    """The pairs of a ranking that are shown, corrected for all, and all of which the first system is better.

    systems: from best to worst, with their values of the measure.
    """
    judged = measurements[0].counted[0]
    tests: _OfCredits | _OfStatistics
    if all(own.credits is not None and (own.counted == judged).all() for own in measurements):
        places = np.flatnonzero(judged)
        clusters = None if drawing.clusters is None else drawing.clusters[places]
        drawing = replace(drawing, documents=drawing.documents[places], clusters=clusters)
        measurements = [part for own in measurements if (part := own.of(places)) is not None]
        tests = _OfCredits(measurements, drawing)
    else:
        measurements = [own.without_credits() for own in measurements]
        tests = _OfStatistics(measurements, drawing)
    every = ranked_pairs.every_pair(len(systems))
    by_unit = {pair: tests.randomisation(*pair) for pair in every}
    over = {pair: _over_runs(systems, measurements, tests.covariance, drawing, *pair) for pair in every}
    p = {pair: max(by_unit[pair].two_tailed, 0.0 if own is None else own.p) for pair, own in over.items()}
    holm = ranked_pairs.corrected(p)
    one_tailed = ranked_pairs.corrected({pair: test.one_tailed for pair, test in by_unit.items()})
    two_tailed = ranked_pairs.corrected({pair: test.two_tailed for pair, test in by_unit.items()})

    def tested(i: int, j: int) -> Pair:
        both, test, runs = (systems[i], systems[j]), by_unit[i, j], over[i, j]
        return Pair(
            first=both[0].name,
            second=both[1].name,
            difference=values[i] - values[j],
            interval=tests.interval(i, j),
            p_one_tailed=test.one_tailed,
            p_two_tailed=test.two_tailed,
            over_runs=runs,
            models_alone=runs is None and not all(system.untrained for system in both),
            people=(both[0].people, both[1].people),
            p=p[i, j],
            holm_one_tailed=one_tailed[i, j],
            holm_two_tailed=two_tailed[i, j],
            holm=holm[i, j],
            verdict=verdict_of(holm[i, j], differ=tests.differ(i, j)),
        )

    better = frozenset(pair for pair in every if holm[pair] <= ALPHA)
    return tuple(tested(*pair) for pair in ranked_pairs.shown(len(systems))), better


@dataclass(frozen=True, slots=True)
class Drawing:
    """documents: int [m], of the instances that count. clusters: the same where the unit is the document, else None."""

    documents: Codes
    clusters: Codes | None
    draws: int
    seed: int

    @property
    def units(self) -> int:
        return len(self.documents) if self.clusters is None else len(np.unique(self.clusters))


def _over_runs(
    systems: Sequence[System],
    measurements: Sequence[RunMeasurements],
    covariance: Floats,
    drawing: Drawing,
    i: int,
    j: int,
) -> OverRuns | None:
    """The test over runs and questions; None for two single runs. covariance: of all runs of all systems."""
    ends = np.cumsum([0, *(len(own.values) for own in measurements)])
    rows = np.concatenate([np.arange(ends[place], ends[place + 1]) for place in (i, j)])
    first, second, span = systems[i], systems[j], measurements[0].span
    return over_runs(
        measurements[i].values / span,
        measurements[j].values / span,
        covariance[np.ix_(rows, rows)],
        drawing.units,
        folds=(first.folds, second.folds),
        fixed=(first.is_fixed_beside(second), second.is_fixed_beside(first)),
    )


class _OfCredits:
    """Tests of systems by their places in the ranking."""

    def __init__(self, measurements: Sequence[RunMeasurements], drawing: Drawing) -> None:
        self._span, self._drawing = measurements[0].span, drawing
        self._runs = [own.credits for own in measurements if own.credits is not None]
        self._credits = [own.mean for own in measurements]

    def randomisation(self, i: int, j: int) -> Randomisation:
        """The test that swaps instances, or whole documents."""
        drawn = {"draws": self._drawing.draws, "seed": self._drawing.seed}
        return paired.randomisation(self._credits[i], self._credits[j], self._drawing.clusters, **drawn)

    def differ(self, i: int, j: int) -> bool:
        """Whether any instance has another credit, also where those of its document cancel out."""
        return not np.allclose(self._credits[i], self._credits[j], rtol=0, atol=paired.ROUNDED)

    def interval(self, i: int, j: int) -> Interval:
        """Of the difference, by the paired bootstrap."""
        drawn = {"draws": self._drawing.draws, "seed": self._drawing.seed}
        found = paired.bootstrap(self._credits[i], self._credits[j], self._drawing.clusters, **drawn)
        return replace(found, low=self._span * found.low, high=self._span * found.high)

    @cached_property
    def covariance(self) -> Floats:
        """float64 [runs, runs] of all systems."""
        return covariance_of_means(np.vstack(self._runs), self._drawing.clusters)


class _OfStatistics:
    """The same. Swaps take the statistics averaged over a system's runs."""

    def __init__(self, measurements: Sequence[RunMeasurements], drawing: Drawing) -> None:
        self._measurements, self._drawing = measurements, drawing
        self._drawn = redrawn(measurements, drawing.clusters, draws=drawing.draws, seed=drawing.seed)

    def randomisation(self, i: int, j: int) -> Randomisation:
        pair = (self._measurements[i], self._measurements[j])
        first, second = (by_unit(own, self._drawing.clusters) for own in self._means(i, j))

        def value_of(measurements: RunMeasurements) -> paired.Values:
            runs = measurements.statistics
            return lambda sums: np.mean([own.value(sums) for own in runs], axis=0)

        drawn = {"draws": self._drawing.draws, "seed": self._drawing.seed}
        values = (value_of(pair[0]), value_of(pair[1]))
        return swapped(first, second, values, **drawn)

    def _means(self, i: int, j: int) -> list[Floats]:
        """float64 [m, k] of both: the statistics of the instances, averaged over the runs of each."""
        both = (self._measurements[place].statistics for place in (i, j))
        return [np.mean([run.of_instances for run in runs], axis=0) for runs in both]

    def differ(self, i: int, j: int) -> bool:
        first, second = self._means(i, j)
        return not np.allclose(first, second, rtol=0, atol=paired.ROUNDED)

    def interval(self, i: int, j: int) -> Interval:
        differences = self._drawn[i].mean(axis=0) - self._drawn[j].mean(axis=0)
        method = f"paired bootstrap by {unit_of(self._drawing.clusters)}"
        return percentiles(differences, self._drawing.units, method)

    @cached_property
    def covariance(self) -> Floats:
        return np.atleast_2d(np.cov(np.vstack(self._drawn)))


def too_few_draws(draws: int, family: int) -> bool:
    """Whether no p of so many draws could stand up to the correction for a family of pairs."""
    return family / (draws + 1) > ALPHA
