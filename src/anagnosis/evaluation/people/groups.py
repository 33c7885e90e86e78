"""People by group. A group is a system whose runs are its people: its value is the mean of theirs.

Some answers of several people are pooled as one sample, in which a question that several answered is one cluster.
Where a person has only a few of these answers (those from prior knowledge), a mean of the people's means
would weigh one with a single such answer like one with twenty. Here each answer counts the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from anagnosis.array_types import Bools, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.breakdown import DRAWS_OF_SLICES
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import people_protocol
from anagnosis.evaluation.run_measurements import RunMeasurements, measure_runs
from anagnosis.evaluation.scoring import judged_rows
from anagnosis.evaluation.systems import System
from anagnosis.predictions import Matched

UNNAMED = "people"


@dataclass(frozen=True, slots=True, eq=False)
class PeopleOfGroup:
    """The people of one group, at least one, in the order given."""

    name: str
    people: tuple[Matched, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(name_of, self.people))

    @property
    def asked(self) -> Longs:
        """The instances that at least one of them was asked."""
        return asked_of(self.people)

    @property
    def as_system(self) -> System:
        """Called as tables call the group."""
        return System(title(self.name, len(self.people)), self.people)


def groups_of(people: Sequence[Matched]) -> list[PeopleOfGroup]:
    """The groups in the order in which their first people were given."""
    groups: dict[str, list[Matched]] = {}
    for person in people:
        groups.setdefault(group_of(person), []).append(person)
    return [PeopleOfGroup(name, tuple(own)) for name, own in groups.items()]


def groups_then_people(groups: Sequence[PeopleOfGroup]) -> Iterator[tuple[str, str, tuple[Matched, ...]]]:
    """(how tables call it, group, people) of each group of several, then of each person."""
    for group in groups:
        if len(group.people) > 1:
            yield title(group.name, len(group.people)), group.name, group.people
    for group in groups:
        yield from (
            (name, group.name, (person,)) for person, name in zip(group.people, group.names, strict=True)
        )


def asked_of(people: Sequence[Matched]) -> Longs:
    """The instances that at least one person was asked: those of the person's study, and those with a line."""
    studies = [person.asked for person in people if person.asked is not None]
    asked: Bools = np.any([*(person.has_line for person in people), *studies], axis=0)
    return np.flatnonzero(asked)


def title(group: str, people: int) -> str:
    """A group's name, with the number of its people where they are several."""
    return f"{group} (mean of {people})" if people > 1 else group


def name_of(person: Matched) -> str:
    """As the lines say, else as the file is called."""
    return person.name if person.annotator is None else person.annotator


def group_of(person: Matched) -> str:
    return person.group or UNNAMED


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredPerson:
    """What each measure says of a person. rows: by measure, the instances that it judges, of those asked of anybody."""

    person: Matched
    measurements: Mapping[str, RunMeasurements]
    rows: Mapping[str, Longs]


def measured_people(
    gold: Gold, people: Sequence[Matched], measures: Sequence[str], protocol: str, asked: Longs
) -> list[MeasuredPerson]:
    """By their answers; a measure that can judge none of the instances is left out. protocol: for systems."""
    rows: dict[str, Longs] = {}
    for measure in measures:
        try:
            rows[measure] = np.intersect1d(judged_rows(gold, named(measure)), asked)
        except InputError:
            continue  # no gold answers, as the report says
    by_answers = people_protocol(gold, protocol)
    return [
        MeasuredPerson(
            person,
            {
                measure: measure_runs(gold, System.alone(person), named(measure), by_answers, own)
                for measure, own in rows.items()
                if len(own)
            },
            rows,
        )
        for person in people
    ]


def pooled_values(
    gold: Gold, people: Sequence[MeasuredPerson], chosen: Sequence[Bools]
) -> dict[str, Estimate]:
    """By measure, of the answers that are chosen: for each person bool [n of the split]. Intervals are by document.

    Measures without a value for such a part are left out.
    """
    found: dict[str, Estimate] = {}
    for measure in people[0].measurements:
        each = [own.measurements[measure] for own in people]
        places = [np.flatnonzero(own[one.rows[measure]]) for one, own in zip(people, chosen, strict=True)]
        part = _pooled(each, places)
        if part is not None:
            documents = [
                gold.document[one.rows[measure][own]] for one, own in zip(people, places, strict=True)
            ]
            value = part.estimate(np.concatenate(documents), draws=DRAWS_OF_SLICES)
            found[measure] = value.of_all_runs
    return found


def _pooled(each: Sequence[RunMeasurements], places: Sequence[Longs]) -> RunMeasurements | None:
    if not sum(map(len, places)):
        return None
    at_places = list(zip(each, places, strict=True))
    if credits := [own.credits[:1, at] for own, at in at_places if own.credits is not None]:
        judged = np.hstack([own.counted[:1, at] for own, at in at_places])
        found = replace(each[0], credits=np.hstack(credits), judged=judged)
        return found if found.has_value else None
    runs = [own.statistics[0] for own in each]
    if not all(own.shared and own.divisible for own in runs):
        return None
    rows = [own.of_instances[at] for own, at in zip(runs, places, strict=True)]
    if not all(isinstance(own, np.ndarray) for own in rows):
        from scipy.sparse import vstack

        together = vstack(rows).tocsr()
    else:
        together = np.vstack(rows)
    counted = np.concatenate([own.counted[at] for own, at in zip(runs, places, strict=True)])
    statistics = replace(runs[0], of_instances=together, counted=counted)
    found = replace(each[0], credits=None, statistics=(statistics,))
    return found if found.has_value else None
