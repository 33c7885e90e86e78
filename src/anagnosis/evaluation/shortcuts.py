"""What readers reach that do not read (submissions/shortcut_readers.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.table import named as kind_named
from anagnosis.datasets.shortcuts import Shortcut
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import usual_protocol
from anagnosis.evaluation.run_measurements import measure_runs
from anagnosis.evaluation.scoring import judged_rows, signed_estimate
from anagnosis.evaluation.systems import System
from anagnosis.predictions import Matched


@dataclass(frozen=True, slots=True)
class ShortcutScore:
    """measures: of a shortcut reader, by name; none where it is undefined, and why."""

    name: str
    measures: dict[str, Estimate]
    undefined: str


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """card: what instances have, by dataset part. readers: what they reach on a split."""

    split: str
    card: tuple[Shortcut, ...]
    readers: tuple[ShortcutScore, ...]


def shortcuts(
    gold: Gold,
    card: tuple[Shortcut, ...],
    readers: Mapping[str, Matched | str],
    *,
    measures: Sequence[str],
    unit: str,
    view: str | None = None,
) -> Shortcuts:
    """readers: name → answers, or why it is undefined. view: that of the readers, which are judged by the usual
    protocol of the kind, under which ties of cloze candidates stand by their expectation.
    """

    def measured(name: str, run: Matched) -> Estimate:
        measure, reader = named(name), System.alone(run)
        rows, protocol = judged_rows(gold, measure), usual_protocol(kind_named(gold.kind), measure)
        clusters = gold.document[rows] if unit == "document" else None
        found = measure_runs(gold, reader, measure, protocol, rows)
        return signed_estimate(gold, reader, found, protocol, clusters, view)

    scores = [
        ShortcutScore(reader, {}, run)
        if isinstance(run, str)
        else ShortcutScore(reader, {name: measured(name, run) for name in measures}, "")
        for reader, run in readers.items()
    ]
    return Shortcuts(gold.split, card, tuple(scores))
