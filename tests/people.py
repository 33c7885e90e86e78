"""Made-up people whose answers have known properties, so that what statistics say of them can be wrong.

    people(gold, [Reader("ann", "experts", accuracy=0.9), Reader("bea", accuracy=0.7)], seed=1)

gives them matched. No answer is of a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from anagnosis.datasets.gold import Gold
from anagnosis.io.counts import Counts
from anagnosis.predictions import Matched
from anagnosis.predictions.annotators import Matching
from anagnosis.predictions.prediction import Prediction


@dataclass(frozen=True)
class Reader:
    """One made-up person. accuracy: the chance to be right."""

    name: str
    group: str = ""
    accuracy: float = 0.8


def lines(gold: Gold, readers: Sequence[Reader], seed: int) -> Iterator[Prediction]:
    """Their lines. Whether an answer is right depends on its question as much as on its reader."""
    dice = np.random.default_rng(seed)
    rows = np.arange(len(gold))
    of_question = dice.standard_normal(len(rows))
    for reader in readers:
        hard = (of_question + dice.standard_normal(len(rows))) / 2**0.5
        for row, keys, right in zip(rows.tolist(), gold.keys(rows), gold.answer[rows].tolist(), strict=True):
            wrong = int(dice.integers(0, max(len(keys) - 1, 1)))
            is_right = NormalDist().cdf(hard[row]) < reader.accuracy
            choice = right if is_right else wrong + (wrong >= right)
            ident = gold.ids.between(row, row + 1)[0]
            yield Prediction(ident, keys[choice], annotator=reader.name, group=reader.group or None)


def matched(gold: Gold, given: Sequence[Prediction]) -> list[Matched]:
    """The people of some lines, as `match_each` gives them."""
    matchings: dict[str | None, Matching] = {}
    rows = gold.ids.rows([line.id for line in given])
    for line, row, keys in zip(given, rows.tolist(), gold.keys(rows), strict=True):
        matching = matchings.setdefault(line.annotator, Matching(gold, line.annotator, line.group))
        matching.add(row, line, keys)
    return [matching.matched(name or "people", Counts()) for name, matching in matchings.items()]


def people(gold: Gold, readers: Sequence[Reader], *, seed: int) -> list[Matched]:
    """The made-up people, matched."""
    return matched(gold, list(lines(gold, readers, seed)))
