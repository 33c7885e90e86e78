"""Cohen's kappa inside groups of people (BIOMRC, Table 5), by the treatments of `kappa.py`.

A label is a candidate's key. An answer that is no candidate has its text as a label where texts were matched, in lower
case with single blanks; where they were not, all such answers are one label.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.kappa import (
    NO_ANSWER,
    TREATMENTS,
    Kappa,
    Labels,
    PairKappas,
    Treatment,
    pair_kappas,
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


def kappas_of(gold: Gold, group: PeopleOfGroup, rows: Longs, seed: int, draws: int) -> Kappas:
    """Of all pairs of its people, None of one person. Where nobody left a question open the treatments are one."""
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
