"""People beside systems: their accuracy, how much they left unanswered, how far they agree (BIOMRC, Tables 4 and 5).

The instances are those that anybody was asked: that have a line of at least one person. "Could not answer" is
treated in the three ways of `kappa.py`; in an accuracy its own label and wrong are the same, a wrong answer. A
person without a line for an instance that others have did not answer it.

A group's accuracy is the mean of its people's, as in the paper, not that of all their answers. Its interval counts
instances, not answers, as independent, for all of them answered the same questions. By further measures (CliCR, Table 4
and Figure 5) a group is a system whose runs are its people: the mean of their values, and documents are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from anagnosis.array_types import Floats, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.breakdown import Factor
from anagnosis.evaluation.classes import Classes, classes
from anagnosis.evaluation.intervals import Estimate, estimate, from_influence
from anagnosis.evaluation.kappa import DRAWS, NO_ANSWER, TREATMENTS, Kappa, Labels, Treatment, mean_kappa
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import people_protocol
from anagnosis.evaluation.results import ScoredDataset, Settings
from anagnosis.evaluation.run_measurements import measure_runs
from anagnosis.evaluation.scoring import Score, score, signature
from anagnosis.evaluation.systems import System
from anagnosis.notebook import WithReport
from anagnosis.predictions import OUTSIDE, UNANSWERED, Matched, Problem
from anagnosis.predictions.lines import KNOWLEDGE


@dataclass(frozen=True, slots=True)
class Person:
    """One annotator. answered: of all instances that count; unanswered: the share of them without an answer.

    accuracy: by treatment, None where nothing was answered. knowledge: answers by what they were drawn from.
    seconds: the median of the times that were noted. macro_f1, classes: where all instances have the same labels.
    """

    name: str
    group: str
    answered: int
    unanswered: float
    accuracy: dict[Treatment, Estimate | None]
    knowledge: dict[str, int]
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
class SystemBeside:
    """A system on the same instances; None where none of them has a gold answer."""

    name: str
    estimate: Estimate | None
    problems: dict[str, Problem]
    macro_f1: Estimate | None = None
    classes: Classes | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(WithReport):
    """instances: asked of anybody and with a gold answer; kappas need none and are over all that were asked.

    protocol: for the systems. dataset: None where predictions were matched without one. scores: of groups, people and
    systems in this order, by the measures that were asked for and taken apart by a user's labels; on the instances that
    were asked. Groups are there where one has several people.
    """

    instances: int
    asked: int
    people: tuple[Person, ...]
    groups: tuple[Group, ...]
    pairs: tuple[PairOfPeople, ...]
    systems: tuple[SystemBeside, ...]
    split: str
    protocol: str
    signature: str
    dataset: ScoredDataset | None = None
    scores: tuple[Score, ...] = ()


def scores_of_asked(
    gold: Gold,
    people: Sequence[Matched],
    systems: Sequence[Matched],
    settings: Settings,
    factors: Sequence[Factor] = (),
) -> tuple[Score, ...]:
    """The scores of groups and people, by their answers, of systems by the protocol, on all that anybody was asked.

    Intervals are by document, those of slices by instance. factors: to take scores apart by.
    """
    asked = _asked(people)
    by_answers = people_protocol(gold, settings.protocol)
    members = _members(people)
    several = any(len(group) > 1 for group in members.values())
    groups = [System(title(name, len(group)), tuple(group)) for name, group in members.items() if several]
    by_protocol = [(each, by_answers) for each in (*groups, *map(System.alone, people))]
    by_protocol += [(System.alone(each), settings.protocol) for each in systems]
    found = [
        score(
            gold,
            replace(system, place=place),
            protocol=protocol,
            measures=settings.measures,
            further_factors=factors,
            asked=asked,
        )
        for place, (system, protocol) in enumerate(by_protocol)
    ]
    return (*(replace(each, annotator=None) for each in found[: len(groups)]), *found[len(groups) :])


def title(group: str, people: int) -> str:
    """A group's name, with the number of its people where they are several."""
    return f"{group} (mean of {people})" if people > 1 else group


def agreement(
    gold: Gold,
    people: Sequence[Matched],
    systems: Sequence[Matched] = (),
    *,
    protocol: str,
    seed: int,
    draws: int = DRAWS,
    view: str | None = None,
) -> Agreement:
    """protocol: for the systems; people are taken by their answers. seed, draws: of the bootstrap."""
    names = [_name(person) for person in people]
    if not names:
        raise InputError("nobody's answers", "", "give predictions of people; their lines carry `annotator`")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"annotator {name!r} has two files", "", "give each person's answers once")
    asked = _asked(people)
    rows = asked[gold.answer[asked] >= 0]
    labels = {name: _labels(gold, person, asked) for name, person in zip(names, people, strict=True)}
    members = {group: [_name(person) for person in own] for group, own in _members(people).items()}
    by_name = dict(zip(names, people, strict=True))
    options = (("draws", str(draws)), ("asked", str(len(asked))), ("people", "answer"))
    signed = signature(gold, n=len(rows), protocol=protocol, view=view, seed=seed, settings=options)
    return Agreement(
        instances=len(rows),
        asked=len(asked),
        people=tuple(_person(gold, name, person, asked, rows, protocol) for name, person in by_name.items()),
        groups=tuple(
            Group(
                name=group,
                people=tuple(own),
                unanswered=float(np.mean([_silence(by_name[name], asked) for name in own])),
                accuracy=_accuracies(gold, [by_name[name] for name in own], rows),
                kappa=_kappas([labels[name] for name in own], seed, draws),
            )
            for group, own in members.items()
        ),
        pairs=tuple(
            PairOfPeople(first, second, group, _kappas([labels[first], labels[second]], seed, draws))
            for group, own in members.items()
            for first, second in combinations(own, 2)
        ),
        systems=tuple(_system(gold, system, rows, protocol) for system in systems),
        split=gold.split,
        protocol=protocol,
        signature=str(signed),
    )


def _asked(people: Sequence[Matched]) -> Longs:
    """The instances that have a line of at least one person."""
    return np.flatnonzero(np.any([person.heard for person in people], axis=0))


def _person(gold: Gold, name: str, person: Matched, asked: Longs, rows: Longs, protocol: str) -> Person:
    noted = person.knowledge[asked]
    seconds = person.seconds[asked]
    return Person(
        name=name,
        group=_group(person),
        answered=int((person.choice[asked] != UNANSWERED).sum()),
        unanswered=_silence(person, asked),
        accuracy=_accuracies(gold, [person], rows),
        knowledge={source: int((noted == place).sum()) for place, source in enumerate(KNOWLEDGE)},
        seconds=float(np.nanmedian(seconds)) if np.isfinite(seconds).any() else None,
        problems=person.problems,
        **_by_class(gold, person, rows, protocol),
    )


def _system(gold: Gold, system: Matched, rows: Longs, protocol: str) -> SystemBeside:
    credits = named("accuracy").of_instances(gold, system, protocol)[rows]
    worth = estimate(credits) if len(credits) else None
    return SystemBeside(system.name, worth, system.problems, **_by_class(gold, system, rows, protocol))


def _by_class(gold: Gold, answered: Matched, rows: Longs, protocol: str) -> dict[str, Any]:
    """Macro-F1 and the classes."""
    if not gold.labels or not len(rows):
        return {}
    system = System.alone(answered)
    found = measure_runs(gold, system, named("macro_f1"), protocol, rows).estimate()
    macro_f1 = Estimate(found.value, found.n, found.effective, found.interval)
    return {"macro_f1": macro_f1, "classes": classes(gold, system, rows)}


def _accuracies(gold: Gold, people: Sequence[Matched], rows: Longs) -> dict[Treatment, Estimate | None]:
    """The mean of the people's accuracies; a single one has Wilson's interval."""
    credits = np.array([named("accuracy").of_instances(gold, person, "answer")[rows] for person in people])
    answered = np.array([person.choice[rows] != UNANSWERED for person in people])
    everything = np.ones_like(answered)
    return {
        treatment: _mean_accuracy(credits, answered if treatment == "left out" else everything)
        for treatment in TREATMENTS
    }


def _mean_accuracy(credits: Floats, counts: Floats) -> Estimate | None:
    """credits, counts: [people, n]; counts: which of a person's answers count. None where nobody's do."""
    some = counts.any(axis=1)
    credits, counts = credits[some], counts[some]
    if not len(credits):
        return None
    if len(credits) == 1:
        return estimate(credits[0][counts[0]])
    own = counts.sum(axis=1, keepdims=True)
    means = (credits * counts).sum(axis=1, keepdims=True) / own
    influence = ((credits - means) * counts / own).mean(axis=0) * credits.shape[1]
    return from_influence(float(means.mean()), influence)


def _kappas(annotators: Sequence[Labels], seed: int, draws: int) -> dict[Treatment, Kappa | None]:
    if len(annotators) < 2:
        return dict.fromkeys(TREATMENTS)
    return {treatment: mean_kappa(annotators, treatment, seed=seed, draws=draws) for treatment in TREATMENTS}


def _labels(gold: Gold, person: Matched, rows: Longs) -> Labels:
    """int64 [rows]: the place of the answered key among the split's keys, one more for an answer outside."""
    choice = person.choice[rows]
    labels = np.full(len(rows), NO_ANSWER, np.int64)
    labels[choice == OUTSIDE] = len(gold.key_texts)
    inside = choice >= 0
    labels[inside] = gold.key[gold.starts[rows[inside]] + choice[inside]]
    return labels


def _silence(person: Matched, rows: Longs) -> float:
    return float(np.mean(person.choice[rows] == UNANSWERED))


def _name(person: Matched) -> str:
    return person.name if person.annotator is None else person.annotator


def _members(people: Sequence[Matched]) -> dict[str, list[Matched]]:
    """The people of each group, in the order given."""
    groups: dict[str, list[Matched]] = {}
    for person in people:
        groups.setdefault(_group(person), []).append(person)
    return groups


def _group(person: Matched) -> str:
    return person.group or "people"
