"""What people answered from: prior knowledge, the context, both, or neither (the thesis behind BIOMRC, Figure 3.3).

Each source has its number of answers, its share of the questions that the people were asked, and what those answers are
worth. People choose what they answer from, so a difference between two sources says nothing of a cause: easy questions
may be those that one knows the answer to.
An unanswered question was answered from nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.people.groups import (
    MeasuredPerson,
    PeopleOfGroup,
    groups_then_people,
    pooled_values,
)
from anagnosis.predictions import UNANSWERED, Matched
from anagnosis.predictions.prediction import KNOWLEDGE

LEFT_OPEN, NOT_SAID = "left open", "not said"
NONE = KNOWLEDGE.index("none")
SOURCES = ("prior", "context", "both", "none", LEFT_OPEN, NOT_SAID)


@dataclass(frozen=True, slots=True)
class KnowledgeSource:
    """The answers of a group, or of one person, from one source. share: of the questions asked of each, in the mean.

    measures: of these answers taken together, with intervals by document.
    """

    who: str
    group: str
    people: int
    source: str
    answers: int
    share: float
    measures: dict[str, Estimate]


def knowledge(
    gold: Gold, groups: Sequence[PeopleOfGroup], measured: Sequence[MeasuredPerson], asked: Longs
) -> tuple[KnowledgeSource, ...]:
    """Of groups, then of people; none where no line has `knowledge`. measured: all people of the groups."""
    if not any((person.knowledge[asked] >= 0).any() for group in groups for person in group.people):
        return ()
    by_person = {id(own.person): own for own in measured}
    return tuple(
        source
        for who, group, people in groups_then_people(groups)
        for source in _sources(gold, who, group, [by_person[id(person)] for person in people], asked)
    )


def _sources(
    gold: Gold, who: str, group: str, people: Sequence[MeasuredPerson], asked: Longs
) -> Iterator[KnowledgeSource]:
    said = [source_of(own.person) for own in people]
    inside = np.zeros(len(gold), np.bool_)
    inside[asked] = True
    for number, source in enumerate(SOURCES):
        chosen = [(own == number) & inside for own in said]
        answers = sum(int(own.sum()) for own in chosen)
        if answers:
            share = float(np.mean([own.sum() / len(asked) for own in chosen]))
            values = {} if source in ("none", LEFT_OPEN) else pooled_values(gold, people, chosen)
            yield KnowledgeSource(who, group, len(people), source, answers, share, values)


def source_of(person: Matched) -> Longs:
    """int64 [n]: the place in SOURCES of what each answer is from."""
    places = np.array([SOURCES.index(name) for name in (*KNOWLEDGE, NOT_SAID)])
    said = places[person.knowledge]  # -1, not said, is the last
    unsaid = (person.knowledge < 0) & (person.choice == UNANSWERED)
    unanswered = np.where(person.has_line, SOURCES.index("none"), SOURCES.index(LEFT_OPEN))
    return np.where(unsaid, unanswered, said)
