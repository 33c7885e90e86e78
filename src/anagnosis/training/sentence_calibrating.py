"""Of a reader of sentences: probabilities made what they say, and from which on a sentence is marked.

Slope and intercept of the log-odds are fitted on the sentences of a split that the run was not trained on. How far off
they are is measured on others: questions are drawn into FOLDS, and each is judged by what the other folds give. Where
that is no better than what the reader says itself, its own probabilities stay.

Marks, chosen on the probabilities of that measurement:

    fair     the one with the best F1 of the sentences that hold the answer
    weak     the highest that keeps nine in ten of them, at most `fair`
    strong   the lowest from `fair` on at which four in five sentences hold it; where none does, the best of those
             that keep one in twenty (`reached` says so)

What each is worth there is kept beside it. A question that the run was trained on too, by its words, is left out.

Whether a collection holds the answer at all is not asked of such a reader (searching/answers/asking.py): it was shown
one document at a time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from anagnosis.datasets.folder import store
from anagnosis.datasets.question_keys import keys_of
from anagnosis.errors import InputError
from anagnosis.evaluation.probabilities.calibration import Calibration, calibration
from anagnosis.evaluation.probabilities.platt import Platt, fitted, log_odds, loss
from anagnosis.progress import tell
from anagnosis.training.deciding import Where
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.provenance import left_to_fit
from anagnosis.training.runs.run import Run
from anagnosis.training.training_splits import material

FOLDS = 5
KEPT_WEAK, RIGHT_STRONG, KEPT_STRONG = 0.9, 0.8, 0.05

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Longs = npt.NDArray[np.int64]


class MeasuredMark(msgspec.Struct, frozen=True):
    """A mark as it was measured. least: the probability from which on a sentence has it. precision: how many of those
    hold the answer; recall: of those that hold it, how many have the mark. sentences: that have it.

    reached: whether what is asked of the mark was found; if not, the next best stands in its place.
    """

    least: float
    precision: float
    recall: float
    sentences: int
    reached: bool = True


class MeasuredMarks(msgspec.Struct, frozen=True):
    """See the module."""

    weak: MeasuredMark
    fair: MeasuredMark
    strong: MeasuredMark


class Fit(msgspec.Struct, frozen=True, omit_defaults=True):
    """slope, intercept: of the log-odds. weak, fair, strong: probabilities. sentences: that it was fitted on.

    error: the binned calibration error on questions that it was not fitted on; debiased: the true one, low, high: its
    95 % interval, p: of perfect calibration. Of an older fit debiased and p are None, and low and high are percentiles
    of answers drawn anew. marks: what the three are worth on those; None of an older fit. left_out: questions that the
    run was trained on.
    """

    slope: float
    intercept: float
    weak: float
    fair: float
    strong: float
    error: float
    low: float
    high: float
    sentences: int
    marks: MeasuredMarks | None = None
    left_out: int = 0
    debiased: float | None = None
    p: float | None = None

    @property
    def platt(self) -> Platt:
        return Platt(self.slope, self.intercept)

    @property
    def as_it_came(self) -> bool:
        """Whether no fit was better than the reader's own probabilities."""
        return self.platt == Platt()


@dataclass(frozen=True, slots=True)
class Outcome:
    """questions: that differ. before, after: mean loss of the sentences' labels, after on questions left out."""

    fit: Fit
    questions: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class LabelledSentences:
    """What a run says of sentences with a label. odds: float64 [n]; held: bool [n]; question: int64 [n]."""

    odds: Floats
    held: Bools
    question: Longs

    @property
    def questions(self) -> int:
        return int(self.question.max()) + 1


def fit(run: Run, dataset: store.Dataset, split: str, where: Where) -> Outcome:
    """Fit a run on a split. Refused (InputError): questions that it was trained on, or too little to fit."""
    another = "fit it on another split or dataset"
    if run.facts.train.fingerprint == store.fingerprint(dataset, split):
        raise InputError(f"was trained on the {split} part of this dataset", str(run.folder), another)
    asked = keys_of(dataset, split)
    place = f"{dataset.folder}, {split}"
    free = left_to_fit(run, asked, place, another)
    left_out = len(np.unique(asked[~free]))
    if left_out:
        tell(f"{place}: {left_out:,} questions were trained on and are left out")
    told = answers(run, dataset, split, where, free)
    folds = np.random.default_rng(0).permutation(told.questions) % FOLDS
    both = all(told.held[folds[told.question] != fold].any() for fold in range(FOLDS))
    if not both or told.held.all() or told.questions < FOLDS:
        raise InputError(
            "too few questions with sentences that hold the answer, and others, to fit anything on",
            place,
            "name a larger dataset or split",
        )
    others = np.empty(len(told.odds))
    for fold in range(FOLDS):
        own = folds[told.question] == fold
        others[own] = fitted(told.odds[~own], told.held[~own])(told.odds[own])
    found, as_it_comes = fitted(told.odds, told.held), Platt()(told.odds)
    before = loss(as_it_comes, told.held)
    if loss(others, told.held) >= before:
        # What makes it worse on questions left out is no improvement: the reader's own stay.
        found, others = Platt(), as_it_comes
    error = off(others, told)
    marks = chosen_marks(others, told.held)
    made = Fit(
        round(found.slope, 9),
        round(found.intercept, 9),
        marks.weak.least,
        marks.fair.least,
        marks.strong.least,
        round(error.error, 6),
        round(error.interval.low, 6),
        round(error.interval.high, 6),
        len(told.odds),
        marks,
        left_out,
        round(error.debiased, 6),
        round(error.p, 6),
    )
    return Outcome(made, told.questions, before, loss(others, told.held))


def answers(
    run: Run, dataset: store.Dataset, split: str, where: Where, free: Bools | None = None
) -> LabelledSentences:
    """What a run says of a split's sentences that have a label. free: bool [instances], those to take (None: all)."""
    part = material(dataset, split, run.config.view, kept=where.kept)
    scores = Answering(run, where.device, where.threads).log_probabilities(part, f"{run.reader} on {split}")
    odds: list[float] = []
    held: list[bool] = []
    question: list[int] = []
    seen: dict[str, int] = {}
    for row, (each, own) in enumerate(zip(store.read(dataset, split), scores, strict=True)):
        if free is not None and not free[row]:
            continue
        for sentence, score in zip(each.sentences, own, strict=False):
            if sentence.held is not None:
                odds.append(score)
                held.append(sentence.held)
                question.append(seen.setdefault(each.question, len(seen)))
    if not odds:
        raise InputError("no sentence has a label", f"{dataset.folder}, {split}", "name another split")
    return LabelledSentences(log_odds(np.array(odds)), np.array(held), np.array(question))


def off(probabilities: Floats, told: LabelledSentences) -> Calibration:
    """The calibration error by question."""
    return calibration(probabilities, told.held.astype(np.float64), told.question)


def chosen_marks(probabilities: Floats, held: Bools, kept_weak: float = KEPT_WEAK) -> MeasuredMarks:
    """probabilities: float64 [n]; held: bool [n], at least one of which is. kept_weak: what `weak` keeps of them."""
    order = np.argsort(-probabilities, kind="stable")
    steps, right = probabilities[order], np.cumsum(held[order])
    last = np.flatnonzero(np.r_[np.diff(steps) < 0, True])  # a mark takes all sentences of one probability
    steps, right, marked = steps[last], right[last], last + 1
    precision, recall = right / marked, right / right[-1]
    fair = int(np.argmax(2 * right / (marked + right[-1])))
    weak = max(fair, int(np.argmax(recall >= kept_weak)))
    sure = np.flatnonzero((precision >= RIGHT_STRONG) & (recall >= KEPT_STRONG))
    enough = np.flatnonzero(recall >= KEPT_STRONG)
    best = int(sure[-1]) if len(sure) else int(enough[np.argmax(precision[enough])])
    strong = min(fair, best)

    def mark(place: int, *, reached: bool = True) -> MeasuredMark:
        return MeasuredMark(
            math.floor(float(steps[place]) * 1e6) / 1e6,  # rounded up, it would lose its own
            round(float(precision[place]), 6),
            round(float(recall[place]), 6),
            int(marked[place]),
            reached,
        )

    return MeasuredMarks(
        mark(weak), mark(fair), mark(strong, reached=bool(precision[strong] >= RIGHT_STRONG))
    )
