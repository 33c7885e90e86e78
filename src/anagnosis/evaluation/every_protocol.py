"""Every system under every protocol of exact answers and every measure, with tests (the thesis, 5.4).

The same answers are worth something else under each protocol, so figures of two protocols say nothing beside each
other. Each protocol has the scores and comparisons by each measure of the systems that answer a question which it
counts. Where an edition of the organisers' program stops at a system's answers, that system has no figures.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from anagnosis.datasets.folder.store import Dataset, instances
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import EXACT_TYPES, QuestionInstance
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.comparison import UNITS
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.phase_b.questions import OrganisersProgramError
from anagnosis.evaluation.phase_b.rules import pairs, rules_of
from anagnosis.evaluation.phase_b.similar_answers import SimilarAnswer, similar_answers
from anagnosis.evaluation.protocols import SCORING, hold_answers
from anagnosis.evaluation.results import Results, ScoredDataset, Settings, SplitSystems, scored
from anagnosis.evaluation.systems import System, distinct_names, problems_of
from anagnosis.predictions import Problem
from anagnosis.showing import WithReport


@dataclass(frozen=True, slots=True)
class UnderProtocol:
    """what: the protocol in one line. results: one for each set of systems that have figures by the same measures.

    stopped: system → at what the organisers' program stops.
    """

    name: str
    what: str
    results: tuple[Results, ...]
    stopped: dict[str, str]


@dataclass(frozen=True, slots=True, repr=False)
class EveryProtocol(WithReport):
    """problems: of each system, what of its lines did not fit, and what it was trained on. similar: the answers that
    are right by similarity alone, by question; None where nobody asked for them.
    """

    dataset: ScoredDataset
    split: str
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
    names = distinct_names(entered.systems)
    systems = [replace(system, name=name) for system, name in zip(entered.systems, names, strict=True)]
    apart = SplitSystems(gold, tuple(systems))
    how = Settings("", own.free_measures, unit, seed=seed, draws=draws)
    return EveryProtocol(
        ScoredDataset.of(dataset, [gold]),
        gold.split,
        tuple(_under(dataset, apart, replace(how, protocol=name)) for name in own.free_protocols),
        {system.name: problems_of(system, free=True) for system in systems},
        _similar(dataset, gold, systems) if similar else None,
    )


def _under(dataset: Dataset, entered: SplitSystems, settings: Settings) -> UnderProtocol:
    """settings: with a protocol and all its measures."""
    gold, protocol = entered.gold, settings.protocol
    stopped = {system.name: _stopped(gold, system, protocol) for system in entered.systems}
    stopped = {name: why for name, why in stopped.items() if why}
    by_systems: dict[tuple[str, ...], list[str]] = {}
    for measure in settings.measures:
        figured = [
            system.name
            for system in entered.systems
            if system.name not in stopped and _answers(gold, system, measure, protocol)
        ]
        if figured:
            by_systems.setdefault(tuple(figured), []).append(measure)
    results: list[Results] = []
    for names, measures in by_systems.items():
        own = SplitSystems(gold, tuple(system for system in entered.systems if system.name in names))
        how = replace(settings, measures=tuple(measures))
        results.append(scored(dataset, {gold.split: own}, how, compared=True))
    return UnderProtocol(protocol, rules_of(protocol).what, tuple(results), stopped)


def _answers(gold: Gold, system: System, name: str, protocol: str) -> bool:
    """Whether each run has a question that the measure counts, and one of them has an answer to such a question."""
    counted = [np.flatnonzero(named(name).of_run(gold, run, protocol).counted) for run in system.runs]
    answered = [
        run.texts is not None and any(run.texts[row] for row in rows.tolist())
        for run, rows in zip(system.runs, counted, strict=True)
    ]
    return all(len(rows) for rows in counted) and any(answered)


def _stopped(gold: Gold, system: System, protocol: str) -> str:
    """At what the organisers' program stops; "" where it does not."""
    try:
        for run in system.runs:
            pairs(gold, run, protocol)
    except OrganisersProgramError as fault:
        return f"{fault.where}: {fault.what}"
    return ""


def _similar(dataset: Dataset, gold: Gold, systems: Iterable[System]) -> tuple[SimilarAnswer, ...]:
    runs = [(system.name, run) for system in systems for run in system.runs]
    asked = (each for each in instances(dataset, gold.split, of=QuestionInstance) if each.type in EXACT_TYPES)
    return similar_answers(gold, runs, {each.id: each.question for each in asked})
