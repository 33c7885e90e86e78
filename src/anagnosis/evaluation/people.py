"""People by group. A group is a system whose runs are its people: its value is the mean of theirs.

So the tests between systems are those between groups, and between a group and a system.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Bools, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.kappa import NO_ANSWER, TREATMENTS, Labels, PairKappas, Treatment, pair_kappas
from anagnosis.evaluation.systems import System
from anagnosis.predictions import OUTSIDE, Matched

UNNAMED = "people"
Kappas = dict[Treatment, PairKappas | None]


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
        return System(title(self.name, len(self.people)), self.people, people=True)


def groups_of(people: Sequence[Matched]) -> list[PeopleOfGroup]:
    """The groups in the order in which their first people were given."""
    groups: dict[str, list[Matched]] = {}
    for person in people:
        groups.setdefault(group_of(person), []).append(person)
    return [PeopleOfGroup(name, tuple(own)) for name, own in groups.items()]


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


def kappas_of(gold: Gold, group: PeopleOfGroup, rows: Longs, seed: int, draws: int) -> Kappas:
    """Cohen's kappa of all pairs of a group's people (BIOMRC, Table 5), None of one person.

    A label is a candidate's key. An answer that is no candidate has its text as a label where texts were matched, in
    lower case with single blanks; where they were not, all such answers are one label. Where nobody left a question
    open the treatments are one.
    """
    labels = [_labels(gold, person, rows) for person in group.people]
    if len(labels) < 2:
        return dict.fromkeys(TREATMENTS)
    silent = any((own == NO_ANSWER).any() for own in labels)
    different = TREATMENTS if silent else TREATMENTS[:1]
    found = {each: pair_kappas(labels, each, seed=seed, draws=draws) for each in different}
    return {each: found.get(each, found[TREATMENTS[0]]) for each in TREATMENTS}


def _labels(gold: Gold, person: Matched, rows: Longs) -> Labels:
    """int64 [rows]: the place of the answered key among the split's keys; above them for answers outside."""
    choice = person.choice[rows]
    labels = np.full(len(rows), NO_ANSWER, np.int64)
    inside = choice >= 0
    labels[inside] = gold.key[gold.starts[rows[inside]] + choice[inside]]
    outside = np.flatnonzero(choice == OUTSIDE)
    texts = person.texts
    labels[outside] = len(gold.key_texts)
    if texts is not None:
        labels[outside] += np.array([_number(texts[row]) for row in rows[outside].tolist()], np.int64)
    return labels


def _number(texts: Sequence[str]) -> int:
    """Equal for equal texts, and not negative."""
    folded = "\n".join(" ".join(text.casefold().split()) for text in texts)
    return int.from_bytes(hashlib.blake2b(folded.encode(), digest_size=7).digest()) + 1
