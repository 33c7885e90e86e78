"""People by group. A group is a system whose runs are its people: its value is the mean of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Bools, Longs
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


def asked_of(people: Sequence[Matched]) -> Longs:
    """The instances that at least one person was asked: those of the person's study, and those with a line."""
    studies = [person.asked for person in people if person.asked is not None]
    asked: Bools = np.any([*(person.heard for person in people), *studies], axis=0)
    return np.flatnonzero(asked)


def title(group: str, people: int) -> str:
    """A group's name, with the number of its people where they are several."""
    return f"{group} (mean of {people})" if people > 1 else group


def name_of(person: Matched) -> str:
    """As the lines say, else as the file is called."""
    return person.name if person.annotator is None else person.annotator


def group_of(person: Matched) -> str:
    return person.group or UNNAMED
