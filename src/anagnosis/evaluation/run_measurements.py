"""What a measure says of a system: the value of each run, and a mean with its interval.

A measure that is a mean over instances gives a credit to each that it judges. Credits of several runs are averaged
within each instance first, and the mean has Wilson's interval (intervals.py), as have means of F1s. Any other measure
gives statistics. Then the value of a system is the mean of its runs' values, and intervals are percentiles of draws:
instances, or whole documents, are drawn with replacement, their statistics are summed, and the sums have a value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import stdev

import numpy as np

from anagnosis.array_types import Bools, Codes, Floats, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import Estimate, Interval, estimate, mean_credits, of_f1s, percentiles
from anagnosis.evaluation.measures.measure import Measure, Statistics, mean_of_sums
from anagnosis.evaluation.systems import System

DRAWS = 10_000
DRAWS_OF_MANY = 2_000  # where so many different rows are drawn that each draw takes time
_LUMPS = 64
_CELLS = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class RunMeasurements:
    """What a measure says of a system's runs on m instances.

    credits: float64 [runs, m], in [0, 1], of a measure that is a mean and has a finite range; a value is low + span ·
    credit. judged: bool [runs, m], the instances that the mean is over, None for all. Else statistics: those of each
    run, of m instances.
    """

    measure: Measure
    credits: Floats | None
    statistics: tuple[Statistics, ...]
    low: float = 0.0
    span: float = 1.0
    judged: Bools | None = None

    @property
    def has_value(self) -> bool:
        """Whether some instance can be judged, in each run."""
        if self.credits is None:
            return not np.isnan(self.values).any()
        return bool(self.credits.shape[1]) and (self.judged is None or bool(self.judged.any(axis=1).all()))

    @property
    def values(self) -> Floats:
        """float64 [runs], where `has_value`."""
        if self.credits is None:
            return np.array([float(own.value(own.of_instances.sum(axis=0))) for own in self.statistics])
        runs = [run[own] for run, own in zip(self.credits, self.counted, strict=True)]
        return self.low + self.span * np.array([math.fsum(run.tolist()) / len(run) for run in runs])

    @property
    def n(self) -> int:
        """How many instances the value is over."""
        return int(self.counted.any(axis=0).sum())

    @property
    def mean(self) -> Floats:
        """float64 [m]: the credits, means over the runs, where all instances are judged."""
        if self.credits is None or self.judged is not None:
            raise ValueError(f"{self.measure.name} is no mean over these instances")
        return mean_credits(self.credits)

    @property
    def counted(self) -> Bools:
        """bool [runs, m]: the instances that each run's value is over."""
        if self.credits is None:
            return np.array([own.counted for own in self.statistics])
        return np.ones(self.credits.shape, np.bool_) if self.judged is None else self.judged

    def of(self, places: Longs) -> RunMeasurements | None:
        """Of some of the instances; None where they have no value of their own."""
        if self.credits is not None:
            judged = None if self.judged is None or (own := self.judged[:, places]).all() else own
            found = replace(self, credits=self.credits[:, places], judged=judged)
        elif not all(own.divisible for own in self.statistics):
            return None
        else:
            part = (
                replace(own, of_instances=own.of_instances[places], counted=own.counted[places])
                for own in self.statistics
            )
            found = replace(self, statistics=tuple(part))
        return found if found.has_value else None

    def without_credits(self) -> RunMeasurements:
        """Measurements by statistics, to stand beside a system of which the measure judges other instances."""
        if self.credits is None:
            return self
        each = zip(self.low + self.span * self.credits, self.counted, strict=True)
        return RunMeasurements(
            self.measure,
            None,
            tuple(Statistics(np.stack([run * own, own], axis=1), mean_of_sums, own) for run, own in each),
        )

    def estimate(self, documents: Codes | None = None, draws: int | None = None) -> Estimate:
        """The value with its interval. documents: int [m], equal for those that stand or fall together.

        draws: of the bootstrap (default: DRAWS, or DRAWS_OF_MANY).
        """
        values = self.values
        runs, deviation = tuple(values.tolist()), stdev(values) if len(values) > 1 else None
        if self.credits is not None:
            found = estimate(self.credits, documents, self.judged)
            value, *ends = (self.low + self.span * each for each in (found.value, *found.ends))
            interval = None if found.interval is None else replace(found.interval, low=ends[0], high=ends[1])
            return Estimate(value, found.n, found.effective, interval, runs, deviation)
        value, n = float(values.mean()), self.n
        return Estimate(value, n, float(n), self._interval(value, documents, draws), runs, deviation)

    def _interval(self, value: float, documents: Codes | None, draws: int | None) -> Interval | None:
        """Of a value that is no mean of credits; None for a mean of F1s over too few units."""
        counted = self.counted.any(axis=0)
        f1s = [own.f1s(own.of_instances[counted]) for own in self.statistics if own.f1s is not None]
        if not f1s:
            (drawn,) = redrawn([self], documents, draws=draws, seed=0)
            units = self.n if documents is None else len(np.unique(documents[counted]))
            return percentiles(drawn.mean(axis=0), units, f"bootstrap by {unit_of(documents)}")
        both, either = (np.array([run[part] for run in f1s]) for part in (0, 1))
        return of_f1s(value, both, either, None if documents is None else documents[counted])


def measure_runs(gold: Gold, system: System, measure: Measure, protocol: str, rows: Longs) -> RunMeasurements:
    """rows: int64 [m], the instances that count (`scored_rows`)."""
    if measure.values is not None and math.isfinite(measure.highest - measure.lowest):
        each = [measure.of_instances(gold, run, protocol) for run in system.runs]
        values, judged = np.array([run[0][rows] for run in each]), np.array([run[1][rows] for run in each])
        inside = measure.lowest >= 0 and measure.highest <= 1
        low, span = (0.0, 1.0) if inside else (measure.lowest, measure.highest - measure.lowest)
        credits = np.where(judged, (values - low) / span, 0.0)
        return RunMeasurements(measure, credits, (), low, span, None if judged.all() else judged)
    every = (measure.of_run(gold, run, protocol) for run in system.runs)
    return RunMeasurements(
        measure,
        None,
        tuple(replace(own, of_instances=own.of_instances[rows], counted=own.counted[rows]) for own in every),
    )


def demand_values(measurements: RunMeasurements, system: str) -> RunMeasurements:
    """Refuse a split of which the measure cannot judge any instance."""
    if not measurements.has_value:
        raise InputError(
            f"the measure {measurements.measure.name!r} cannot judge any instance", system, "take another one"
        )
    return measurements


def unit_of(documents: Codes | None) -> str:
    """What is independent."""
    return "instance" if documents is None else "document"


def redrawn(
    systems: Sequence[RunMeasurements], documents: Codes | None = None, *, draws: int | None = None, seed: int
) -> list[Floats]:
    """float64 [runs, draws] of each system: the values over the same draws, that of all where a draw has none."""
    runs = [by_unit(own.of_instances, documents) for system in systems for own in system.statistics]
    counts, runs = _counts(runs, draws, seed)
    blocks: list[list[Floats]] = [[] for _ in runs]
    each = [own for system in systems for own in system.statistics]
    for block in counts:
        for found, own, rows in zip(blocks, each, runs, strict=True):
            found.append(own.value(block @ rows))
    drawn = [np.concatenate(found) for found in blocks]
    whole = np.concatenate([system.values for system in systems])
    drawn = [np.where(np.isnan(own), value, own) for own, value in zip(drawn, whole, strict=True)]
    ends = np.cumsum([len(system.statistics) for system in systems])
    return [np.array(own) for own in np.split(np.array(drawn), ends[:-1])]


def by_unit(rows: Floats, documents: Codes | None) -> Floats:
    """[units, k]: the statistics of the instances of each document added up."""
    if documents is None:
        return rows
    from scipy.sparse import csr_matrix

    places = np.unique(documents, return_inverse=True)[1]
    return csr_matrix((np.ones(len(places)), (places, np.arange(len(places))))) @ rows


def _counts(runs: list[Floats], draws: int | None, seed: int) -> tuple[Iterator[Floats], list[Floats]]:
    """Blocks of float64 [some draws, rows], how often each row is drawn, and the rows of each run.

    Units with the same statistics in all runs are interchangeable: where there are few such patterns, they are drawn.
    """
    units = runs[0].shape[0]
    share = np.full(units, 1 / units)
    patterns, counts = np.unique(np.hstack(runs), axis=0, return_counts=True)
    if len(patterns) <= max(_LUMPS, units // 16):
        patterns, share = patterns[::-1], counts[::-1] / units
        ends = np.cumsum([own.shape[1] for own in runs])
        runs = np.split(patterns, ends[:-1], axis=1)
        draws = draws or DRAWS
    number = draws or DRAWS_OF_MANY
    size = max(1, _CELLS // max(len(share), max(own.shape[1] for own in runs)))

    def blocks() -> Iterator[Floats]:
        random = np.random.default_rng(seed)
        for start in range(0, number, size):
            yield random.multinomial(units, share, min(size, number - start)).astype(np.float64)

    return blocks(), runs
