"""What every measure declares, and how a measure is found by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from anagnosis import registry
from anagnosis.array_types import Bools, Floats
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.measures import GROUP, MEASURES
from anagnosis.predictions import Matched

Values = Callable[[Gold, Matched, str], Floats | Iterable[tuple[int, float]]]
Unit = Literal["percent", "number"]


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """of_instances: float64 [n, k]. value: […] of sums […, k] of them, NaN where there is none.

    Sums may be over any instances, once or repeatedly. counted: bool [n], instances that the value is over.
    divisible: whether the instances of a group have a value of their own. f1s: of a mean of F1s, gives of rows [m, k]
    whether each label is right and answered, and whether it is either, float64 [m, labels] each.
    """

    of_instances: Floats
    value: Callable[[Floats], Floats]
    counted: Bools
    divisible: bool = True
    f1s: Callable[[Floats], tuple[Floats, Floats]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One measure of the predictions of a run.

    what: the measure in one line. title: how tables call it. kinds: of datasets, by their names in KINDS.
    values: the value of each instance, float64 [n], or (row, value) of each that can be judged; called with the gold
        side, a run and a protocol. The value of a split is the mean of the instances that are judged.
    statistics: where the value of a split is no such mean, instead of `values` and called alike.
    free: whether it reads the texts of answers, which may be any, of several a list; ideal: the paragraph.
    vectors: whether it compares them by word vectors, of which a user names the file. complete: protocols under which a
        run must answer all and only the instances of the split.
    retrieved: whether it reads the documents and snippets on the lines; a missing line is in no mean.
    unit: how a value is shown; percent: 100 times as large. lowest, highest: the range of values, of which higher ones
        are better, and which may be negative; one that is infinite leaves intervals to the bootstrap.
    source: the paper and section, or the program, that defines it.
    """

    name: str
    what: str
    kinds: tuple[str, ...]
    unit: Unit
    source: str
    title: str = ""
    values: Values | None = None
    statistics: Callable[[Gold, Matched, str], Statistics] | None = None
    free: bool = False
    ideal: bool = False
    vectors: bool = False
    retrieved: bool = False
    complete: tuple[str, ...] = ()
    lowest: float = 0.0
    highest: float = 1.0

    def demand(self, kind: str, where: str) -> None:
        """Refuse a dataset of a kind that the measure does not judge. where: the dataset's folder."""
        if kind not in self.kinds:
            what = f"the measure {self.name!r} judges {', '.join(self.kinds)}, and this dataset holds {kind}"
            raise InputError(
                what, where, "choose another dataset, or another measure: see `anagnosis measures`"
            )

    @property
    def called(self) -> str:
        """How tables call it."""
        return self.title or self.name

    @property
    def heading(self) -> str:
        """The name at the beginning of a line."""
        return self.called[0].upper() + self.called[1:]

    def of_instances(self, gold: Gold, run: Matched, protocol: str) -> tuple[Floats, Bools]:
        """(`values`, 0 where an instance is not judged; which are judged): float64 and bool [n].

        Each must lie in the declared range; instances without gold answer may have any value.
        """
        if self.values is None:
            raise ValueError(f"the measure {self.name!r} has no value for each instance")
        given = self.values(gold, run, protocol)
        if isinstance(given, np.ndarray):
            found, judged = given, np.ones(len(gold), np.bool_)
        else:
            found, judged = np.zeros(len(gold)), np.zeros(len(gold), np.bool_)
            for row, value in given:
                found[row], judged[row] = value, True
        inside = (found >= self.lowest) & (found <= self.highest)
        outside = found[judged & ~inside & (gold.answer >= 0)]
        if len(outside):
            what = f"the measure {self.name!r} gave {outside[0]:g}, which is not in [{self.lowest:g}, {self.highest:g}]"
            raise InputError(what, "", "update the package that brings it")
        return found, judged

    def of_run(self, gold: Gold, run: Matched, protocol: str) -> Statistics:
        """Its statistics; those of a mean are each instance's value, and one."""
        if self.statistics is not None:
            return self.statistics(gold, run, protocol)
        values, judged = self.of_instances(gold, run, protocol)
        return Statistics(np.stack([values, judged.astype(np.float64)], axis=1), mean_of_sums, judged)


def mean_of_sums(sums: Floats) -> Floats:
    """Of sums of values and of ones […, 2]; NaN where nothing is counted."""
    with np.errstate(invalid="ignore"):
        return sums[..., 0] / sums[..., 1]


def named(name: str) -> Measure:
    """The measure of that name, ours or another package's."""
    found = registry.find(MEASURES, name, "measure", group=GROUP)
    if not isinstance(found, Measure):
        raise InputError(f"the measure {name!r} is no Measure", GROUP, "update or remove that package")
    return found


def described() -> dict[str, str]:
    """Name → what each measure is, with its kinds and unit; only the fault of a foreign package that does not load."""
    found: dict[str, str] = {}
    for name in registry.known(MEASURES, GROUP):
        try:
            measure = named(name)
        except InputError as fault:
            found[name] = fault.what
        else:
            found[name] = f"{measure.what} ({', '.join(measure.kinds)}; {measure.unit})"
    return found
