"""Choose n as both papers did: try 2 … 6 on the development part and keep the best by a measure.

BIOMRC, section 3.1, footnote 7 (kept 3, on the development part of LARGE); BioRead, section 3, footnote 9 (kept 2, on
that of Lite). Under accuracy ties count by expectation, so that it depends on no seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import named
from anagnosis.readers import canonical
from anagnosis.readers.learning import ACCURACY
from anagnosis.readers.predict import kind_read, make_reader, options_record
from anagnosis.training.loop.dev_measure import DevMeasure
from anagnosis.training.loop.history import worth

SIZES = (2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class SizeTrial:
    """value: of the measure, None where it has none."""

    n: int
    value: float | None


@dataclass(frozen=True, slots=True)
class SizeSearch:
    """trials: one for each n. instances: of the development part, with a gold answer."""

    measure: str
    trials: tuple[SizeTrial, ...]
    instances: int

    @property
    def best(self) -> SizeTrial:
        """The trial with the best value; of equal ones that of the smallest n."""
        return max(self.trials, key=lambda trial: (worth(self.measure, trial.value), -trial.n))


def tune(
    instances: Callable[[], Iterable[Any]],
    reader: str = "neighbour-overlap",
    *,
    options: Mapping[str, Any] | None = None,
    sizes: Sequence[int] = SIZES,
    measure: str = ACCURACY,
    where: str = "split dev",
) -> SizeSearch:
    """The value of every n on the development part. instances: iterates over it anew with each call.

    options: the reader's other options. Refused (InputError): a reader without n, a measure that does not judge its
    kind, a part without gold answers.
    """
    if "n" not in options_record(reader).__struct_fields__:
        raise InputError(
            f"{canonical(reader)} has no n to choose", "", "tune one that has: neighbour-overlap"
        )
    kind, chosen = kind_read(reader), named(measure)
    chosen.demand(kind, where)
    on_dev = DevMeasure(chosen, kind, instances, where)
    readers = [make_reader(reader, {**(options or {}), "n": n}, training=tuple) for n in sizes]
    scores: list[list[Sequence[float]]] = [[] for _ in sizes]
    for instance in instances():
        for column, score in zip(scores, readers, strict=True):
            column.append(score(instance))
    trials = (SizeTrial(n, on_dev.value(column)) for n, column in zip(sizes, scores, strict=True))
    return SizeSearch(measure, tuple(trials), on_dev.instances)
