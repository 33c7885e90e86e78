"""BioASQ's measures of exact answers: strict and lenient accuracy and MRR, list precision, recall, F1, and yes/no F1.

    factoid   the first five answers. strict: the first is right. lenient: any is. reciprocal rank: 1/rank of the first
              right one, 0 for none; its mean is MRR
    list      the first ten answers, in their order. Each takes out the first gold entry that is left and has it as a
              synonym (right), or is wrong. precision = right / answers, recall = right / gold entries, F1 of the two;
              0 where there is nothing to divide by
    yes/no    accuracy, F1 of yes and of no, macro-F1 = their mean

An answer is right where, lower-cased, it equals a synonym of a gold entry lower-cased: blanks, full stops and accents
count, as in the organisers' program. `same` gives another rule. Means are over questions; a question without an answer
counts 0. Sources: the thesis, section 4.1 (equality, the cuts); Tsatsaronis et al. 2015 (the measures); the organisers'
program BioASQ/Evaluation-Measures for yes and no. What differs from that program: design/bioasq.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

FIRST_FACTOID = 5
FIRST_LIST = 10

Entries = Sequence[Sequence[str]]  # gold: a list of entries, each its synonyms
Same = Callable[[str], str]  # two answers are the same where this gives the same text


@dataclass(frozen=True, slots=True)
class FactoidScore:
    """Of one question, or means of several: each in [0, 1]."""

    strict: float
    lenient: float
    reciprocal_rank: float


@dataclass(frozen=True, slots=True)
class ListScore:
    """Of one question, or means of several: each in [0, 1]."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class YesNoScore:
    """Of several questions; none of a label gives it an F1 of 0."""

    accuracy: float
    f1_yes: float
    f1_no: float
    macro_f1: float


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


def yes_no(gold: Sequence[str], answers: Sequence[str | None]) -> YesNoScore:
    """All yes/no questions: gold and answer of each, None where there is none.

    A text says yes if it holds "yes" in any case, else no if it holds "no", else neither. F1 of a label is
    2·tp / (2·tp + wrong answers), whatever their gold label, as the program counts: an answer that says neither is as
    wrong as the opposite one.
    """
    said = [(_said(true), _said(answer)) for true, answer in zip(gold, answers, strict=True)]
    wrong = sum(true != answer for true, answer in said)
    yes, no = (sum(true == answer == label for true, answer in said) for label in ("yes", "no"))
    f1_yes, f1_no = (2 * right / (2 * right + wrong) if right else 0.0 for right in (yes, no))
    accuracy = (len(said) - wrong) / len(said) if said else 0.0
    return YesNoScore(accuracy, f1_yes, f1_no, (f1_yes + f1_no) / 2)


def mean_factoid(scores: Iterable[FactoidScore]) -> FactoidScore:
    """Means over questions; the last is MRR. Zeros where there is none."""
    found = [(score.strict, score.lenient, score.reciprocal_rank) for score in scores]
    return FactoidScore(*map(fmean, zip(*found, strict=True))) if found else FactoidScore(0.0, 0.0, 0.0)


def mean_listed(scores: Iterable[ListScore]) -> ListScore:
    """Means over questions: the F1 is the mean of theirs, not that of the means. Zeros where there is none."""
    found = [(score.precision, score.recall, score.f1) for score in scores]
    return ListScore(*map(fmean, zip(*found, strict=True))) if found else ListScore(0.0, 0.0, 0.0)


def _said(text: str | None) -> str:
    lower = (text or "").lower()
    return next((label for label in ("yes", "no") if label in lower), "")
