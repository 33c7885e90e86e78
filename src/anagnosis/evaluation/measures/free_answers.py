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
from functools import partial

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure, Unit
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


def of_type(gold: Gold, run: Matched, question_type: str) -> Iterator[tuple[int, Entries, Sequence[str]]]:
    """(row, gold entries, answers) of each question of a type whose exact answer is known."""
    code = gold.labels.index(question_type)
    exact, texts = gold.exact or (), run.texts or ()
    for row in np.flatnonzero(gold.answer == code).tolist():
        entries = exact[row]
        if entries is not None:
            yield row, entries, texts[row]


# What all measures of free answers declare alike; each adds its name, its value, and what an unanswered question gets.
declared = partial(
    Measure,
    kinds=("question",),
    free=True,
    ties="by the order of the answers on the line",
    withheld="left out, as are questions of other types",
)


def mean_over_questions(
    name: str,
    title: str,
    question_type: str,
    value: Callable[[Entries, Sequence[str]], float],
    *,
    what: str,
    source: str,
    unit: Unit = "percent",
) -> Measure:
    """A measure whose value of a split is the mean over the questions of one type.

    value: of the gold entries and the answers to one question, in [0, 1]; an unanswered question has no answers.
    Questions of other types, and those without an exact answer, have NaN.
    """

    def values(gold: Gold, run: Matched, protocol: str) -> Floats:
        of_instances = np.full(len(gold), np.nan)
        for row, entries, answers in of_type(gold, run, question_type):
            of_instances[row] = value(entries, answers)
        return of_instances

    return declared(name=name, title=title, what=what, values=values, unit=unit, missing="0", source=source)
