"""What readers reach that do not read (submissions/shortcut_readers.py), and systems on the hard subset.

The hard subset is what none of those readers points at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Bools
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.table import named as kind_named
from anagnosis.datasets.shortcuts import Shortcut
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import demand_fit, usual_protocol
from anagnosis.evaluation.run_measurements import demand_values, measure_runs
from anagnosis.evaluation.scoring import judged_rows, scored_rows, signature
from anagnosis.evaluation.systems import System
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
class OnHard:
    """The systems of a view on the hard subset, measured as a set of its own; None where it has no value."""

    view: str | None
    systems: dict[str, Estimate | None]
    signature: str


@dataclass(frozen=True, slots=True)
class MeasuredShortcuts:
    """By one measure. best: the name of the best reader."""

    readers: tuple[ShortcutScore, ...]
    best: str
    signature: str
    on_hard: tuple[OnHard, ...]


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
    view: str | None = None,
) -> Shortcuts:
    """systems: view → name → system. view: that of the readers.

    protocol: by which systems are judged; readers are judged by the usual one of the kind, under which ties of cloze
    candidates stand by their expectation.
    """
    for each in systems.values():
        for system in each.values():
            demand_fit(gold, system.runs, protocol, [named(name) for name in measures])
    hardest = scored_rows(gold)[hard_subset(gold, readers)]

    def measured(name: str) -> MeasuredShortcuts:
        measure = named(name)
        rows = judged_rows(gold, measure)
        clusters = gold.document[rows] if unit == "document" else None
        hard = np.flatnonzero(np.isin(rows, hardest))
        usual = usual_protocol(kind_named(gold.kind), measure)

        def signed(saw: str | None, counted: str, n: int, *settings: tuple[str, str]) -> str:
            own = (("unit", unit), *settings)
            return str(signature(gold, n=n, protocol=counted, measure=name, view=saw, seed=0, settings=own))

        def on_hard(system: System) -> Estimate | None:
            found = demand_values(measure_runs(gold, system, measure, protocol, rows), system.name)
            part = found.alone(hard) if len(hard) else None
            return part and part.estimate(None if clusters is None else clusters[hard])

        known = {
            one.name: demand_values(measure_runs(gold, System.alone(one.run), measure, usual, rows), one.name)
            for one in readers
            if one.run is not None
        }
        sign = 1 if measure.higher_is_better else -1
        return MeasuredShortcuts(
            readers=tuple(
                ShortcutScore(
                    one.name,
                    known[one.name].estimate(clusters) if one.name in known else None,
                    one.undefined,
                )
                for one in readers
            ),
            best=max(known, key=lambda one: sign * known[one].values.mean()),
            signature=signed(view, usual, len(rows)),
            on_hard=tuple(
                OnHard(
                    saw,
                    {called: on_hard(system) for called, system in each.items()},
                    signed(saw, protocol, len(hard), ("hard", view or "global")),
                )
                for saw, each in systems.items()
                if each
            ),
        )

    of_measures = {name: measured(name) for name in measures}
    return Shortcuts(gold.split, card, len(scored_rows(gold)), len(hardest), of_measures)


def hard_subset(gold: Gold, readers: Iterable[ShortcutReader]) -> Bools:
    """bool [m]: the instances with a gold answer that no reader points at."""
    pointed = [reader.points for reader in readers if reader.points is not None]
    return ~np.any(pointed, axis=0) & (gold.answer[scored_rows(gold)] >= 0)
