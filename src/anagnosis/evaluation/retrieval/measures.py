"""Measures of one query's ranking, each a plain function, all in [0, 1].

    measure(grades, relevant, k) -> float

grades: of the retrieved documents from the first rank on, None for one that nobody judged. relevant: the grades of
all relevant documents of the query, falling, at least one. k: only the first k ranks count, None for all of them.
A grade of 1 or more is relevant; 0 and below is judged and not relevant. What was not judged counts as not relevant.

They equal trec_eval's (Buckley and Voorhees; version 9) where it has the measure.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anagnosis.errors import InputError
from anagnosis.evaluation.measures import GROUP, MEASURES
from anagnosis.evaluation.retrieval import ALIASES, RETRIEVAL_MEASURES
from anagnosis.registry import find, is_known

LARGEST_CUTOFF = 1_000_000
_CUTOFF = re.compile(r"[0-9]{1,7}")

Grades = Sequence[int | None]
Measure = Callable[[Grades, Sequence[int], int | None], float]


@dataclass(frozen=True, slots=True)
class RequestedMeasure:
    """A measure with its cutoff, as `ndcg@10` asks for it. k: None for all that was retrieved."""

    name: str
    k: int | None
    measure: Measure

    def __str__(self) -> str:
        return self.name if self.k is None else f"{self.name}@{self.k}"


def requested_measure(text: str) -> RequestedMeasure:
    """The measure that `ndcg@10` or `map` asks for; a name that is none, or a cutoff that is none, is an InputError."""
    name, at, cutoff = text.strip().lower().partition("@")
    name = ALIASES.get(name, name)
    if at and not (_CUTOFF.fullmatch(cutoff) and 0 < int(cutoff) <= LARGEST_CUTOFF):
        remedy = f"known: {', '.join(RETRIEVAL_MEASURES)}, each with @K or without"
        raise InputError(f"{cutoff[:20]!r} is no number of ranks", f"measure {text[:40]!r}", remedy)
    if name not in RETRIEVAL_MEASURES and is_known(MEASURES, GROUP, name):
        what = f"the measure {name!r} judges answers, not a search's ranking"
        raise InputError(what, "--measure", "give it to `anagnosis score`")
    measure = find(RETRIEVAL_MEASURES, name, "measure")
    return RequestedMeasure(name, int(cutoff) if at else None, measure)


def is_of_rankings(text: str) -> bool:
    """Whether `ndcg@10` or `map` names a measure of rankings, and of nothing else."""
    name = text.strip().lower().partition("@")[0]
    return ALIASES.get(name, name) in RETRIEVAL_MEASURES and not is_known(MEASURES, GROUP, text)


def ndcg(grades: Grades, relevant: Sequence[int], k: int | None) -> float:
    """Discounted gain over that of the best order; the gain is the grade.

    Järvelin and Kekäläinen (ACM TOIS 20, 2002) with the discount log2(rank + 1), as trec_eval's ndcg and ndcg_cut.
    """
    return _gain(grades[:k], float) / _gain(relevant[:k], float)


def ndcg_exp(grades: Grades, relevant: Sequence[int], k: int | None) -> float:
    """Discounted gain over that of the best order; the gain is 2^grade - 1.

    Burges et al. (ICML 2005). The same as ndcg where every grade is 0 or 1.
    """
    return _gain(grades[:k], _exponential) / _gain(relevant[:k], _exponential)


def average_precision(grades: Grades, relevant: Sequence[int], k: int | None) -> float:
    """The mean, over all relevant documents, of the precision at their ranks; 0 for one that is not retrieved.

    trec_eval's map and map_cut; the divisor is the number of relevant documents, also where it is above k.
    """
    found, total = 0, 0.0
    for rank, grade in enumerate(grades[:k], 1):
        if grade is not None and grade > 0:
            found += 1
            total += found / rank
    return total / len(relevant)


def recall(grades: Grades, relevant: Sequence[int], k: int | None) -> float:
    """The share of the relevant documents that was retrieved. trec_eval's recall_K; without K its set_recall."""
    return _found(grades[:k]) / len(relevant)


def precision(grades: Grades, relevant: Sequence[int], k: int | None) -> float:
    """The share of the first k ranks that is relevant; ranks that were left empty count as not relevant.

    trec_eval's P_K; without K of what was retrieved, its set_P.
    """
    ranks = len(grades) if k is None else k
    return _found(grades[:k]) / ranks if ranks else 0.0


def reciprocal_rank(grades: Grades, relevant: Sequence[int], k: int | None) -> float:
    """One over the rank of the first relevant document, 0 without one. trec_eval's recip_rank; MRR is its mean."""
    return next(
        (1 / rank for rank, grade in enumerate(grades[:k], 1) if grade is not None and grade > 0), 0.0
    )


def judged(grades: Grades, relevant: Sequence[int], k: int | None) -> float:
    """The share of the first k retrieved documents that somebody judged; 0 where nothing was retrieved.

    Where it is low, the other measures say little: what was not judged counts as not relevant.
    """
    seen = grades[:k]
    return sum(grade is not None for grade in seen) / len(seen) if seen else 0.0


def _found(grades: Grades) -> int:
    return sum(grade is not None and grade > 0 for grade in grades)


def _gain(grades: Grades, gain: Callable[[int], float]) -> float:
    """The sum of the gains, each over log2(rank + 1)."""
    ranked = ((rank, grade) for rank, grade in enumerate(grades, 1) if grade is not None and grade > 0)
    return sum(gain(grade) / math.log2(rank + 1) for rank, grade in ranked)


def _exponential(grade: int) -> float:
    return 2.0**grade - 1
