"""Free answers beside gold answers that are entries of synonyms, as BioASQ counts exact answers.

    factoid   the first five answers. strict: the first is right. lenient: any is. reciprocal rank: 1/rank of the first
              right one, 0 for none; its mean is MRR
    list      the first ten answers, in their order. Each takes out the first gold entry that is left and has it as a
              synonym (right), or is wrong. precision = right / answers, recall = right / gold entries, F1 of the two;
              0 where there is nothing to divide by

An answer is right where, lower-cased, it equals a synonym of a gold entry lower-cased: blanks, full stops and accents
count, as in the organisers' program. `same` gives another rule. Sources: the thesis, section 4.1 (equality, the cuts);
Tsatsaronis et al. 2015 (the measures). What differs from the organisers' program: design/bioasq.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Floats
from anagnosis.predictions import Matched

FIRST_FACTOID = 5
FIRST_LIST = 10

Entries = Sequence[Sequence[str]]  # gold: a list of entries, each its synonyms
Same = Callable[[str], str]  # two answers are the same where this gives the same text


@dataclass(frozen=True, slots=True)
class FactoidScore:
    """Of one question: each in [0, 1]."""

    strict: float
    lenient: float
    reciprocal_rank: float


@dataclass(frozen=True, slots=True)
class ListScore:
    """Of one question: each in [0, 1]."""

    precision: float
    recall: float
    f1: float


def factoid(
    gold: Entries, answers: Sequence[str], *, first: int = FIRST_FACTOID, same: Same = str.lower
) -> FactoidScore:
    """One factoid question. answers: the best first. A synonym of any gold entry is right."""
    right = {same(synonym) for entry in gold for synonym in entry}
    ranks = (rank for rank, answer in enumerate(answers[:first], 1) if same(answer) in right)
    rank = next(ranks, None)
    return FactoidScore(0.0, 0.0, 0.0) if rank is None else FactoidScore(float(rank == 1), 1.0, 1 / rank)


def listed(
    gold: Entries, answers: Sequence[str], *, first: int = FIRST_LIST, same: Same = str.lower
) -> ListScore:
    """One list question. answers: the best first."""
    left = [{same(synonym) for synonym in entry} for entry in gold]
    given = answers[:first]
    right = 0
    for answer in map(same, given):
        place = next((place for place, entry in enumerate(left) if answer in entry), None)
        if place is not None:
            del left[place]
            right += 1
    if not right:
        return ListScore(0.0, 0.0, 0.0)
    precision, recall = right / len(given), right / len(gold)
    return ListScore(precision, recall, 2 * precision * recall / (precision + recall))


def of_type(gold: Gold, run: Matched, wanted: str) -> Iterator[tuple[int, Entries, Sequence[str]]]:
    """(row, gold entries, answers) of each question of a type whose exact answer is known."""
    code = gold.labels.index(wanted)
    exact, texts = gold.exact or (), run.texts or ()
    for row in np.flatnonzero(gold.answer == code).tolist():
        entries = exact[row]
        if entries is not None:
            yield row, entries, texts[row]


def values(gold: Gold, run: Matched, wanted: str, value: Callable[[Entries, Sequence[str]], float]) -> Floats:
    """float64 [instances]: of each question of a type, NaN for all others."""
    found = np.full(len(gold), np.nan)
    for row, entries, answers in of_type(gold, run, wanted):
        found[row] = value(entries, answers)
    return found
