"""PubMedQA's labelled questions as others ask them: which of them, what is read, and how an answer counts.

The same predictions give another number under each, and a number says nothing beside one of another harness.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from anagnosis.array_types import Longs
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import FREE, LABELS, QUESTION, REQUIRED
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import FIXED, OFFICIAL
from anagnosis.evaluation.run_measurements import measure_runs
from anagnosis.evaluation.systems import System
from anagnosis.showing import WithReport

_HALF = 500


@dataclass(frozen=True, slots=True)
class LabelledPlace:
    """Where a labelled question stands: its split here, and its place in the authors' file."""

    split: str
    place: int


@dataclass(frozen=True, slots=True)
class Harness:
    """asks: of which questions. called: these questions. views: what a system may have read.

    macro: how macro-F1 counts, FIXED or OFFICIAL; "" where only accuracy is reported. unread: the label that an answer
    which is none counts as, "" for none.
    """

    who: str
    called: str
    asks: Callable[[LabelledPlace], bool]
    views: tuple[str, ...] = (REQUIRED,)
    macro: str = ""
    unread: str = ""


@dataclass(frozen=True, slots=True)
class Under:
    """A system under a harness. missing: questions without a line; where there are any, nothing is scored.

    unread: answers that are no label, a mean over the runs.
    """

    questions: int
    missing: int
    unread: float = 0.0
    accuracy: Estimate | None = None
    macro_f1: Estimate | None = None


@dataclass(frozen=True, slots=True)
class SystemUnder:
    """A system under each harness, by its name in HARNESSES. view: what it read, None where nobody said."""

    name: str
    view: str | None
    harnesses: dict[str, Under]


@dataclass(frozen=True, slots=True, repr=False)
class Harnesses(WithReport):
    """dataset: its folder's name."""

    dataset: str
    systems: tuple[SystemUnder, ...]


def _test(place: LabelledPlace) -> bool:
    return place.split == "test"


_TEST, _EVERY, _LAST = "the 500 of test", "all labelled", "the last 500 of the file"
HARNESSES = {
    "official": Harness("the authors", _TEST, _test, (REQUIRED, FREE), OFFICIAL),
    "fixed": Harness("ours", _TEST, _test, (REQUIRED, FREE, QUESTION), FIXED),
    "fold-0": Harness("BLURB, BioGPT, lm-evaluation-harness, Meditron", _TEST, _test, (REQUIRED, FREE)),
    "all-1000": Harness("HELM, eva", _EVERY, lambda place: True),
    "question-only": Harness("MIRAGE, open_pubmedqa", _TEST, _test, (QUESTION,), unread="yes"),
    "last-500": Harness("Dr. LLaMA", _LAST, lambda place: place.place >= _HALF, macro=FIXED),
}


def under(gold: Gold, system: System, places: Mapping[str, LabelledPlace], harness: Harness) -> Under:
    """gold: of all splits. places: id → place of what people labelled."""
    ids = gold.ids.between(0, len(gold))
    asked = [row for row, ident in enumerate(ids) if ident in places and harness.asks(places[ident])]
    rows: Longs = np.array(asked, np.int64)
    rows = rows[gold.answer[rows] >= 0]
    missing = max(int((~run.has_line[rows]).sum()) for run in system.runs)
    if missing or not len(rows):
        return Under(len(rows), missing)
    unread = float(np.mean([(run.choice[rows] < 0).sum() for run in system.runs]))
    if harness.unread:
        label = LABELS.index(harness.unread)
        choices = (np.where(run.choice < 0, label, run.choice) for run in system.runs)
        runs = tuple(replace(run, choice=choice) for run, choice in zip(system.runs, choices, strict=True))
        system = replace(system, runs=runs)
    right = np.mean([run.choice[rows] == gold.answer[rows] for run in system.runs], axis=0)
    macro = None
    if harness.macro:
        macro = measure_runs(gold, system, named("macro_f1"), harness.macro, rows).estimate().of_all_runs
    return Under(len(rows), 0, unread, estimate(right), macro)
