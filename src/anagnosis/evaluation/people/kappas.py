"""Cohen's kappa inside groups of people and between two groups (BIOMRC, Table 5), by the treatments of `kappa.py`.

Between two groups kappa is the mean over the pairs of one person of each. Whether one group agrees more in itself than
another is tested on the instances that both were asked, for these people: the draws are of instances.

A label is a candidate's key. An answer that is no candidate has its text as a label where texts were matched, in lower
case with single blanks; where they were not, all such answers are one label.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np

from anagnosis.array_types import Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.differences import ranked_pairs
from anagnosis.evaluation.kappa import (
    NO_ANSWER,
    TREATMENTS,
    Kappa,
    KappaDifference,
    Labels,
    PairKappas,
    Treatment,
    kappa_difference,
    kappas_of_pairs,
)
from anagnosis.evaluation.people.groups import PeopleOfGroup
from anagnosis.predictions import OUTSIDE, Matched

Kappas = dict[Treatment, PairKappas | None]


@dataclass(frozen=True, slots=True)
class PairOfPeople:
    """Two people of one group."""

    first: str
    second: str
    group: str
    kappa: dict[Treatment, Kappa | None]


@dataclass(frozen=True, slots=True)
class GroupsAgreement:
    """Two groups on the instances that both were asked. kappa: the mean over the pairs of one person of each.

    difference: how much more the first agrees in itself than the second; None where one has no two people. holm: its p,
    corrected for all pairs of groups.
    """

    first: str
    second: str
    instances: int
    kappa: dict[Treatment, Kappa | None]
    difference: dict[Treatment, KappaDifference | None]
    holm: dict[Treatment, float]


def kappas_of(gold: Gold, group: PeopleOfGroup, rows: Longs, seed: int, draws: int) -> Kappas:
    """Of all pairs of its people, None of one person."""
    labels = [_labels(gold, person, rows) for person in group.people]
    return _kappas([*combinations(labels, 2)], seed, draws)


def between_groups(
    gold: Gold, groups: Sequence[tuple[PeopleOfGroup, Kappas]], asked: Longs, seed: int, draws: int
) -> tuple[GroupsAgreement, ...]:
    """Each two groups. groups: with their kappas on the instances `asked`."""
    found = [_between(gold, pair, asked, seed, draws) for pair in combinations(groups, 2)]
    p_values = {
        number: {name: own.p for name, own in each.difference.items() if own is not None}
        for number, each in enumerate(found)
    }
    holm = ranked_pairs.corrected_by_name(p_values)
    return tuple(
        replace(each, holm={name: holm[number][name] for name in TREATMENTS if name in holm[number]})
        for number, each in enumerate(found)
    )


def _between(
    gold: Gold, pair: Sequence[tuple[PeopleOfGroup, Kappas]], asked: Longs, seed: int, draws: int
) -> GroupsAgreement:
    """Not yet corrected."""
    (first, of_first), (second, of_second) = pair
    rows = np.intersect1d(first.asked, second.asked)
    found: Kappas = dict.fromkeys(TREATMENTS)
    differences: dict[Treatment, KappaDifference | None] = dict.fromkeys(TREATMENTS)
    if len(rows):
        labels = [[_labels(gold, person, rows) for person in own.people] for own in (first, second)]
        found = _kappas([*product(labels[0], labels[1])], seed, draws)
        if len(rows) < len(asked):
            of_first, of_second = (kappas_of(gold, group, rows, seed, draws) for group in (first, second))
        for treatment in TREATMENTS:
            one, other = of_first[treatment], of_second[treatment]
            differences[treatment] = kappa_difference(one, other, len(rows)) if one and other else None
    kappas: dict[Treatment, Kappa | None] = {name: own and own.mean for name, own in found.items()}
    return GroupsAgreement(first.name, second.name, len(rows), kappas, differences, {})


def _kappas(pairs: Sequence[tuple[Labels, Labels]], seed: int, draws: int) -> Kappas:
    """Where everybody answered everything the treatments are the same."""
    if not pairs:
        return dict.fromkeys(TREATMENTS)
    silent = any((own == NO_ANSWER).any() for pair in pairs for own in pair)
    first = kappas_of_pairs(pairs, TREATMENTS[0], seed=seed, draws=draws)
    return {
        treatment: kappas_of_pairs(pairs, treatment, seed=seed, draws=draws)
        if silent and treatment != TREATMENTS[0]
        else first
        for treatment in TREATMENTS
    }


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
