"""Fit the weights of a reranking on judged questions, and evaluate them by cross validation.

We rank each of FOLDS parts of the questions by a fit on the others, so that the score is unbiased. Questions with a
common relevant document are in one part, since weights of single vector components can memorise documents. The stored
weights are fitted on all questions. If one part has most questions, fits on the others say too little about a fit on
all, and we refuse to fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from anagnosis.array_types import Floats, Floats32, Longs
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration.newton import conditional_logit
from anagnosis.evaluation.calibration.scaling import FOLDS, Model, cross_fitted
from anagnosis.evaluation.retrieval.measures import ndcg
from anagnosis.evaluation.retrieval.scoring import Pair, compare
from anagnosis.predictions.problems import Problem
from anagnosis.searching.rank.ranking import RERANKED, ReadPassages
from anagnosis.searching.rank.reranking import FEATURES, READ, RerankingWeights
from anagnosis.showing import WithReport

FIRST = "first"
AT = 10
LEAST = 50  # questions with a relevant passage among the READ best
_OUTSIDE = 0.5  # least share of them outside each part, to fit the weights that rank it
# Scales of columns, which turn the ridge of 1 into a prior on the size of each weight: of the features, and of a vector
# component. Chosen on SciFact's training queries (design/search.md).
_FEATURE_SCALES = (10.0, 5.0, 1.0, 1.0, 1.0, 1.0)
_NUMBER_SCALE = 20.0
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Question:
    """A judged question without its passages' texts, so that many fit into memory.

    documents, others: of the READ best passages and of those after them. rows, products: as in ReadPassages. grades: of
    the judged documents.
    """

    documents: tuple[str, ...]
    others: tuple[str, ...]
    rows: list[list[float]]
    products: Floats32 | None
    grades: Mapping[str, int]

    @classmethod
    def of(cls, read: ReadPassages, grades: Mapping[str, int]) -> Question:
        """The question for a result of `ranking.read`."""
        documents, others = (tuple(hit.passage.document for hit in hits) for hits in (read.hits, read.others))
        return cls(documents, others, read.rows, read.products, grades)

    @property
    def relevant(self) -> list[int]:
        """The grades above 0, highest first."""
        return sorted((grade for grade in self.grades.values() if grade > 0), reverse=True)

    @property
    def targets(self) -> Floats:
        """float64 [read]: 1 for passages of relevant documents."""
        return np.array([float(self.grades.get(document, 0) > 0) for document in self.documents])


@dataclass(frozen=True, slots=True, repr=False)
class RerankingFit(WithReport):
    """Fitted weights of a reranking and their evaluation.

    questions: number of judged ones. used: number of those with a relevant passage among the READ best. before, after:
    mean nDCG@10 of the first ranking and of the cross-validated reranking. pair: the comparison of both.
    """

    weights: RerankingWeights
    questions: int
    used: int
    before: float
    after: float
    pair: Pair
    problems: Mapping[str, Problem] = field(default_factory=dict[str, Problem])


def fit(
    questions: Sequence[Question], encoder: str, *, vectors: bool = True, seed: int = 0, draws: int = 10_000
) -> RerankingFit:
    """Fit and evaluate. encoder: the digest of the vectors' encoder, "" for words alone.

    vectors: fit weights of vector components too. seed, draws: of the paired test. InputError: fewer than LEAST usable
    questions, or more than half of them in one part, which a fit on the minority would rank.
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
            [
                _ndcg(questions[number], np.argsort(-(rows[number] @ weights), kind="stable").tolist())
                for number in others
            ]
        )

    reranked = cross_fitted(fold, fit_on)
    every = _weights(rows, targets, range(len(rows)))
    scaled = np.round(every[: len(FEATURES)] * np.array(_FEATURE_SCALES), _DIGITS).tolist()
    numbers = np.round(every[len(FEATURES) :] * _NUMBER_SCALE, _DIGITS).tolist()
    (pair,) = compare([FIRST, RERANKED], [first, reranked], seed=seed, draws=draws).against_next
    weights = RerankingWeights(tuple(scaled), tuple(numbers), encoder)
    return RerankingFit(weights, len(questions), used, float(first.mean()), float(reranked.mean()), pair)


def folds(questions: Sequence[Question]) -> list[list[int]]:
    """Indices of questions in up to FOLDS parts of similar size; those with a common relevant document together."""
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
    for members in sorted(groups.values(), key=lambda members: (-len(members), members[0])):
        min(parts, key=len).extend(members)
    return [part for part in parts if part]


def _matrix(question: Question, *, vectors: bool) -> Floats:
    """float64 [read, features and vector components], each column times its scale."""
    rows = np.array(question.rows, np.float64).reshape(-1, len(FEATURES)) * np.array(_FEATURE_SCALES)
    if not vectors or question.products is None:
        return rows
    return np.hstack([rows, question.products.astype(np.float64) * _NUMBER_SCALE])


def _weights(rows: Sequence[Floats], targets: Sequence[Floats], numbers: Sequence[int]) -> Floats:
    """Fitted weights, from the questions with a relevant passage among the READ best."""
    judged = [number for number in numbers if targets[number].sum()]
    right = [targets[number] / targets[number].sum() for number in judged]
    return conditional_logit([rows[number] for number in judged], right)


def _ndcg(question: Question, order: Sequence[int]) -> float:
    """nDCG@10 of documents, each ranked by its best passage."""
    documents = dict.fromkeys([*(question.documents[number] for number in order), *question.others])
    return ndcg([question.grades.get(document, 0) for document in documents], question.relevant, AT)
