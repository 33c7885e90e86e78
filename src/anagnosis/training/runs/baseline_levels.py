"""What is reached without learning, on the part that a run is judged on: the level that its accuracy stands beside.

Chance is the mean of 1/candidates, for sentences the mean share that holds the answer. Ties count by expectation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from anagnosis.datasets.kinds.table import CLOZE, DECISION, EVIDENCE, KINDS, QUESTION
from anagnosis.readers import ALIASES
from anagnosis.readers.learning import Material
from anagnosis.readers.predict import Reader, keys_of, make_reader
from anagnosis.readers.ties import tied

CHANCE, MAJORITY = "chance", "majority"


@dataclass(frozen=True, slots=True)
class _Of:
    """right: indices of the right answers of an instance, none where nobody has said. readers: names of those that
    learn nothing; `MAJORITY` is the train part's commonest label."""

    right: Callable[[Any], Sequence[int]]
    readers: tuple[str, ...]


def _labelled(kind: str) -> Callable[[Any], Sequence[int]]:
    labels, column = KINDS[kind].labels, KINDS[kind].labelled

    def right(instance: Any) -> Sequence[int]:
        label = getattr(instance, column)
        return [labels.index(label)] if label else []

    return right


def _of_cloze(instance: Any) -> Sequence[int]:
    return [] if instance.answer is None else [instance.answer]


def _of_evidence(instance: Any) -> Sequence[int]:
    return [place for place, sentence in enumerate(instance.sentences) if sentence.held]


_BASELINES = (
    "first-entity",
    "last-entity",
    "most-frequent-entity",
    "most-frequent-unless-alone",
    "neighbour-overlap",
)
# Of every kind of dataset, in the order in which they are reported.
_OF = {
    CLOZE: _Of(_of_cloze, _BASELINES),
    DECISION: _Of(_labelled(DECISION), (MAJORITY,)),
    QUESTION: _Of(_labelled(QUESTION), (MAJORITY, "question-type-rules")),
    EVIDENCE: _Of(_of_evidence, ("sentence-overlap",)),
}


def levels(kind: str, train: Material, dev: Material) -> dict[str, float]:
    """Accuracy on the dev part, 0 … 1, of chance and of readers that learn nothing; empty where none has an answer.

    kind: of the dataset. train: what majority counts over; sentence-overlap counts words of both parts.
    """
    of = _OF[kind]
    names = (CHANCE, *of.readers)
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


def _reader(name: str, of: _Of, train: Material, dev: Material) -> Reader:
    if name == CHANCE:
        return lambda instance: [0.0] * len(keys_of(instance))
    if name == MAJORITY:
        counts = Counter(place for instance in _instances(train) for place in of.right(instance))
        return lambda instance: [float(counts[place]) for place in range(len(keys_of(instance)))]
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
    """Chance and the best of the others, and which of the two an accuracy does not pass; "" without levels."""
    if not found:
        return ""
    others = {name: level for name, level in found.items() if name != CHANCE}
    best = max(others, key=lambda name: others[name])
    shown = (CHANCE, best)
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
