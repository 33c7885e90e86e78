"""Calibrated probabilities of a reader of sentences, and thresholds from which on a sentence is highlighted.

Slope and intercept of the log-odds are fitted on the sentences of a split that the run was not trained on. How far off
they are is measured on others, by cross-fitting. Where that is no better than the reader's probabilities as it gives
them, those stay. A question that the run was trained on too, by its words, is left out.

Whether a collection holds the answer at all is not asked of such a reader (searching/answers/asking.py): it was shown
one document at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import EVIDENCE, demand, named
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
from anagnosis.evaluation.probabilities import calibration
from anagnosis.progress import print_note
from anagnosis.showing import WithReport
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.provenance import left_to_fit
from anagnosis.training.runs.run import Run, RunParameters, SentenceFit, write_facts
from anagnosis.training.training_splits import viewed_split


@dataclass(frozen=True, slots=True)
class CalibratedRun:
    """A run's name, and the parameters that were fitted for it, as run.json holds them."""

    name: str
    parameters: RunParameters


@dataclass(frozen=True, slots=True, repr=False)
class Calibrations(WithReport):
    """All that was fitted for the runs of a folder."""

    runs: tuple[CalibratedRun, ...]


def calibrate(run: Run, dataset: store.Dataset, split: str | None = None, **resources: Any) -> CalibratedRun:
    """Fit a run on a split (None: dev), and keep the parameters in its folder.

    resources: device, threads and kept, as of `predict`. Refused (InputError): another reader, questions that it was
    trained on, or too few to fit.
    """
    what, remedy = f"probabilities of {run.reader} are not fitted", "name a run that scores sentences"
    demand(named(run.config.kind), EVIDENCE, str(run.folder), what, remedy)
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
    odds, gold, question = scored_sentences(run, dataset, split, free, **resources)
    questions, folds = int(question.max()) + 1, folds_by_question(question)
    both = all(gold[folds != fold].any() for fold in range(FOLDS))
    if not both or gold.all() or questions < FOLDS:
        what = "too few questions with sentences that hold the answer, and others, to fit anything on"
        raise InputError(what, place, f"name a split of at least {FOLDS} questions, with answers and without")

    def fit_on(rows: Longs) -> Model:
        platt = fitted_platt(odds[rows], gold[rows])
        return lambda others: platt(odds[others])

    probabilities = cross_fitted(folds, fit_on)
    platt, unfitted = fitted_platt(odds, gold), Platt()(odds)
    before = mean_log_loss(unfitted, gold)
    if mean_log_loss(probabilities, gold) >= before:
        # A fit that is worse on questions left out is no improvement.
        platt, probabilities = Platt(), unfitted
    error = calibration(probabilities, gold.astype(np.float64), question)
    made = SentenceFit(
        slope=round(platt.slope, 9),
        intercept=round(platt.intercept, 9),
        error=round(error.error, 6),
        by_chance=round(error.by_chance, 6),
        sentences=len(odds),
        thresholds=highlight_thresholds.choose(probabilities, gold),
        left_out=left_out,
    )
    after = round(mean_log_loss(probabilities, gold), 6)
    parameters = RunParameters(dataset.name, split, questions, round(before, 6), after, made)
    write_facts(run.folder, msgspec.structs.replace(run.facts, calibration=parameters))
    return CalibratedRun(run.folder.resolve().name, parameters)


def scored_sentences(
    run: Run,
    dataset: store.Dataset,
    split: str,
    free: Bools,
    *,
    device: str = "auto",
    threads: int | None = None,
    kept: Path | None = None,
) -> tuple[Floats, Bools, Longs]:
    """Of a run's scores of a split's sentences with a label: log-odds [n], gold [n], the number of the question [n].

    free: bool [instances], those to take.
    """
    part = viewed_split(dataset, split, run.config.view, kept=kept)
    scores = Answering(run, device, threads).log_probabilities(part, f"{run.reader} on {split}")
    seen: dict[str, int] = {}
    found = [
        (score, sentence.held, seen.setdefault(each.question, len(seen)))
        for each, values, is_free in zip(store.instances(dataset, split), scores, free, strict=True)
        if is_free
        for sentence, score in zip(each.sentences, values, strict=False)
        if sentence.held is not None
    ]
    if not found:
        raise InputError("no sentence has a label", f"{dataset.folder}, {split}", "name another split")
    odds, gold, question = (np.array([row[column] for row in found]) for column in range(3))
    return log_odds(odds), gold.astype(bool), question.astype(np.int64)
