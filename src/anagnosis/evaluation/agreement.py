"""People beside systems: their accuracy, how much they left unanswered, how far they agree (BIOMRC, Tables 4 and 5).

The instances are those that anybody was asked: of a collected study its questions, else those with a line of a person.
A person without a line for an instance that others were asked did not answer it. "Could not answer" is treated in the
three ways of `kappa.py`; in an accuracy its own label and wrong are the same, a wrong answer.

A group's accuracy is the mean of its people's, as in the paper, not that of all their answers. Its interval counts
instances, not answers, as independent, for all of them answered the same questions. By further measures (CliCR, Table 4
and Figure 5) a group is a system whose runs are its people: the mean of their values, and documents are independent.

Groups are tested beside groups and systems (`group_comparison.py`), each pair on the instances that both were asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from anagnosis.array_types import Longs
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.breakdown import Factor
from anagnosis.evaluation.classes import Classes, classes
from anagnosis.evaluation.group_comparison import GroupComparison, compare_groups
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.kappa import DRAWS, TREATMENTS, Kappa, Treatment
from anagnosis.evaluation.measures.accuracy import credits as accuracy
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people import asked_of, group_of, groups_of, kappas_of, name_of
from anagnosis.evaluation.protocols import people_protocol
from anagnosis.evaluation.results import ScoredDataset, Settings
from anagnosis.evaluation.run_measurements import measure_runs
from anagnosis.evaluation.scoring import Score, score, signature
from anagnosis.evaluation.signature import SCORE_COLUMNS, pair_rows, score_row
from anagnosis.evaluation.systems import System, problems_of
from anagnosis.io.tables import WithTable
from anagnosis.predictions import UNANSWERED, Matched, Problem


@dataclass(frozen=True, slots=True)
class Person:
    """One annotator. answered: of all instances that count; unanswered: the share of them without an answer.

    accuracy: by treatment, None where nothing was answered. seconds: the median of the times that were noted.
    macro_f1, classes: where all instances have the same labels.
    """

    name: str
    group: str
    answered: int
    unanswered: float
    accuracy: dict[Treatment, Estimate | None]
    seconds: float | None
    problems: dict[str, Problem]
    macro_f1: Estimate | None = None
    classes: Classes | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The people of one group. unanswered: the mean of their shares. kappa: None for a single person."""

    name: str
    people: tuple[str, ...]
    unanswered: float
    accuracy: dict[Treatment, Estimate | None]
    kappa: dict[Treatment, Kappa | None]


@dataclass(frozen=True, slots=True)
class PairOfPeople:
    """Two people of one group."""

    first: str
    second: str
    group: str
    kappa: dict[Treatment, Kappa | None]


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """A system on the same instances; None where none of them has a gold answer."""

    name: str
    estimate: Estimate | None
    problems: dict[str, Problem]
    macro_f1: Estimate | None = None
    classes: Classes | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(WithTable):
    """instances: asked of anybody and with a gold answer; kappas need none and are over all that were asked.

    protocol: for the systems. dataset: None where predictions were matched without one. scores: of groups, people and
    systems in this order, on the instances that were asked, by the measures that were asked for and by a user's labels;
    of groups only where one has several people. comparisons: by measure, of groups with groups and systems.
    """

    instances: int
    asked: int
    people: tuple[Person, ...]
    groups: tuple[Group, ...]
    pairs: tuple[PairOfPeople, ...]
    systems: tuple[ComparedSystem, ...]
    split: str
    protocol: str
    signature: str
    dataset: ScoredDataset | None = None
    scores: tuple[Score, ...] = ()
    comparisons: tuple[GroupComparison, ...] = ()
    _COLUMNS: ClassVar[Mapping[str, str]] = {**SCORE_COLUMNS, "unanswered": "string"}

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """Accuracies, kappas, macro-F1, further scores, differences of groups. unanswered: how that was treated."""
        line = self.signature
        for own in (*self.groups, *self.people):
            for treatment, value in own.accuracy.items():
                if value is not None:
                    yield *score_row(line, own.name, value.value, value.interval, n=value.n), treatment
        for own in (*self.groups, *self.pairs):
            name = own.name if isinstance(own, Group) else f"{own.first}, {own.second}"
            for treatment, kappa in own.kappa.items():
                if kappa is not None:
                    row = score_row(
                        line, name, kappa.value, kappa.bootstrap, measure="kappa", n=round(kappa.instances)
                    )
                    yield *row, treatment
        for own in (*self.people, *self.systems):
            estimates = {"macro_f1": own.macro_f1}
            if isinstance(own, ComparedSystem):
                estimates["accuracy"] = own.estimate
            for name, value in estimates.items():
                if value is not None:
                    row = score_row(line, own.name, value.value, value.interval, measure=name, n=value.n)
                    yield *row, None
        for each in self.scores:
            for own in each.measures.values():
                yield *score_row(own.signature, each.name, own.value, own.interval), None
        for each in self.comparisons:
            tested = [pair.tested for pair in each.pairs]
            yield from ((*row, None) for row in pair_rows(each.signature, each.measure, tested))


def scores_of_asked(
    gold: Gold,
    people: Sequence[Matched],
    systems: Sequence[System],
    settings: Settings,
    factors: Sequence[Factor] = (),
    view: str | None = None,
) -> tuple[Score, ...]:
    """The scores of groups and people, by their answers, of systems by the protocol, on all that anybody was asked.

    Intervals are by document, those of slices by instance. factors: of breakdowns. view: in which people
    answered.
    """
    members = groups_of(people)
    groups = [own.as_system for own in members] if len(members) < len(people) else []
    alone = [replace(System.alone(person), people=True) for person in people]
    scored = [*(replace(own, view=view) for own in (*groups, *alone)), *systems]
    by_answers = people_protocol(gold, settings.protocol)
    found = [
        score(
            gold,
            replace(system, place=place),
            protocol=by_answers if system.people else settings.protocol,
            measures=settings.measures,
            further_factors=factors,
            asked=asked_of(people),
        )
        for place, system in enumerate(scored)
    ]
    return (*(replace(each, annotator=None) for each in found[: len(groups)]), *found[len(groups) :])


def agreement(
    gold: Gold,
    people: Sequence[Matched],
    systems: Sequence[System] = (),
    *,
    protocol: str,
    seed: int,
    measures: Sequence[str] = ("accuracy",),
    measures_protocol: str | None = None,
    draws: int = DRAWS,
    view: str | None = None,
) -> Agreement:
    """protocol: for the systems; people are taken by their answers. measures: by which groups are compared.

    measures_protocol: for the systems by these measures (default: protocol). seed, draws: of the bootstrap and of
    randomisation. view: in which people answered.
    """
    names = [name_of(person) for person in people]
    if not names:
        raise InputError("nobody's answers", "", "give predictions of people; their lines carry `annotator`")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"annotator {name!r} has two files", "", "give each person's answers once")
    asked = asked_of(people)
    rows = asked[gold.answer[asked] >= 0]
    members = groups_of(people)
    kappas = [kappas_of(gold, group, asked, seed, draws) for group in members]
    settings = (("people", "answer"),)
    if view and (others := {str(system.view) for system in systems if system.view not in (view, None)}):
        settings += (("systems", ",".join(sorted(others))),)
    drawn = (("draws", str(draws)), ("asked", str(len(asked))), *settings)
    signed = signature(gold, n=len(rows), protocol=protocol, view=view, seed=seed, settings=drawn)
    return Agreement(
        instances=len(rows),
        asked=len(asked),
        people=tuple(
            _person(gold, name, person, asked, rows, protocol)
            for name, person in zip(names, people, strict=True)
        ),
        groups=tuple(
            Group(
                name=group.name,
                people=group.names,
                unanswered=float(np.mean([_silence(person, asked) for person in group.people])),
                accuracy=_accuracies(gold, group.people, rows),
                kappa={treatment: own and own.mean for treatment, own in found.items()},
            )
            for group, found in zip(members, kappas, strict=True)
        ),
        pairs=tuple(
            PairOfPeople(
                first,
                second,
                group.name,
                {treatment: own and own.each[place] for treatment, own in found.items()},
            )
            for group, found in zip(members, kappas, strict=True)
            for place, (first, second) in enumerate(combinations(group.names, 2))
        ),
        systems=tuple(_system(gold, system, rows, protocol) for system in systems),
        split=gold.split,
        protocol=protocol,
        signature=str(signed),
        comparisons=compare_groups(
            gold,
            members,
            systems,
            measures=measures,
            protocol=measures_protocol or protocol,
            seed=seed,
            draws=draws,
            view=view,
            settings=settings,
        ),
    )


def _person(gold: Gold, name: str, person: Matched, asked: Longs, rows: Longs, protocol: str) -> Person:
    seconds = person.seconds[asked]
    return Person(
        name=name,
        group=group_of(person),
        answered=int((person.choice[asked] != UNANSWERED).sum()),
        unanswered=_silence(person, asked),
        accuracy=_accuracies(gold, [person], rows),
        seconds=float(np.nanmedian(seconds)) if np.isfinite(seconds).any() else None,
        problems=person.problems,
        **_by_class(gold, System.alone(person), rows, protocol),
    )


def _system(gold: Gold, system: System, rows: Longs, protocol: str) -> ComparedSystem:
    runs = [accuracy(gold, run, protocol)[rows] for run in system.runs]
    worth = estimate(np.array(runs)) if len(rows) else None
    return ComparedSystem(system.name, worth, problems_of(system), **_by_class(gold, system, rows, protocol))


def _by_class(gold: Gold, system: System, rows: Longs, protocol: str) -> dict[str, Any]:
    """Macro-F1 and the classes."""
    if not gold.labels or not len(rows):
        return {}
    macro_f1 = measure_runs(gold, system, named("macro_f1"), protocol, rows).estimate()
    return {"macro_f1": macro_f1, "classes": classes(gold, system, rows)}


def _accuracies(gold: Gold, people: Sequence[Matched], rows: Longs) -> dict[Treatment, Estimate | None]:
    """The mean of the people's accuracies, a single one with Wilson's interval; None where nobody's answers count."""
    credits = np.array([accuracy(gold, person, "answer")[rows] for person in people])
    answered = np.array([person.choice[rows] != UNANSWERED for person in people])
    found: dict[Treatment, Estimate | None] = {}
    for treatment in TREATMENTS:
        counts = answered if treatment == "left out" else np.ones_like(answered)
        some = counts.any(axis=1)
        found[treatment] = estimate(credits[some], judged=counts[some]) if some.any() else None
    return found


def _silence(person: Matched, rows: Longs) -> float:
    return float(np.mean(person.choice[rows] == UNANSWERED))
