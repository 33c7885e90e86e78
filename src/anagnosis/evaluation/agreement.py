"""People beside systems: their scores, how much they left unanswered, how far they agree (BIOMRC, Tables 4 and 5).

The instances are those that anybody was asked: of a collected study its questions, else those with a line of a person.
A person without a line for an instance that others were asked did not answer it, and so was wrong; the accuracy over
the answered ones alone stands beside it (BioRead). Kappa treats "could not answer" in the three ways of `kappa.py`.

A group is a system whose runs are its people (`people.py`): its value is the mean of theirs, as in the papers, and
intervals and tests are those of systems. Groups and systems are tested on the questions that every group was asked.
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
from anagnosis.evaluation.comparison import Comparison, compare_every_pair, protocol_for
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.kappa import DRAWS, Kappa, Treatment
from anagnosis.evaluation.measures.accuracy import credits as accuracy
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people import (
    PeopleOfGroup,
    asked_of,
    group_of,
    groups_of,
    kappas_of,
    name_of,
    title,
)
from anagnosis.evaluation.results import ScoredDataset
from anagnosis.evaluation.scoring import Score, judged_rows, score, signature
from anagnosis.evaluation.signature import SCORE_COLUMNS, pair_rows, score_row
from anagnosis.evaluation.systems import System, problems_of
from anagnosis.io.tables import WithTable
from anagnosis.predictions import UNANSWERED, Matched, Problem

LEFT_OUT: Treatment = "left out"


@dataclass(frozen=True, slots=True)
class Person:
    """One annotator. answered: of all instances that were asked; unanswered: the share of them without an answer.

    left_out: the accuracy over the answered ones alone; None where there are none, or accuracy was not asked for.
    seconds: the median of the times that were noted.
    """

    name: str
    group: str
    answered: int
    unanswered: float
    left_out: Estimate | None
    seconds: float | None
    problems: dict[str, Problem]


@dataclass(frozen=True, slots=True)
class Group:
    """The people of one group. unanswered, left_out: means over them. kappa: None for a single person."""

    name: str
    people: tuple[str, ...]
    unanswered: float
    left_out: Estimate | None
    kappa: dict[Treatment, Kappa | None]

    @property
    def title(self) -> str:
        """What tables call it."""
        return title(self.name, len(self.people))


@dataclass(frozen=True, slots=True)
class PairOfPeople:
    """Two people of one group."""

    first: str
    second: str
    group: str
    kappa: dict[Treatment, Kappa | None]


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(WithTable):
    """instances: asked of anybody and with a gold answer; kappas need none and are over all that were asked.

    protocol: for the systems. dataset: None where predictions were matched without one. scores: of groups, people and
    systems in this order, on the instances that were asked; of groups only where one has several people; none without
    gold answers. comparisons: by measure, of groups and systems; none where there is nothing to compare.
    """

    instances: int
    asked: int
    people: tuple[Person, ...]
    groups: tuple[Group, ...]
    pairs: tuple[PairOfPeople, ...]
    split: str
    protocol: str
    signature: str
    dataset: ScoredDataset | None = None
    scores: tuple[Score, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    _COLUMNS: ClassVar[Mapping[str, str]] = {**SCORE_COLUMNS, "unanswered": "string"}

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """Scores, accuracies over answered ones, kappas, differences. unanswered: how that was treated."""
        line = self.signature
        for each in self.scores:
            for own in each.measures.values():
                yield *score_row(own.signature, each.name, own.value, own.interval), None
        called = [(own.title, own) for own in self.groups] + [(own.name, own) for own in self.people]
        for name, own in called:
            if (value := own.left_out) is not None:
                yield *score_row(line, name, value.value, value.interval, n=value.n), LEFT_OUT
        kappas = [(own.title, own.kappa) for own in self.groups]
        kappas += [(f"{own.first}, {own.second}", own.kappa) for own in self.pairs]
        for name, by_treatment in kappas:
            for treatment, kappa in by_treatment.items():
                if kappa is not None:
                    row = score_row(
                        line, name, kappa.value, kappa.bootstrap, measure="kappa", n=round(kappa.instances)
                    )
                    yield *row, treatment
        for each in self.comparisons:
            rows = pair_rows(each.signature, each.measure, each.differences)
            yield from ((*row, None) for row in rows)


def agreement(
    gold: Gold,
    people: Sequence[Matched],
    systems: Sequence[System] = (),
    *,
    protocol: str,
    seed: int,
    measures: Sequence[str] = ("accuracy",),
    draws: int = DRAWS,
    view: str | None = None,
    factors: Sequence[Factor] = (),
) -> Agreement:
    """protocol: for the systems; people are taken by their answers. measures: of scores and comparisons.

    seed, draws: of the bootstrap and of randomisation. view: in which people answered. factors: of breakdowns.
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
    free = all(named(name).free for name in measures)
    judged = rows if "accuracy" in measures else rows[:0]
    found = Agreement(
        instances=len(rows),
        asked=len(asked),
        people=tuple(
            _person(gold, name, person, asked, judged, free=free)
            for name, person in zip(names, people, strict=True)
        ),
        groups=tuple(
            Group(
                name=group.name,
                people=group.names,
                unanswered=float(np.mean([_silence(person, asked) for person in group.people])),
                left_out=_left_out(gold, group.people, judged),
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
        split=gold.split,
        protocol=protocol,
        signature=str(signed),
    )
    if not len(rows) and not any(named(name).free for name in measures):
        return found  # no gold answers, as the report says
    beside = [*(group.as_system for group in members), *systems]
    comparisons = [
        compare_every_pair(
            gold,
            beside,
            protocol=protocol,
            unit="document",
            seed=seed,
            measure=measure,
            draws=draws,
            view=view,
            asked=common,
            settings=settings,
        )
        for measure in measures
        if len(beside) > 1 and len(common := _asked_of_all(gold, members, measure))
    ]
    shown = [group.as_system for group in members] if len(members) < len(people) else []
    shown += [replace(System.alone(person), people=True) for person in people]
    shown = [*(replace(own, view=view) for own in shown), *systems]
    scores = _scores(gold, shown, asked, protocol, measures, factors)
    return replace(found, scores=scores, comparisons=tuple(comparisons))


def _scores(
    gold: Gold,
    systems: Sequence[System],
    asked: Longs,
    protocol: str,
    measures: Sequence[str],
    factors: Sequence[Factor],
) -> tuple[Score, ...]:
    """Of groups, people and systems on all that anybody was asked, by document."""
    return tuple(
        score(
            gold,
            replace(system, place=place),
            protocol=protocol_for(system, gold, protocol),
            measures=measures,
            further_factors=factors,
            asked=asked,
        )
        for place, system in enumerate(systems)
    )


def _asked_of_all(gold: Gold, groups: Sequence[PeopleOfGroup], measure: str) -> Longs:
    """What every group was asked and the measure judges."""
    common = judged_rows(gold, named(measure))
    for group in groups:
        common = np.intersect1d(common, group.asked)
    return common


def _person(gold: Gold, name: str, person: Matched, asked: Longs, judged: Longs, *, free: bool) -> Person:
    seconds = person.seconds[asked]
    return Person(
        name=name,
        group=group_of(person),
        answered=int((person.choice[asked] != UNANSWERED).sum()),
        unanswered=_silence(person, asked),
        left_out=_left_out(gold, [person], judged),
        seconds=float(np.nanmedian(seconds)) if np.isfinite(seconds).any() else None,
        problems=problems_of(replace(System.alone(person), people=True), free=free),
    )


def _left_out(gold: Gold, people: Sequence[Matched], rows: Longs) -> Estimate | None:
    """The mean of the people's accuracies over what each answered; None where nobody's answers count."""
    credits = np.array([accuracy(gold, person, "answer")[rows] for person in people])
    answered = np.array([person.choice[rows] != UNANSWERED for person in people])
    some = answered.any(axis=1)
    return estimate(credits[some], judged=answered[some]) if some.any() else None


def _silence(person: Matched, rows: Longs) -> float:
    return float(np.mean(person.choice[rows] == UNANSWERED))
