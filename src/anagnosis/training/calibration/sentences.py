"""Calibrated probabilities of a reader of sentences, and thresholds from which on a sentence is highlighted.

Slope and intercept of the log-odds are fitted on the sentences of a split that the run was not trained on. How far off
they are is measured on others, by cross-fitting. Where that is no better than the reader's probabilities as it gives
them, those stay. A question that the run was trained on too, by its words, is left out.

Whether a collection holds the answer at all is not asked of such a reader (searching/answers/asking.py): it was shown
one document at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.datasets.folder import store
from anagnosis.datasets.question_keys import keys_of
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration import highlight_thresholds
from anagnosis.evaluation.calibration.scaling import (
    FOLDS,
    Model,
    Platt,
    cross_fitted,
    fitted_platt,
    folds_by_question,
    log_odds,
    mean_log_loss,
)
from anagnosis.evaluation.probabilities import Calibration, calibration
from anagnosis.progress import print_note
from anagnosis.training.calibration.decisions import Resources
from anagnosis.training.runs.parameters import RunParameters, SentenceFit
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.provenance import left_to_fit
from anagnosis.training.runs.run import Run
from anagnosis.training.training_splits import viewed_split


@dataclass(frozen=True, slots=True)
class LabelledSentences:
    """A run's scores of sentences with a label. odds: float64 [n]; gold: bool [n]; question: int64 [n]."""

    odds: Floats
    gold: Bools
    question: Longs

    @property
    def questions(self) -> int:
        return int(self.question.max()) + 1


def fit(run: Run, dataset: store.Dataset, resources: Resources, split: str | None = None) -> RunParameters:
    """Fit a run on a split (None: dev). Refused (InputError): questions that it was trained on, or too few to fit."""
    another = "fit it on another split or dataset"
    split = split or "dev"
    if run.facts.train.fingerprint == store.fingerprint(dataset, split):
        raise InputError(f"was trained on the {split} part of this dataset", str(run.folder), another)
    keys = keys_of(dataset, split)
    place = f"{dataset.folder}, {split}"
    free = left_to_fit(run, keys, place, another)
    left_out = len(np.unique(keys[~free]))
    if left_out:
        print_note(f"{place}: {left_out:,} questions were trained on and are left out")
    scored = scored_sentences(run, dataset, split, resources, free)
    odds, gold, folds = scored.odds, scored.gold, folds_by_question(scored.question)
    both = all(gold[folds != fold].any() for fold in range(FOLDS))
    if not both or gold.all() or scored.questions < FOLDS:
        raise InputError(
            "too few questions with sentences that hold the answer, and others, to fit anything on",
            place,
            "name a larger dataset or split",
        )

    def fit_on(rows: Longs) -> Model:
        platt = fitted_platt(odds[rows], gold[rows])
        return lambda others: platt(odds[others])

    probabilities = cross_fitted(folds, fit_on)
    platt, unfitted = fitted_platt(odds, gold), Platt()(odds)
    before = mean_log_loss(unfitted, gold)
    if mean_log_loss(probabilities, gold) >= before:
        # A fit that is worse on questions left out is no improvement.
        platt, probabilities = Platt(), unfitted
    error = calibration_error(probabilities, scored)
    made = SentenceFit(
        slope=round(platt.slope, 9),
        intercept=round(platt.intercept, 9),
        error=round(error.error, 6),
        by_chance=round(error.by_chance, 6),
        sentences=len(odds),
        thresholds=highlight_thresholds.choose(probabilities, gold),
        left_out=left_out,
    )
    return RunParameters(
        dataset.name,
        split,
        scored.questions,
        round(before, 6),
        round(mean_log_loss(probabilities, gold), 6),
        sentences=made,
    )


def scored_sentences(
    run: Run, dataset: store.Dataset, split: str, resources: Resources, free: Bools | None = None
) -> LabelledSentences:
    """A run's scores of a split's sentences that have a label. free: bool [instances], those to take (None: all)."""
    part = viewed_split(dataset, split, run.config.view, kept=resources.kept)
    scores = Answering(run, resources.device, resources.threads).log_probabilities(
        part, f"{run.reader} on {split}"
    )
    odds: list[float] = []
    gold: list[bool] = []
    question: list[int] = []
    seen: dict[str, int] = {}
    for row, (each, values) in enumerate(zip(store.instances(dataset, split), scores, strict=True)):
        if free is not None and not free[row]:
            continue
        for sentence, score in zip(each.sentences, values, strict=False):
            if sentence.held is not None:
                odds.append(score)
                gold.append(sentence.held)
                question.append(seen.setdefault(each.question, len(seen)))
    if not odds:
        raise InputError("no sentence has a label", f"{dataset.folder}, {split}", "name another split")
    return LabelledSentences(log_odds(np.array(odds)), np.array(gold), np.array(question))


def calibration_error(probabilities: Floats, scored: LabelledSentences) -> Calibration:
    """The calibration error by question."""
    return calibration(probabilities, scored.gold.astype(np.float64), scored.question)
