"""Choose n as both papers did: try 2 … 6 on the development part and keep the best.

BIOMRC, section 3.1, footnote 7 (kept 3, on the development part of LARGE); BioRead, section 3, footnote 9 (kept 2, on
that of Lite). Ties count by expectation, so that the accuracy depends on no seed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.errors import InputError
from anagnosis.readers import canonical, find
from anagnosis.readers.predict import make_reader, options_record
from anagnosis.readers.ties import credit

SIZES = (2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of one n. right: expected right answers; instances: with an answer; unanswered: left out."""

    n: int
    right: float
    instances: int
    unanswered: int

    @property
    def accuracy(self) -> float:
        """Expected share right, 0 … 1."""
        return self.right / self.instances


def tune(
    instances: Iterable[ClozeInstance],
    reader: str = "neighbour-overlap",
    *,
    options: Mapping[str, Any] | None = None,
    sizes: Sequence[int] = SIZES,
) -> list[Tried]:
    """The accuracy of every n, in one pass over the development part. options: the reader's other options."""
    entry = find(reader)
    if "n" not in options_record(getattr(entry, "fit", entry)).__struct_fields__:
        raise InputError(
            f"{canonical(reader)} has no n to choose", "", "tune one that has: neighbour-overlap"
        )
    readers = [make_reader(reader, {**(options or {}), "n": n}, training=_nothing) for n in sizes]
    credits: list[list[float]] = [[] for _ in sizes]
    answered = unanswered = 0
    for instance in instances:
        if instance.answer is None:
            unanswered += 1
            continue
        answered += 1
        for column, score in zip(credits, readers, strict=True):
            column.append(credit(score(instance), instance.answer))
    if not answered:
        raise InputError(f"{canonical(reader)} cannot be tuned: no instance has an answer", "split dev")
    return [
        Tried(n, math.fsum(column), answered, unanswered) for n, column in zip(sizes, credits, strict=True)
    ]


def best(tried: Sequence[Tried]) -> Tried:
    """The n with the highest accuracy; the smallest n at a tie."""
    return max(tried, key=lambda result: (result.right, -result.n))


def _nothing() -> Iterable[ClozeInstance]:
    return ()
