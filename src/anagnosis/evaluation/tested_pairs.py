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

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from anagnosis.array_types import Codes, Floats, Longs
from anagnosis.evaluation.differences import paired, ranked_pairs
from anagnosis.evaluation.differences.over_runs import OverRuns, covariance_of_means, over_runs
from anagnosis.evaluation.differences.paired import (
    ALPHA,
    McNemar,
    Randomisation,
    Verdict,
    swapped,
    verdict_of,
)
from anagnosis.evaluation.differences.ranked_pairs import Key
from anagnosis.evaluation.intervals import Interval, percentiles
from anagnosis.evaluation.run_measurements import RunMeasurements, by_unit, redrawn, unit_of
from anagnosis.evaluation.systems import System


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

    def of(self, places: Longs) -> Drawing:
        """Of some of the instances."""
        clusters = None if self.clusters is None else self.clusters[places]
        return replace(self, documents=self.documents[places], clusters=clusters)


class PairTests(ABC):
    """Tests of systems by their places in the ranking. Differences: how much better the first is, in the measure.

    sign: -1 where lower values are better.
    """

    def __init__(
        self, systems: Sequence[System], measurements: Sequence[RunMeasurements], drawing: Drawing
    ) -> None:
        self.systems, self.drawing = systems, drawing
        self.sign = 1.0 if measurements[0].measure.higher_is_better else -1.0
        self._span = measurements[0].span
        self._values = [self.sign * own.values for own in measurements]
        ends = np.cumsum([len(system.runs) for system in systems])
        self._rows = [
            np.arange(end - len(system.runs), end) for end, system in zip(ends, systems, strict=True)
        ]

    @classmethod
    def of(
        cls, systems: Sequence[System], measurements: Sequence[RunMeasurements], drawing: Drawing
    ) -> PairTests:
        """The tests that the measure allows."""
        judged = measurements[0].counted[0]
        if all(own.credits is not None and (own.counted == judged).all() for own in measurements):
            places = np.flatnonzero(judged)
            some = [part for own in measurements if (part := own.of(places)) is not None]
            return _OfCredits(systems, some, drawing.of(places))
        return _OfStatistics(systems, [own.without_credits() for own in measurements], drawing)

    def over_runs(self, i: int, j: int) -> OverRuns | None:
        """The test over runs and questions; None for two single runs."""
        rows, span = np.concatenate([self._rows[i], self._rows[j]]), self._span
        first, second = self.systems[i], self.systems[j]
        return over_runs(
            self._values[i] / span,
            self._values[j] / span,
            self._covariance()[np.ix_(rows, rows)],
            self.drawing.units,
            folds=(first.folds, second.folds),
            fixed=(first.is_fixed_beside(second), second.is_fixed_beside(first)),
        )

    @abstractmethod
    def randomisation(self, i: int, j: int, documents: Codes | None) -> Randomisation:
        """The test that swaps instances, or whole documents. documents: int [m], None for instances."""

    @abstractmethod
    def interval(self, i: int, j: int) -> Interval:
        """Of the difference, by the paired bootstrap."""

    def mcnemar(self, i: int, j: int) -> McNemar | None:
        """Where each instance is right or wrong."""
        return None

    @abstractmethod
    def _covariance(self) -> Floats:
        """float64 [runs, runs] of all systems."""


class _OfCredits(PairTests):
    def __init__(
        self, systems: Sequence[System], measurements: Sequence[RunMeasurements], drawing: Drawing
    ) -> None:
        super().__init__(systems, measurements, drawing)
        runs = [
            own.credits if self.sign > 0 else 1 - own.credits
            for own in measurements
            if own.credits is not None
        ]
        self._every = np.vstack(runs)
        self._credits = [own.mean if self.sign > 0 else 1 - own.mean for own in measurements]
        self._varies: Floats | None = None

    def randomisation(self, i: int, j: int, documents: Codes | None) -> Randomisation:
        drawing = self.drawing
        return paired.randomisation(
            self._credits[i], self._credits[j], documents, draws=drawing.draws, seed=drawing.seed
        )

    def interval(self, i: int, j: int) -> Interval:
        drawing = self.drawing
        found = paired.bootstrap(
            self._credits[i], self._credits[j], drawing.clusters, draws=drawing.draws, seed=drawing.seed
        )
        return replace(found, low=self._span * found.low, high=self._span * found.high)

    def mcnemar(self, i: int, j: int) -> McNemar | None:
        return paired.mcnemar(self._credits[i], self._credits[j])

    def _covariance(self) -> Floats:
        if self._varies is None:
            self._varies = covariance_of_means(self._every, self.drawing.clusters)
        return self._varies


class _OfStatistics(PairTests):
    """Swaps take the statistics averaged over a system's runs. Of a measure whose statistics two systems do not share,
    p is twice the smaller share of the bootstrap's draws on one side of 0, one counted in."""

    def __init__(
        self, systems: Sequence[System], measurements: Sequence[RunMeasurements], drawing: Drawing
    ) -> None:
        super().__init__(systems, measurements, drawing)
        self._measurements = measurements
        drawn = redrawn(measurements, drawing.clusters, draws=drawing.draws, seed=drawing.seed)
        self._drawn = [self.sign * own for own in drawn]

    def randomisation(self, i: int, j: int, documents: Codes | None) -> Randomisation:
        pair, drawing = (self._measurements[i], self._measurements[j]), self.drawing
        if not all(own.shared for each in pair for own in each.statistics):
            return self._by_draws(i, j, documents)
        return swapped(
            *self._by_unit(pair, documents),
            (self._value_of(pair[0]), self._value_of(pair[1])),
            unit=unit_of(documents),
            draws=drawing.draws,
            seed=drawing.seed,
        )

    def _by_unit(
        self, pair: tuple[RunMeasurements, RunMeasurements], documents: Codes | None
    ) -> tuple[Floats, Floats]:
        """The statistics of both, averaged over their runs."""
        first, second = (
            by_unit(np.mean([own.of_instances for own in each.statistics], axis=0), documents)
            for each in pair
        )
        return first, second

    def _value_of(self, measurements: RunMeasurements) -> Callable[[Floats], Floats]:
        def value(sums: Floats) -> Floats:
            return self.sign * np.mean([own.value(sums) for own in measurements.statistics], axis=0)

        return value

    def _by_draws(self, i: int, j: int, documents: Codes | None) -> Randomisation:
        drawing = self.drawing
        drawn = self._drawn
        if unit_of(documents) != unit_of(drawing.clusters):
            drawn = [
                self.sign * own
                for own in redrawn(
                    [self._measurements[i], self._measurements[j]],
                    documents,
                    draws=drawing.draws,
                    seed=drawing.seed,
                )
            ]
            i, j = 0, 1
        differences = drawn[i].mean(axis=0) - drawn[j].mean(axis=0)
        below, above = int((differences <= 0).sum()), int((differences >= 0).sum())
        one, two = (1 + below) / (1 + len(differences)), 2 * (1 + min(below, above)) / (1 + len(differences))
        return Randomisation(
            unit=unit_of(documents),
            units=len(np.unique(documents)) if documents is not None else len(drawing.documents),
            differing=int(np.any(differences != 0)),
            one_tailed=one,
            two_tailed=min(1.0, two),
            draws=drawing.draws,
            seed=drawing.seed,
            swapped=False,
        )

    def interval(self, i: int, j: int) -> Interval:
        differences = self._drawn[i].mean(axis=0) - self._drawn[j].mean(axis=0)
        method = f"paired bootstrap by {unit_of(self.drawing.clusters)}"
        return percentiles(differences, self.drawing.units, method)

    def _covariance(self) -> Floats:
        return np.atleast_2d(np.cov(np.vstack(self._drawn)))


@dataclass(frozen=True, slots=True)
class Pair:
    """A better-ranked system beside a worse-ranked one.

    difference: how much better the first is, >= 0; interval: by bootstrap over the comparison's unit.
    p_one_tailed, p_two_tailed: of these runs, by randomisation of that unit. over_runs: of the recipes, None for two
    single runs. models_alone: of two single runs, unless neither reader is trained. p: the larger of p_two_tailed and
    that of over_runs. holm…: corrected. mcnemar: by instance, None for shared credit, as of several runs, and for a
    measure that is no mean over instances. verdict: from holm.
    """

    first: str
    second: str
    difference: float
    interval: Interval
    by_instance: Randomisation
    by_document: Randomisation
    mcnemar: McNemar | None
    p_one_tailed: float
    p_two_tailed: float
    over_runs: OverRuns | None
    models_alone: bool
    p: float
    holm_one_tailed: float
    holm_two_tailed: float
    holm: float
    verdict: Verdict

    @property
    def between(self) -> str:
        """What tables and sentences call the pair."""
        return f"{self.first} over {self.second}"


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """Two systems on the same instances, the better one first. values: of the measure. places: of both in `tests`."""

    tests: PairTests
    values: tuple[float, float]
    places: tuple[int, int] = (0, 1)


def corrected_pairs(
    family: Mapping[Key, Contest], shown: Iterable[Key] | None = None
) -> tuple[dict[Key, Pair], frozenset[Key]]:
    """The pairs that are shown (default: all), corrected for the whole family; all of whose first system is better."""
    by_unit = {
        key: own.tests.randomisation(*own.places, own.tests.drawing.clusters) for key, own in family.items()
    }
    over_runs = {key: own.tests.over_runs(*own.places) for key, own in family.items()}
    p = {key: decisive(test, over_runs[key]) for key, test in by_unit.items()}
    holm = ranked_pairs.corrected(p)
    one_tailed = ranked_pairs.corrected({key: test.one_tailed for key, test in by_unit.items()})
    two_tailed = ranked_pairs.corrected({key: test.two_tailed for key, test in by_unit.items()})
    pairs: dict[Key, Pair] = {}
    for key in family if shown is None else shown:
        own, test = family[key], by_unit[key]
        tests, drawing, (i, j) = own.tests, own.tests.drawing, own.places
        both = (tests.systems[i], tests.systems[j])
        is_instance = drawing.clusters is None
        by_instance = test if is_instance else tests.randomisation(i, j, None)
        pairs[key] = Pair(
            first=both[0].name,
            second=both[1].name,
            difference=tests.sign * (own.values[0] - own.values[1]),
            interval=tests.interval(i, j),
            by_instance=by_instance,
            by_document=tests.randomisation(i, j, drawing.documents) if is_instance else test,
            mcnemar=tests.mcnemar(i, j),
            p_one_tailed=test.one_tailed,
            p_two_tailed=test.two_tailed,
            over_runs=over_runs[key],
            models_alone=over_runs[key] is None and not all(system.untrained for system in both),
            p=p[key],
            holm_one_tailed=one_tailed[key],
            holm_two_tailed=two_tailed[key],
            holm=holm[key],
            verdict=verdict_of(by_instance, holm[key]),
        )
    return pairs, frozenset(key for key in family if holm[key] <= ALPHA)


def decisive(test: Randomisation, over_runs: OverRuns | None) -> float:
    """The p-value that decides: the larger one of the test with these runs and the test over other runs."""
    return test.two_tailed if over_runs is None else max(test.two_tailed, over_runs.p)


def too_few_draws(draws: int, family: int) -> bool:
    """Whether no p of so many draws could stand up to the correction for a family of pairs."""
    return family / (draws + 1) > ALPHA
