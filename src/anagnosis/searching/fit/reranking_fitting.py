"""Weights of what reading shows of a passage, fitted on judged questions, and what that brings.

The questions are dealt into FOLDS parts; each is ranked by what was fitted on the others, so that the figure beside the
first ranking's is not flattered. Questions with a relevant document in common lie in one part: weights of single
numbers of vectors can remember documents. What is kept is fitted on all of them. Where one part holds most questions,
the others say too little of a fit on all, and nothing is fitted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from anagnosis.array_types import Floats, Floats32, Longs
from anagnosis.calibration.cross_fit import FOLDS, Model, cross_fitted
from anagnosis.calibration.newton import conditional_logit
from anagnosis.errors import InputError
from anagnosis.evaluation.differences.power import ALPHA
from anagnosis.evaluation.retrieval.comparison import Pair, compare
from anagnosis.evaluation.retrieval.measures import ndcg
from anagnosis.notebook import Shown
from anagnosis.predictions.problems import Problem
from anagnosis.searching.rank.ranking import RERANKED, Read
from anagnosis.searching.rank.reranking import CLUES, READ, Weights

FIRST = "first"
AT = 10
LEAST = 50  # questions with a relevant passage among those that are read
_OUTSIDE = 0.5  # of them, outside every part: what judges it must not be fitted on the lesser half
# A ridge of 1 is of weights; these say how large a clue's weight is expected to be, and that of a number of vectors.
# Chosen on SciFact's training queries (design/search.md).
_CLUES = (10.0, 5.0, 1.0, 1.0, 1.0, 1.0)
_NUMBERS = 20.0
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Question:
    """What is needed of what was read for it, not the texts, so that many questions fit into memory.

    documents, others: of the passages read and of those after them. rows, products: as ranking.Read. grades: of the
    documents that were judged.
    """

    documents: tuple[str, ...]
    others: tuple[str, ...]
    rows: list[list[float]]
    products: Floats32 | None
    grades: Mapping[str, int]

    @classmethod
    def of(cls, read: Read, grades: Mapping[str, int]) -> Question:
        """Of what `ranking.read` gives."""
        documents, others = (tuple(hit.passage.document for hit in hits) for hits in (read.hits, read.others))
        return cls(documents, others, read.rows, read.products, grades)

    @property
    def relevant(self) -> list[int]:
        """The grades above 0, falling."""
        return sorted((grade for grade in self.grades.values() if grade > 0), reverse=True)

    @property
    def targets(self) -> Floats:
        """float64 [read], 1 where the document is relevant."""
        return np.array([float(self.grades.get(document, 0) > 0) for document in self.documents])


@dataclass(frozen=True, slots=True, repr=False)
class RerankingFit(Shown):
    """The weights of a reranking, and what they gain.

    questions: that were judged. used: those with a relevant passage among the ones that are read.

    before, after: means of nDCG@10 of the first ranking, and by folds; pair: the better one beside the other.
    """

    weights: Weights
    questions: int
    used: int
    before: float
    after: float
    pair: Pair
    problems: Mapping[str, Problem] = field(default_factory=dict[str, Problem])


def fit(
    questions: Sequence[Question], encoder: str, *, vectors: bool = True, seed: int = 0, draws: int = 10_000
) -> RerankingFit:
    """Fit and judge. encoder: the digest of what made the vectors, "" for words alone.

    vectors: fit weights of their numbers too. seed, draws: of the test. Refused (InputError): fewer than LEAST
    questions to learn from; more than half of these in one part, so that it would be judged by a fit on the fewer.
    """
    targets = [question.targets for question in questions]
    used = sum(bool(target.sum()) for target in targets)
    if used < LEAST:
        what = f"only {used} questions have a relevant document among the {READ} best passages"
        raise InputError(what, "--judgements", f"give at least {LEAST}")
    parts = folds(questions)
    most = max(sum(bool(targets[number].sum()) for number in part) for part in parts)
    if used - most < _OUTSIDE * used:
        what = f"{most} of {used} questions hang together by relevant documents in common, too many to judge a fit"
        raise InputError(
            what, "--judgements", f"give at least {2 * most - used} more that share none with them"
        )
    rows = [_matrix(question, vectors=vectors and bool(encoder)) for question in questions]
    first = np.array([_ndcg(question, range(len(question.documents))) for question in questions])
    fold = np.empty(len(questions), np.int64)
    for number, part in enumerate(parts):
        fold[part] = number

    def fit_on(numbers: Longs) -> Model:
        weights = _weights(rows, targets, numbers.tolist())
        return lambda others: np.array(
            [_reranked_ndcg(questions[number], rows[number] @ weights) for number in others]
        )

    reranked = cross_fitted(fold, fit_on)
    every = _weights(rows, targets, range(len(rows)))
    scaled = np.round(every[: len(CLUES)] * np.array(_CLUES), _DIGITS).tolist()
    numbers = np.round(every[len(CLUES) :] * _NUMBERS, _DIGITS).tolist()
    (pair,) = compare([FIRST, RERANKED], [first, reranked], seed=seed, draws=draws, alpha=ALPHA).against_next
    weights = Weights(tuple(scaled), tuple(numbers), encoder)
    return RerankingFit(weights, len(questions), used, float(first.mean()), float(reranked.mean()), pair)


def folds(questions: Sequence[Question]) -> list[list[int]]:
    """Numbers of questions in up to FOLDS parts of like size; those with a common relevant document lie together."""
    group = list(range(len(questions)))

    def root(number: int) -> int:
        while group[number] != number:
            group[number] = group[group[number]]
            number = group[number]
        return number

    first: dict[str, int] = {}
    for number, question in enumerate(questions):
        for document, grade in question.grades.items():
            if grade > 0:
                group[root(number)] = root(first.setdefault(document, number))
    groups: dict[int, list[int]] = {}
    for number in range(len(questions)):
        groups.setdefault(root(number), []).append(number)
    parts: list[list[int]] = [[] for _ in range(FOLDS)]
    for own in sorted(groups.values(), key=lambda own: (-len(own), own[0])):
        min(parts, key=len).extend(own)
    return [part for part in parts if part]


def _matrix(question: Question, *, vectors: bool) -> Floats:
    """float64 [read, clues and numbers], each times how large its weight is expected to be."""
    rows = np.array(question.rows, np.float64).reshape(-1, len(CLUES)) * np.array(_CLUES)
    if not vectors or question.products is None:
        return rows
    return np.hstack([rows, question.products.astype(np.float64) * _NUMBERS])


def _weights(rows: Sequence[Floats], targets: Sequence[Floats], numbers: Sequence[int]) -> Floats:
    """Of those questions that have something relevant among what was read."""
    judged = [number for number in numbers if targets[number].sum()]
    right = [targets[number] / targets[number].sum() for number in judged]
    return conditional_logit([rows[number] for number in judged], right)


def _reranked_ndcg(question: Question, scores: Floats) -> float:
    """nDCG@10 by falling scores. scores: float64 [read]."""
    return _ndcg(question, np.argsort(-scores, kind="stable").tolist())


def _ndcg(question: Question, order: Sequence[int]) -> float:
    """nDCG@10 of documents, each at its best passage."""
    documents = dict.fromkeys([*(question.documents[number] for number in order), *question.others])
    return ndcg([question.grades.get(document, 0) for document in documents], question.relevant, AT)
