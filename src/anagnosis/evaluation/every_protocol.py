"""Every system under every protocol of exact answers and every measure, with tests (the thesis, 5.4).

The same answers are worth something else under each protocol, so figures of two protocols say nothing beside each
other. Under an edition of the organisers' program that stops at a system's answers, that system has no figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from anagnosis.datasets.folder.store import Dataset, instances
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import EXACT_TYPES, QuestionInstance
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.comparison import UNITS, Comparison, compare_every_pair
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.phase_b.questions import OrganisersProgramError
from anagnosis.evaluation.phase_b.rules import pairs, rules_of
from anagnosis.evaluation.phase_b.similar_answers import SimilarAnswer, similar_answers
from anagnosis.evaluation.protocols import SCORING, hold_answers
from anagnosis.evaluation.results import ScoredDataset, SplitSystems
from anagnosis.evaluation.run_measurements import measure_runs
from anagnosis.evaluation.scoring import scored_rows, signed_estimate
from anagnosis.evaluation.systems import System, distinct_names, problems_of
from anagnosis.predictions import Problem
from anagnosis.showing import WithReport


@dataclass(frozen=True, slots=True)
class SystemUnder:
    """A system under one protocol. measures: by name, without those that no question counts for.

    stopped: at what the organisers' program stops; there are no measures then.
    """

    name: str
    measures: dict[str, Estimate]
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class UnderProtocol:
    """what: the protocol in one line. comparisons: by measure, of the systems that have figures, where there are two.

    Each is corrected for all pairs of its ranking.
    """

    name: str
    what: str
    systems: tuple[SystemUnder, ...]
    comparisons: dict[str, Comparison]


@dataclass(frozen=True, slots=True, repr=False)
class EveryProtocol(WithReport):
    """measures: those that count questions that a system answers. unit: what is independent. seed, draws: of the tests.

    problems: of each system, what of its lines did not fit, and what it was trained on.
    similar: the answers that are right by similarity alone, by question; None where nobody asked for them.
    """

    dataset: ScoredDataset
    split: str
    measures: tuple[str, ...]
    unit: str
    seed: int
    draws: int
    protocols: tuple[UnderProtocol, ...]
    problems: dict[str, dict[str, Problem]]
    similar: tuple[SimilarAnswer, ...] | None = None


def every_protocol(
    dataset: Dataset,
    entered: SplitSystems,
    *,
    unit: str = "document",
    seed: int = 0,
    draws: int = 10_000,
    similar: bool = False,
) -> EveryProtocol:
    """All protocols of the dataset's kind. entered: systems whose lines hold exact answers.

    similar: list the answers that are right under `fuzzy-90` alone, too.
    """
    if unit not in UNITS:
        raise unknown_name("unit", unit, UNITS)
    kind, own, gold = dataset.kind, SCORING[dataset.kind.name], entered.gold
    if not kind.is_free:
        what = f"{kind.holds} have no exact answers"
        raise InputError(what, str(dataset.folder), "see `anagnosis score`")
    runs = [run for system in entered.systems for run in system.runs]
    if not hold_answers(runs, kind.labels):
        what = "the lines hold no exact answers"
        raise InputError(what, entered.systems[0].name, "see `anagnosis score` for types of questions")
    measures = tuple(
        name
        for name in own.free_measures
        if any(_answers_any(gold, system, name, own.free_protocols[0]) for system in entered.systems)
    )
    each = tuple(_under(entered, name, measures, unit, seed, draws) for name in own.free_protocols)
    of_systems = zip(distinct_names(entered.systems), entered.systems, strict=True)
    problems = {name: problems_of(system, free=True) for name, system in of_systems}
    found = ScoredDataset.of(dataset, [gold])
    listed = _similar(dataset, entered) if similar else None
    return EveryProtocol(found, gold.split, measures, unit, seed, draws, each, problems, listed)


def _similar(dataset: Dataset, entered: SplitSystems) -> tuple[SimilarAnswer, ...]:
    gold = entered.gold
    names = distinct_names(entered.systems)
    runs = [(name, run) for name, system in zip(names, entered.systems, strict=True) for run in system.runs]
    asked = (each for each in instances(dataset, gold.split, of=QuestionInstance) if each.type in EXACT_TYPES)
    return similar_answers(gold, runs, {each.id: each.question for each in asked})


def _under(
    entered: SplitSystems, protocol: str, measures: Sequence[str], unit: str, seed: int, draws: int
) -> UnderProtocol:
    gold = entered.gold
    found: list[SystemUnder] = []
    with_figures: dict[str, list[System]] = {name: [] for name in measures}
    for name, system in zip(distinct_names(entered.systems), entered.systems, strict=True):
        stopped = _stopped(gold, system, protocol)
        values: dict[str, Estimate] = {}
        for measure in () if stopped else measures:
            value = _measured(gold, system, measure, protocol, unit)
            if value is not None:
                values[measure] = value
                with_figures[measure].append(replace(system, name=name))
        found.append(SystemUnder(name, values, stopped))
    comparisons = {
        measure: compare_every_pair(
            gold, systems, protocol=protocol, unit=unit, seed=seed, measure=measure, draws=draws
        )
        for measure, systems in with_figures.items()
        if len(systems) > 1
    }
    return UnderProtocol(protocol, rules_of(protocol).what, tuple(found), comparisons)


def _answers_any(gold: Gold, system: System, name: str, protocol: str) -> bool:
    """Whether a run has a text for a question that the measure counts."""
    return any(
        run.texts is not None and any(run.texts[row] for row in np.flatnonzero(counted).tolist())
        for run in system.runs
        for counted in [named(name).of_run(gold, run, protocol).counted]
    )


def _stopped(gold: Gold, system: System, protocol: str) -> str:
    """At what the organisers' program stops; "" where it does not."""
    try:
        for run in system.runs:
            pairs(gold, run, protocol)
    except OrganisersProgramError as fault:
        return f"{fault.where}: {fault.what}"
    return ""


def _measured(gold: Gold, system: System, name: str, protocol: str, unit: str) -> Estimate | None:
    """None where no question counts, as of edition 9, which leaves out what a system does not answer, or where the
    system answers none of those that do.
    """
    rows = scored_rows(gold, free=True)
    measurements = measure_runs(gold, system, named(name), protocol, rows)
    if not measurements.has_value or not _answers_any(gold, system, name, protocol):
        return None
    clusters = gold.document[rows] if unit == "document" else None
    return signed_estimate(gold, system, measurements, protocol, clusters, system.view)
