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
class SizeSearch:
    """values: n → of the measure, None where it has none. instances: of the development part, with a gold answer."""

    measure: str
    values: dict[int, float | None]
    instances: int

    @property
    def best(self) -> int:
        """The n with the best value; of equal ones the smallest."""
        return max(self.values, key=lambda n: (worth(self.measure, self.values[n]), -n))


def tune(
    instances: Callable[[], Iterable[Any]],
    reader: str,
    *,
    options: Mapping[str, Any] | None = None,
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
    readers = {n: make_reader(reader, {**(options or {}), "n": n}, training=tuple) for n in SIZES}
    scores: dict[int, list[Sequence[float]]] = {n: [] for n in SIZES}
    for instance in instances():
        for n, score in readers.items():
            scores[n].append(score(instance))
    return SizeSearch(measure, {n: on_dev.value(scores[n]) for n in SIZES}, on_dev.instances)
