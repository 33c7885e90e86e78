"""What systems have beyond readers that do not read: gains over the best of them, and the hard subset.

A system's gain is how much better it is than the best shortcut reader of the dataset's kind, in each measure asked for
(submissions/shortcut_readers.py). The hard subset is what none of those readers points at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Bools, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.table import named as kind_named
from anagnosis.datasets.shortcuts import Shortcut
from anagnosis.evaluation.intervals import Estimate, Interval
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import demand_fit, usual_protocol
from anagnosis.evaluation.run_measurements import RunMeasurements, demand_values, measure_runs
from anagnosis.evaluation.scoring import judged_rows, scored_rows, signature
from anagnosis.evaluation.systems import System
from anagnosis.evaluation.tested_pairs import Drawing, PairTests, decisive
from anagnosis.predictions import Matched


@dataclass(frozen=True, slots=True, eq=False)
class ShortcutReader:
    """run: its answers; points: bool [m], at which gold answers it points. None where it is undefined."""

    name: str
    run: Matched | None = None
    points: Bools | None = None
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class ShortcutScore:
    """score: of a shortcut reader by the measure; None where it is undefined, and why."""

    name: str
    score: Estimate | None
    undefined: str


@dataclass(frozen=True, slots=True)
class Gain:
    """A system beside the best shortcut reader. p: two-tailed, by randomisation, of several runs the larger one of that
    and of the test over runs. hard: its value on the hard subset, None where there is none.
    """

    name: str
    difference: float
    interval: Interval
    p: float
    hard: Estimate | None


@dataclass(frozen=True, slots=True)
class Gains:
    """The gains of a view's systems."""

    view: str | None
    systems: tuple[Gain, ...]
    signature: str


@dataclass(frozen=True, slots=True)
class MeasuredShortcuts:
    """By one measure. best: the name of the best reader."""

    readers: tuple[ShortcutScore, ...]
    best: str
    signature: str
    gains: tuple[Gains, ...]


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """card: what instances have, by dataset part. measures: what the readers reach on a split, by each measure.

    hard: of `instances` how many no reader points at.
    """

    split: str
    card: tuple[Shortcut, ...]
    instances: int
    hard: int
    measures: dict[str, MeasuredShortcuts]


def shortcuts(
    gold: Gold,
    card: tuple[Shortcut, ...],
    readers: Sequence[ShortcutReader],
    systems: Mapping[str | None, Mapping[str, System]],
    *,
    measures: Sequence[str],
    protocol: str,
    unit: str,
    seed: int,
    draws: int,
    view: str | None = None,
) -> Shortcuts:
    """systems: view → name → system. view: that of the readers.

    protocol: by which systems are judged; readers are judged by the usual one of the kind, under which ties of cloze
    candidates stand by their expectation.
    """
    rows = scored_rows(gold)
    for each in systems.values():
        for system in each.values():
            demand_fit(gold, system.runs, protocol, [named(name) for name in measures])
    hardest = rows[hard_subset(gold, readers)]

    def measured(name: str) -> MeasuredShortcuts:
        measure = named(name)
        rows = judged_rows(gold, measure)
        documents = gold.document[rows]
        drawing = Drawing(documents, documents if unit == "document" else None, draws, seed)
        hard = np.flatnonzero(np.isin(rows, hardest))

        def signed(saw: str | None, counted: str, *settings: tuple[str, str]) -> str:
            drawn = (("draws", str(draws)), ("unit", unit), *settings)
            return str(
                signature(
                    gold, n=len(rows), protocol=counted, measure=name, view=saw, seed=seed, settings=drawn
                )
            )

        def of(system: System, counted: str) -> RunMeasurements:
            return demand_values(measure_runs(gold, system, measure, counted, rows), system.name)

        usual = usual_protocol(kind_named(gold.kind), measure)
        known = {
            one.name: (alone := System(one.name, (one.run,), untrained=True), of(alone, usual))
            for one in readers
            if one.run is not None
        }
        best = best_reader({name: measurements for name, (_, measurements) in known.items()})
        return MeasuredShortcuts(
            readers=tuple(
                ShortcutScore(
                    one.name,
                    known[one.name][1].estimate(drawing.clusters) if one.name in known else None,
                    one.undefined,
                )
                for one in readers
            ),
            best=best,
            signature=signed(view, usual),
            gains=tuple(
                Gains(
                    saw,
                    tuple(
                        gains(
                            {name: (system, of(system, protocol)) for name, system in each.items()},
                            known[best],
                            drawing,
                            hard,
                        )
                    ),
                    signed(
                        saw,
                        protocol,
                        *([("shortcuts", view or "global")] if saw != view else []),
                        *([("shortcuts-protocol", usual)] if usual != protocol else []),
                    ),
                )
                for saw, each in systems.items()
                if each
            ),
        )

    return Shortcuts(gold.split, card, len(rows), len(hardest), {name: measured(name) for name in measures})


def hard_subset(gold: Gold, readers: Iterable[ShortcutReader]) -> Bools:
    """bool [m]: the instances with a gold answer that no reader points at."""
    pointed = [reader.points for reader in readers if reader.points is not None]
    return ~np.any(pointed, axis=0) & (gold.answer[scored_rows(gold)] >= 0)


def hard_ids(gold: Gold, readers: Sequence[ShortcutReader]) -> list[str]:
    """The ids of the hard subset, in the order of the split."""
    rows = scored_rows(gold)[hard_subset(gold, readers)].tolist()
    return [gold.ids.between(row, row + 1)[0] for row in rows]


def gains(
    systems: Mapping[str, tuple[System, RunMeasurements]],
    best: tuple[System, RunMeasurements],
    drawing: Drawing,
    hard: Longs,
) -> list[Gain]:
    """systems: name → itself and what the measure says of it. hard: int64, places among scored instances."""
    every = [*systems.values(), best]
    tests = PairTests.of(
        [system for system, _ in every], [measurements for _, measurements in every], drawing
    )
    place = len(systems)
    clusters = None if drawing.clusters is None else drawing.clusters[hard]
    made: list[Gain] = []
    for i, (name, (_, measurements)) in enumerate(systems.items()):
        difference = tests.sign * float(measurements.values.mean() - best[1].values.mean())
        on_hard = measurements.alone(hard) if len(hard) else None
        value = None if on_hard is None else on_hard.estimate(clusters)
        p = decisive(tests.randomisation(i, place, tests.drawing.clusters), tests.over_runs(i, place))
        made.append(Gain(name, difference, tests.interval(i, place), p, value))
    return made


def best_reader(readers: Mapping[str, RunMeasurements]) -> str:
    """The name of the best one by the measure, the first of several."""
    sign = {
        name: 1 if measurements.measure.higher_is_better else -1 for name, measurements in readers.items()
    }
    return max(readers, key=lambda name: sign[name] * readers[name].values.mean())
