"""What is reached without learning, on the part that a run is judged on: the level that its accuracy stands beside.

Chance is the mean of 1/candidates, for sentences the mean share that holds the answer. Ties count by expectation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from anagnosis.datasets.kinds.kind import Kind
from anagnosis.datasets.kinds.table import named
from anagnosis.readers import ALIASES
from anagnosis.readers.learning import Material
from anagnosis.readers.predict import Reader, make_reader
from anagnosis.readers.ties import tied

CHANCE, MAJORITY = "chance", "majority"


def levels(kind: str, train: Material, dev: Material) -> dict[str, float]:
    """Accuracy on the dev part, 0 … 1, of chance and of readers that learn nothing; empty where none has an answer.

    kind: of the dataset. train: what majority counts over; sentence-overlap counts words of both parts.
    """
    of = named(kind)
    names = (CHANCE, *of.baselines)
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


def _reader(name: str, of: Kind, train: Material, dev: Material) -> Reader:
    if name == CHANCE:
        return lambda instance: [0.0] * len(of.keys(instance))
    if name == MAJORITY:
        counts = Counter(place for instance in _instances(train) for place in of.right(instance))
        return lambda instance: [float(counts[place]) for place in range(len(of.keys(instance)))]
    return make_reader(name, training=lambda: chain(_instances(train), _instances(dev)))


def _instances(part: Material) -> Iterator[Any]:
    return part.instances() if part.instances is not None else iter(())


def mean(several: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each level over several runs; empty where one of them has none."""
    found = list(several)
    names = [name for name in found[0] if all(name in one for one in found)] if found else []
    return {name: math.fsum(one[name] for one in found) / len(found) for name in names}


def not_above(found: Mapping[str, float], accuracy: float) -> list[str]:
    """The levels that an accuracy does not pass."""
    return [name for name, level in found.items() if accuracy <= level]


def sentence(found: Mapping[str, float], accuracy: float) -> str:
    """Chance and the best of the others, and which of them an accuracy does not pass; "" without levels.

    A kind without baselines has chance alone.
    """
    if not found:
        return ""
    others = {name: level for name, level in found.items() if name != CHANCE}
    shown = [CHANCE, *sorted(others, key=lambda name: -others[name])[:1]]
    line = "without learning: " + ", ".join(f"{_called(name)} {100 * found[name]:.2f} %" for name in shown)
    if len(others) > 1:
        line += f" (the best of {len(others)})"
    low = [name for name in shown if accuracy <= found[name]]
    if not low:
        return line
    how = "below" if all(accuracy < found[name] for name in low) else "not above"
    return f"{line}; the reader is {how} {' and '.join(map(_called, low))}"


def _called(name: str) -> str:
    """As the papers call it, where they do."""
    return next((alias for alias, reader in ALIASES.items() if reader == name), name)
