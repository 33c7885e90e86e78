"""Accuracies without learning on the part that a run is evaluated on, for comparison with the run's accuracy.

Chance is the mean of 1/candidates, for sentences the mean share that holds the answer; where instances have the same
labels, of 1/labels that are right anywhere in both parts. Ties count by expectation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from anagnosis.datasets.definition import definition_of
from anagnosis.datasets.kinds.kind import Kind
from anagnosis.datasets.kinds.table import named
from anagnosis.readers import ALIASES
from anagnosis.readers.learning import ViewedSplit
from anagnosis.readers.predict import Reader, make_reader, tied

CHANCE, MAJORITY = "chance", "majority"


def levels(kind: str, train: ViewedSplit, dev: ViewedSplit, dataset: str = "") -> dict[str, float]:
    """Accuracy on the dev part, 0 … 1, of chance and of readers that learn nothing; empty if no instance has an answer.

    kind: of the dataset. train: the part whose answers `majority` counts; sentence-overlap counts words of both parts.
    dataset: the name of the one that dev is of, whose paper may have other baselines than its kind.
    """
    of = named(kind)
    names = (CHANCE, *(definition_of(dataset).baselines or of.baselines))
    readers = [_reader(name, of, train, dev) for name in names]
    credits: list[list[float]] = [[] for _ in names]
    for instance in _instances(dev):
        if right := frozenset(of.right(instance)):
            for column, score in zip(credits, readers, strict=True):
                best = tied(score(instance))
                column.append(len(right.intersection(best)) / len(best))
    return {
        name: math.fsum(column) / len(column) for name, column in zip(names, credits, strict=True) if column
    }


def _reader(name: str, of: Kind, train: ViewedSplit, dev: ViewedSplit) -> Reader:
    if name == CHANCE:
        if not of.labels:
            return lambda instance: [0.0] * len(of.keys(instance))
        occurs = {
            place for instance in chain(_instances(train), _instances(dev)) for place in of.right(instance)
        }
        return lambda instance: [float(place in occurs) for place in range(len(of.keys(instance)))]
    if name == MAJORITY:
        counts = Counter(place for instance in _instances(train) for place in of.right(instance))
        return lambda instance: [float(counts[place]) for place in range(len(of.keys(instance)))]
    return make_reader(name, training=lambda: chain(_instances(train), _instances(dev)))


def _instances(part: ViewedSplit) -> Iterator[Any]:
    return part.instances() if part.instances is not None else iter(())


def mean(levels_of_runs: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each level over several runs; empty if a run has no levels."""
    per_run = list(levels_of_runs)
    names = [name for name in per_run[0] if all(name in run for run in per_run)] if per_run else []
    return {name: math.fsum(run[name] for run in per_run) / len(per_run) for name in names}


def not_above(baselines: Mapping[str, float], accuracy: float) -> list[str]:
    """The levels that an accuracy does not exceed."""
    return [name for name, level in baselines.items() if accuracy <= level]


def sentence(baselines: Mapping[str, float], accuracy: float) -> str:
    """A line that compares an accuracy with chance and with the best other level; "" without levels.

    A kind without baselines has chance alone.
    """
    if not baselines:
        return ""
    others = {name: level for name, level in baselines.items() if name != CHANCE}
    shown = [CHANCE, *sorted(others, key=lambda name: -others[name])[:1]]
    line = "without learning: " + ", ".join(
        f"{_called(name)} {100 * baselines[name]:.2f} %" for name in shown
    )
    if len(others) > 1:
        line += f" (the best of {len(others)})"
    low = [name for name in shown if accuracy <= baselines[name]]
    if not low:
        return line
    how = "below" if all(accuracy < baselines[name] for name in low) else "not above"
    return f"{line}; the reader is {how} {' and '.join(map(_called, low))}"


def _called(name: str) -> str:
    """The papers' name of a baseline, if they have one: with its paper where papers number their baselines."""
    aliases = [alias for alias, reader in ALIASES.items() if reader == name]
    return next((alias for alias in aliases if ":" in alias), aliases[0] if aliases else name)
