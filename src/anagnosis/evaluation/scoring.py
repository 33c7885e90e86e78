"""Score one system: measures with intervals, taken apart, with all that did not fit and their signatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from anagnosis.array_types import Bools, Codes, Longs
from anagnosis.datasets.folder.store import short
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.breakdown import Breakdown, Factor, breakdown, factors
from anagnosis.evaluation.classes import Classes, Majority, classes, majority
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.evaluation.phase_b.rules import RULES
from anagnosis.evaluation.protocols import BY_SCORES, demand_fit
from anagnosis.evaluation.run_measurements import RunMeasurements, demand_values, measure_runs
from anagnosis.evaluation.signature import Signature
from anagnosis.evaluation.systems import System, Training, problems_of
from anagnosis.predictions import Matched, Problem
from anagnosis.predictions.annotators import OUTSIDE


@dataclass(frozen=True, slots=True)
class Score:
    """What the predictions of one system or person are worth on a split.

    view: what the system saw, None where nobody said. measures: by name, the first one first in every table.
    instances: those that count; withheld: those without a gold answer, which do not. unanswered: of those that
    count; tied: of them, those whose highest score is shared; both and the problems are of all runs together.
    classes, majority: where all instances have the same labels. training: what is known of it; place: of the system
    among those that the user gave. changed: the share of instances that not all runs answer alike, None of one run.
    """

    name: str
    split: str
    view: str | None
    annotator: str | None
    group: str | None
    protocol: str
    unit: str
    measures: dict[str, Estimate]
    instances: int
    documents: int
    withheld: int
    unanswered: int
    tied: int
    breakdowns: tuple[Breakdown, ...]
    classes: Classes | None
    majority: Majority | None
    problems: dict[str, Problem]
    training: Training | None = None
    place: int = 0
    changed: Estimate | None = None

    @property
    def estimate(self) -> Estimate:
        """By the first measure."""
        return next(iter(self.measures.values()))

    @property
    def signature(self) -> str:
        """Of the first measure."""
        return self.estimate.signature


def score(
    gold: Gold,
    system: System,
    *,
    protocol: str,
    measures: Sequence[str] = ("accuracy",),
    unit: str = "document",
    train: Gold | None = None,
    further_factors: Sequence[Factor] = (),
    asked: Longs | None = None,
) -> Score:
    """unit: what intervals take as independent. train: the train part, for the break-down by familiarity.

    further_factors: to break scores down by, which the gold side does not know. asked: int64, the instances that count,
    where people were asked some of the split (default: all).
    """
    judging = [named(name) for name in measures]
    free = all(measure.free for measure in judging)
    demand_fit(gold, system.runs, protocol, judging, asked=asked, people=system.people)
    retrieved = all(measure.retrieved for measure in judging)
    rows_of = {measure.name: judged_rows(gold, measure) for measure in judging}
    if asked is not None:
        rows_of = {name: np.intersect1d(own, asked) for name, own in rows_of.items()}
        if not all(map(len, rows_of.values())):
            what = f"none of the {len(asked):,} instances that people were asked has a gold answer"
            raise InputError(what, f"{gold.dataset} {gold.split}", "leave --measure and --labels away")
    rows = np.unique(np.concatenate([*rows_of.values()]))
    documents = gold.document[rows]
    measurements = {
        measure.name: measure_runs(gold, system, measure, protocol, rows_of[measure.name])
        for measure in judging
    }
    found = {
        name: signed_estimate(
            gold,
            system,
            own,
            protocol,
            gold.document[rows_of[name]] if unit == "document" else None,
            system.view,
        )
        for name, own in measurements.items()
    }
    tied = np.array([run.tied[rows] for run in system.runs])
    silent = np.array(
        [
            _silent(run, retrieved=retrieved, ideal=all(own.ideal for own in judging))[rows]
            for run in system.runs
        ]
    )
    if protocol in BY_SCORES:
        silent &= tied == 0
    return Score(
        name=system.name,
        split=gold.split,
        view=system.view,
        annotator=system.runs[0].annotator if len(system.runs) == 1 else None,
        group=system.runs[0].group,
        protocol=protocol,
        unit=unit,
        measures=found,
        instances=len(rows),
        documents=len(np.unique(documents)),
        withheld=len(gold if asked is None else asked) - len(rows),
        unanswered=int(silent.sum()),
        tied=int((tied > 1).sum()),
        breakdowns=tuple(
            breakdown(gold, factor, measurements, rows, rows_of)
            for factor in (*factors(gold, train), *further_factors)
        ),
        classes=classes(gold, system, rows) if gold.labels and not (free or retrieved) else None,
        majority=None if free or retrieved else majority(gold, rows),
        problems=problems_of(system, free=free or retrieved),
        training=system.training,
        place=system.place,
        changed=_changed(system.runs),
    )


def runs_setting(systems: Sequence[System]) -> tuple[tuple[str, str], ...]:
    """For a signature: how many runs each system has, and how many of them are folds; nothing where all have one.

    Where there are language models: how each was asked, "-" of another system.
    """
    counts = {
        "runs": [len(system.runs) for system in systems],
        "folds": [len(system.runs) if system.folds else 0 for system in systems],
    }
    least = {"runs": 1, "folds": 0}
    found = [(name, ",".join(map(str, own))) for name, own in counts.items() if max(own) > least[name]]
    asked = [[note.asked for note in system.language_models] for system in systems]
    for name in dict.fromkeys(chain.from_iterable(chain.from_iterable(asked))):
        each = ("+".join(dict.fromkeys(facts[name] for facts in own)) or "-" for own in asked)
        found.append((name, ",".join(each)))
    return tuple(found)


def _changed(runs: Sequence[Matched]) -> Estimate | None:
    """The share, of the instances that some run answers, to which not all give the same answer; None of one run."""
    choices = np.array([run.choice for run in runs])
    answered = np.any([run.answered for run in runs], axis=0)
    if len(runs) == 1 or not answered.any():
        return None
    differ = (choices != choices[0]).any(axis=0)
    for row in np.flatnonzero((choices == OUTSIDE).all(axis=0)).tolist():
        differ[row] = len({run.texts[row] for run in runs if run.texts is not None}) > 1
    return estimate(differ[answered].astype(np.float64))


def _silent(run: Matched, *, retrieved: bool, ideal: bool) -> Bools:
    """bool [n], whether a line gives nothing. retrieved, ideal: of what measures of those read."""
    if ideal and run.ideals is not None:
        return np.array([not paragraph for paragraph in run.ideals], np.bool_)
    if retrieved and run.retrieved is not None:
        return np.array([items is None for items in run.retrieved], np.bool_)
    return ~run.answered


def judged_rows(gold: Gold, measure: Measure) -> Longs:
    """The instances that a measure may judge: `scored_rows`, of retrieved items all."""
    if not measure.retrieved:
        return scored_rows(gold, free=measure.free)
    if gold.relevant is None or not any(items.documents or items.snippets for items in gold.relevant()):
        where = f"{gold.dataset} {gold.split}"
        raise InputError("no gold documents or snippets to score against", where, "name another split")
    return np.arange(len(gold))


def scored_rows(gold: Gold, *, free: bool = False) -> Longs:
    """The instances that have a gold answer; of sentences all. A split without any cannot be scored.

    free: for a measure of texts, which judges a cloze question by its right texts, whether or not a candidate is one.
    """
    by_text = free and gold.exact is not None and not gold.labels
    known = [entries is not None for entries in gold.exact or ()] if by_text else gold.answer >= 0
    rows = np.flatnonzero(known)
    if not len(rows):
        what = "no gold answers to score against"
        if gold.holds_answer is not None:
            what = "no sentence is said to hold an answer"
        raise InputError(what, f"{gold.dataset} {gold.split}", "name another split")
    return rows if gold.holds_answer is None else np.arange(len(gold))


def signed_estimate(
    gold: Gold,
    system: System,
    measurements: RunMeasurements,
    protocol: str,
    clusters: Codes | None,
    view: str | None,
) -> Estimate:
    """A system's value with its interval and signature. clusters: int [m], equal for instances that are one unit."""
    value = demand_values(measurements, system.name).estimate(clusters)
    drawn = value.interval is not None and value.interval.method.startswith("bootstrap")
    signed = signature(
        gold,
        n=measurements.n,
        protocol=protocol,
        measure=measurements.measure.name,
        view=view,
        seed=0 if drawn else None,
        settings=runs_setting([system]),
    )
    is_single = system.untrained and len(system.runs) == 1
    return replace(value, runs=() if is_single else value.runs, signature=str(signed))


def signature(
    gold: Gold,
    *,
    n: int,
    protocol: str,
    measure: str = "accuracy",
    view: str | None = None,
    seed: int | None = None,
    settings: tuple[tuple[str, str], ...] = (),
) -> Signature:
    """The signature of a number over n instances of the split.

    It names the word vectors that the measure reads, and the function by which the protocol compares answers.
    """
    if gold.vectors is not None and named(measure).vectors:
        settings = (*settings, ("vectors", gold.vectors.described))
    if protocol in RULES:
        settings = (*settings, *RULES[protocol].settings)
    return Signature(
        dataset=gold.dataset,
        fingerprint=short(gold.fingerprint),
        split=gold.split,
        view=view,
        protocol=protocol,
        measure=measure,
        n=n,
        seed=seed,
        settings=settings,
    )
