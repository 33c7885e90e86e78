"""What people answered from: prior knowledge, the context, both, or neither (the thesis behind BIOMRC, Figure 3.3).

Each source has its number of answers, its share of the questions that the people were asked, and what those answers are
worth. People choose what they answer from, so a difference between two sources says nothing of a cause: easy questions
may be those that one knows the answer to.

Whether one group answers from prior knowledge more often than another ("experts answer mainly from prior knowledge, the
others mainly from the context", section 3.6, without a test) is tested like any difference between groups, on the
questions of which everybody in both says from what they were answered. There a question counts 1 for a person who
answered it so. An unanswered question was answered from nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from anagnosis.array_types import Bools, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.differences.paired import DRAWS
from anagnosis.evaluation.differences.power import ALPHA
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.people.groups import (
    MeasuredPerson,
    PeopleOfGroup,
    groups_then_people,
    pooled_values,
)
from anagnosis.evaluation.run_measurements import RunMeasurements
from anagnosis.evaluation.systems import System
from anagnosis.evaluation.tested_pairs import Contest, Drawing, Pair, PairTests, corrected_pairs
from anagnosis.predictions import UNANSWERED, Matched
from anagnosis.predictions.prediction import KNOWLEDGE

LEFT_OPEN, NOT_SAID = "left open", "not said"
NONE = KNOWLEDGE.index("none")
SOURCES = ("prior", "context", "both", "none", LEFT_OPEN, NOT_SAID)
# how a test distinguishes an answer from others → the sources that count
USES: dict[str, tuple[str, ...]] = {
    "prior knowledge alone": ("prior",),
    "prior knowledge, alone or with the context": ("prior", "both"),
}


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


@dataclass(frozen=True, slots=True)
class Use:
    """How often two groups answer so. questions: of which everybody in both says it. shares: means of the people's."""

    use: str
    questions: int
    shares: tuple[Estimate, Estimate]
    people: tuple[int, int]
    tested: Pair


@dataclass(frozen=True, slots=True)
class Knowledge:
    """sources: of groups, then of people. uses: of each two groups, corrected for all that are here."""

    sources: tuple[KnowledgeSource, ...]
    uses: tuple[Use, ...]
    alpha: float


def knowledge(
    gold: Gold,
    groups: Sequence[PeopleOfGroup],
    measured: Sequence[MeasuredPerson],
    asked: Longs,
    *,
    seed: int,
    draws: int = DRAWS,
) -> Knowledge | None:
    """measured: of all people of the groups, in their order. None where no line has `knowledge`."""
    if not any((person.knowledge[asked] >= 0).any() for group in groups for person in group.people):
        return None
    by_person = {id(own.person): own for own in measured}
    found = [
        source
        for who, group, people in groups_then_people(groups)
        for source in _sources(gold, who, group, [by_person[id(person)] for person in people], asked)
    ]
    return Knowledge(tuple(found), tuple(_uses(gold, groups, seed, draws)), ALPHA)


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


def _uses(gold: Gold, groups: Sequence[PeopleOfGroup], seed: int, draws: int) -> Iterator[Use]:
    """The pairs of groups by each use, the group that answers so more often first."""
    found = [
        (name, own)
        for name in USES
        for pair in combinations(groups, 2)
        if (own := _contest(gold, pair, name, seed, draws))
    ]
    tested, _ = corrected_pairs(dict(enumerate(own for _, (own, _, _) in found)))
    for number, (name, (contest, shares, people)) in enumerate(found):
        yield Use(name, len(contest.tests.drawing.documents), shares, people, tested[number])


def _contest(
    gold: Gold, pair: Sequence[PeopleOfGroup], name: str, seed: int, draws: int
) -> tuple[Contest, tuple[Estimate, Estimate], tuple[int, int]] | None:
    """With the shares of both and how many people they have; None without a question of which everybody says it."""
    sources = [SOURCES.index(source) for source in USES[name]]
    rows = np.intersect1d(pair[0].asked, pair[1].asked)
    everybody = [source_of(person) for group in pair for person in group.people]
    said: Bools = np.all([own[rows] != SOURCES.index(NOT_SAID) for own in everybody], axis=0)
    rows = rows[said]
    if not len(rows):
        return None
    credits = [
        np.array([np.isin(source_of(person)[rows], sources) for person in group.people], np.float64)
        for group in pair
    ]
    order = (1, 0) if credits[1].mean() > credits[0].mean() else (0, 1)
    first, second = (pair[place] for place in order)
    measured = [RunMeasurements(_measure(name), credits[place], ()) for place in order]
    documents = gold.document[rows]
    drawing = Drawing(documents, documents, draws, seed)
    systems = [System(group.name, group.people) for group in (first, second)]
    shares = (estimate(measured[0].mean, documents), estimate(measured[1].mean, documents))
    values = (shares[0].value, shares[1].value)
    contest = Contest(PairTests.of(systems, measured, drawing), values)
    return contest, shares, (len(first.people), len(second.people))


def _measure(name: str) -> Measure:
    """The share of questions that are answered so, as what tests compare."""
    return Measure(
        name=name,
        what=f"the share of questions that are answered from {name}",
        kinds=(),
        unit="percent",
        ties="do not occur",
        missing="is answered from nothing",
        withheld="counts",
        source="the thesis behind BIOMRC, section 3.6",
    )
