"""What a measure says of a system: the value of each run, and a mean with its interval.

A measure that is a mean over instances gives each a credit. Credits of several runs are averaged within each instance
first, and the mean has Wilson's interval (intervals.py). Any other measure gives statistics. Then the value of a system
is the mean of its runs' values, and intervals are percentiles of draws: instances, or whole documents, are drawn with
replacement, their statistics are summed, and the sums have a value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import stdev
from typing import Any

import numpy as np

from anagnosis.array_types import Codes, Floats, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import Estimate, Interval, estimate, mean_credits, percentiles
from anagnosis.evaluation.measures.measure import Measure, Statistics, mean_of_sums
from anagnosis.evaluation.systems import System

DRAWS = 10_000
DRAWS_OF_MANY = 2_000  # where so many different rows are drawn that each draw takes time
_LUMPS = 64
_CELLS = 1 << 22


@dataclass(frozen=True, slots=True)
class Measured(Estimate):
    """And how far the runs are apart. runs: the value of each; deviation: their standard deviation, None for one.

    signature: the line that says what the number is of.
    """

    runs: tuple[float, ...]
    deviation: float | None
    signature: str = ""

    @property
    def of_all_runs(self) -> Estimate:
        """The value with its interval alone."""
        return Estimate(self.value, self.n, self.effective, self.interval)


@dataclass(frozen=True, slots=True, eq=False)
class RunMeasurements:
    """What a measure says of a system's runs on m instances.

    credits: float64 [runs, m], in [0, 1], of a measure that is a mean over all of them and has a finite range; a value
    is low + span · credit. Else statistics: those of each run, of m instances.
    """

    measure: Measure
    credits: Floats | None
    statistics: tuple[Statistics, ...]
    low: float = 0.0
    span: float = 1.0

    @property
    def values(self) -> Floats:
        """float64 [runs]; NaN where no instance can be judged."""
        if self.credits is not None:
            means = [math.fsum(run) / len(run) for run in self.credits.tolist()]
            return self.low + self.span * np.array(means)
        return np.array([float(own.value(_sum(own.of_instances))) for own in self.statistics])

    @property
    def n(self) -> int:
        """How many instances the value is over."""
        return int(self.statistics[0].counted.sum()) if self.credits is None else self.credits.shape[1]

    @property
    def mean(self) -> Floats:
        """float64 [m]: the credits, means over the runs."""
        if self.credits is None:
            raise ValueError(f"{self.measure.name} is no mean over instances")
        return mean_credits(self.credits)

    def of(self, places: Longs) -> RunMeasurements | None:
        """Of some of the instances; None where they have no value of their own."""
        if self.credits is not None:
            return replace(self, credits=self.credits[:, places]) if len(places) else None
        if not all(own.divisible for own in self.statistics):
            return None
        part = tuple(
            replace(own, of_instances=own.of_instances[places], counted=own.counted[places])
            for own in self.statistics
        )
        found = replace(self, statistics=part)
        return None if np.isnan(found.values).any() else found

    def alone(self, places: Longs) -> RunMeasurements | None:
        """Of some of the instances as a set of their own: a label that they do not have does not count, for example."""
        found = self.of(places)
        if found is None:
            return None
        own = (
            each if each.alone is None else replace(each, value=each.alone(each.of_instances))
            for each in found.statistics
        )
        return replace(found, statistics=tuple(own))

    def without_credits(self) -> RunMeasurements:
        """Measurements by statistics, to stand beside a system that the measure cannot judge on every instance."""
        if self.credits is None:
            return self
        counted = np.ones(self.n, np.bool_)
        each = [np.stack([self.low + self.span * run, counted], axis=1) for run in self.credits]
        return RunMeasurements(
            self.measure, None, tuple(Statistics(own, mean_of_sums, counted) for own in each)
        )

    def estimate(self, documents: Codes | None = None, draws: int | None = None) -> Measured:
        """The value with its interval. documents: int [m], equal for those that stand or fall together.

        draws: of the bootstrap (default: DRAWS, or DRAWS_OF_MANY).
        """
        values = self.values
        runs, deviation = tuple(values.tolist()), stdev(values) if len(values) > 1 else None
        if self.credits is not None:
            found = estimate(self.mean, documents)
            low, high = (self.low + self.span * end for end in (found.interval.low, found.interval.high))
            interval = Interval(low, high, found.interval.level, found.interval.method)
            value = self.low + self.span * found.value
            return Measured(value, found.n, found.effective, interval, runs, deviation)
        (drawn,) = redrawn([self], documents, draws=draws, seed=0)
        interval = percentiles(drawn.mean(axis=0), f"bootstrap by {unit_of(documents)}")
        return Measured(float(values.mean()), self.n, float(self.n), interval, runs, deviation)


def measure_runs(gold: Gold, system: System, measure: Measure, protocol: str, rows: Longs) -> RunMeasurements:
    """rows: int64 [m], the instances that count (`scored_rows`)."""
    if measure.values is not None and math.isfinite(measure.highest - measure.lowest):
        values = np.array([measure.of_instances(gold, run, protocol)[rows] for run in system.runs])
        if not np.isnan(values).any():
            inside = measure.lowest >= 0 and measure.highest <= 1
            low, span = (0.0, 1.0) if inside else (measure.lowest, measure.highest - measure.lowest)
            return RunMeasurements(measure, (values - low) / span, (), low, span)
    every = (measure.of_run(gold, run, protocol) for run in system.runs)
    return RunMeasurements(
        measure,
        None,
        tuple(replace(own, of_instances=own.of_instances[rows], counted=own.counted[rows]) for own in every),
    )


def demand_values(measurements: RunMeasurements, system: str) -> RunMeasurements:
    """Refuse a split of which the measure cannot judge any instance."""
    if np.isnan(measurements.values).any():
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
            found.append(own.value(np.asarray(block @ rows)))
    drawn = [np.concatenate(found) for found in blocks]
    whole = np.concatenate([system.values for system in systems])
    drawn = [np.where(np.isnan(own), value, own) for own, value in zip(drawn, whole, strict=True)]
    ends = np.cumsum([len(system.statistics) for system in systems])
    return [np.array(own) for own in np.split(np.array(drawn), ends[:-1])]


def by_unit(rows: Any, documents: Codes | None) -> Any:
    """[units, k]: the statistics of the instances of each document added up."""
    if documents is None:
        return rows
    from scipy.sparse import csr_matrix

    places = np.unique(documents, return_inverse=True)[1]
    return csr_matrix((np.ones(len(places)), (places, np.arange(len(places))))) @ rows


def _counts(runs: list[Any], draws: int | None, seed: int) -> tuple[Iterator[Floats], list[Any]]:
    """Blocks of float64 [some draws, rows], how often each row is drawn, and the rows of each run.

    Units with the same statistics in all runs are interchangeable: where there are few such patterns, they are drawn.
    """
    units = runs[0].shape[0]
    share = np.full(units, 1 / units)
    if all(isinstance(own, np.ndarray) for own in runs):
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


def _sum(rows: Any) -> Floats:
    return np.asarray(rows.sum(axis=0), np.float64).ravel()
