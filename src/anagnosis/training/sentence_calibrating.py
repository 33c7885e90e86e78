"""Of a reader of sentences: probabilities made what they say, and from which on a sentence is marked.

Slope and intercept of the log-odds are fitted on the sentences of a split that the run was not trained on. How far off
they are is measured on others: questions are drawn into FOLDS, and each is judged by what the other folds give. Where
that is no better than what the reader says itself, its own probabilities stay.

Marks, chosen on the probabilities of that measurement:

    fair     the one with the best F1 of the sentences that hold the answer
    weak     the highest that keeps nine in ten of them, at most `fair`
    strong   the lowest from `fair` on at which four in five sentences hold it; where none does, the best of those
             that keep one in twenty

Whether a collection holds the answer at all is not asked of such a reader (searching/asking.py): it was shown one
document at a time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from anagnosis.datasets import store
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration import Calibration, calibration
from anagnosis.evaluation.platt import Platt, fitted, log_odds, loss
from anagnosis.training.deciding import Where
from anagnosis.training.materials import material
from anagnosis.training.predicting import Answering
from anagnosis.training.run import Run

FOLDS = 5
KEPT_WEAK, RIGHT_STRONG, KEPT_STRONG = 0.9, 0.8, 0.05

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Longs = npt.NDArray[np.int64]


class Fit(msgspec.Struct, frozen=True):
    """slope, intercept: of the log-odds. weak, fair, strong: probabilities. error: the expected calibration
    error on questions that it was not fitted on, low, high: its 95 % interval. sentences: that it was fitted on."""

    slope: float
    intercept: float
    weak: float
    fair: float
    strong: float
    error: float
    low: float
    high: float
    sentences: int

    @property
    def platt(self) -> Platt:
        return Platt(self.slope, self.intercept)


@dataclass(frozen=True, slots=True)
class Fitted:
    """questions: that differ. before, after: mean loss of the sentences' labels, after on questions left out."""

    fit: Fit
    questions: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Judged:
    """Sentences with a label. odds: float64 [n]; held: bool [n]; question: int64 [n]."""

    odds: Floats
    held: Bools
    question: Longs

    @property
    def questions(self) -> int:
        return int(self.question.max()) + 1


def fit(run: Run, dataset: store.Dataset, split: str, where: Where) -> Fitted:
    """Fit a run on a split. Refused (InputError): one that it was trained on, or with too little to fit."""
    if run.facts.train.fingerprint == store.fingerprint(dataset, split):
        raise InputError(
            f"was trained on the {split} part of this dataset",
            str(run.folder),
            "fit it on another: --split dev, or another dataset",
        )
    judged = answers(run, dataset, split, where)
    folds = np.random.default_rng(0).permutation(judged.questions) % FOLDS
    both = all(judged.held[folds[judged.question] != fold].any() for fold in range(FOLDS))
    if not both or judged.held.all() or judged.questions < FOLDS:
        raise InputError(
            "too few questions with sentences that hold the answer, and others, to fit anything on",
            f"{dataset.folder}, {split}",
            "name a larger dataset or split",
        )
    others = np.empty(len(judged.odds))
    for fold in range(FOLDS):
        own = folds[judged.question] == fold
        others[own] = fitted(judged.odds[~own], judged.held[~own])(judged.odds[own])
    found, as_it_comes = fitted(judged.odds, judged.held), Platt()(judged.odds)
    before = loss(as_it_comes, judged.held)
    if loss(others, judged.held) >= before:
        # What makes it worse on questions left out is no improvement: the reader's own stay.
        found, others = Platt(), as_it_comes
    error = off(others, judged)
    marks = chosen_marks(others, judged.held)
    made = Fit(
        round(found.slope, 9),
        round(found.intercept, 9),
        marks.weak,
        marks.fair,
        marks.strong,
        round(error.error, 6),
        round(error.interval.low, 6),
        round(error.interval.high, 6),
        len(judged.odds),
    )
    return Fitted(made, judged.questions, before, loss(others, judged.held))


def answers(run: Run, dataset: store.Dataset, split: str, where: Where) -> Judged:
    """What a run says of a split's sentences that have a label."""
    part = material(dataset, split, run.config.view, kept=where.kept)
    scores = Answering(run, where.device, where.threads).log_probabilities(part, f"{run.reader} on {split}")
    odds: list[float] = []
    held: list[bool] = []
    question: list[int] = []
    seen: dict[str, int] = {}
    for each, own in zip(store.read(dataset, split), scores, strict=True):
        asked = seen.setdefault(each.question, len(seen))
        for sentence, score in zip(each.sentences, own, strict=False):
            if sentence.held is not None:
                odds.append(score)
                held.append(sentence.held)
                question.append(asked)
    if not odds:
        raise InputError("no sentence has a label", f"{dataset.folder}, {split}", "name another split")
    return Judged(log_odds(np.array(odds)), np.array(held), np.array(question))


def off(probabilities: Floats, judged: Judged) -> Calibration:
    """The expected calibration error, with its interval by question."""
    return calibration(probabilities, judged.held.astype(np.float64), judged.question)


class Chosen(NamedTuple):
    """Probabilities from which on a sentence is marked: see the module."""

    weak: float
    fair: float
    strong: float


def chosen_marks(probabilities: Floats, held: Bools) -> Chosen:
    """probabilities: float64 [n]; held: bool [n]."""
    order = np.argsort(-probabilities, kind="stable")
    steps, right = probabilities[order], np.cumsum(held[order])
    last = np.flatnonzero(np.r_[np.diff(steps) < 0, True])  # a mark takes all sentences of one probability
    steps, right, marked = steps[last], right[last], last + 1
    precision, recall = right / marked, right / right[-1]
    fair = int(np.argmax(2 * right / (marked + right[-1])))
    weak = max(fair, int(np.argmax(recall >= KEPT_WEAK)))
    sure = np.flatnonzero((precision >= RIGHT_STRONG) & (recall >= KEPT_STRONG))
    enough = np.flatnonzero(recall >= KEPT_STRONG)
    best = int(sure[-1]) if len(sure) else int(enough[np.argmax(precision[enough])])
    strong = min(fair, best)
    places = (steps[weak], steps[fair], steps[strong])
    return Chosen(
        *(math.floor(float(value) * 1e6) / 1e6 for value in places)
    )  # rounded up, it would lose its own
