"""Calibrated probabilities of a reader of sentences, and thresholds from which on a sentence is highlighted.

Slope and intercept of the log-odds are fitted on the sentences of a split that the run was not trained on. How far off
they are is measured on others, by cross-fitting. Where that is no better than the reader's probabilities as it gives
them, those stay. A question that the run was trained on too, by its words, is left out.

Whether a collection holds the answer at all is not asked of such a reader (searching/answers/asking.py): it was shown
one document at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.evidence import EvidenceInstance
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
from anagnosis.io.files import write_json
from anagnosis.progress import print_note
from anagnosis.showing import WithReport
from anagnosis.training.run_files import FACTS
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.provenance import left_to_fit
from anagnosis.training.runs.run import Run, SentenceFit
from anagnosis.training.training_splits import viewed_split


@dataclass(frozen=True, slots=True, repr=False)
class Calibrations(WithReport):
    """What was fitted for each run of a folder, by its name."""

    runs: dict[str, SentenceFit]


def calibrate(
    run: Run,
    dataset: store.Dataset,
    split: str = "dev",
    device: str = "auto",
    threads: int | None = None,
    kept: Path | None = None,
) -> SentenceFit:
    """Fit a run on a split, and keep the parameters in its folder.

    device, threads, kept: as of `predict`. Refused (InputError): another reader, questions that it was trained on, or
    too few to fit.
    """
    what, remedy = f"probabilities of {run.reader} are not fitted", "name a run that scores sentences"
    demand(named(run.config.kind), EVIDENCE, str(run.folder), what, remedy)
    keys, place = keys_of(dataset, split), f"{dataset.folder}, {split}"
    free = left_to_fit(run, keys, place, "fit it on another split or dataset")
    left_out = len(np.unique(keys[~free]))
    if left_out:
        print_note(f"{place}: {left_out:,} questions were trained on and are left out")
    part = viewed_split(dataset, split, run.config.view, kept=kept)
    scores = Answering(run, device, threads).log_probabilities(part, f"{run.reader} on {split}")
    odds, gold, question = labelled_sentences(store.instances(dataset, split), scores, free)
    questions = len(np.unique(question))
    enough = questions >= FOLDS and not gold.all()
    folds = folds_by_question(question) if enough else question
    if not enough or not all(gold[folds != fold].any() for fold in range(FOLDS)):
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
    fit = SentenceFit(
        dataset=dataset.name,
        split=split,
        questions=questions,
        left_out=left_out,
        sentences=len(odds),
        slope=round(platt.slope, 9),
        intercept=round(platt.intercept, 9),
        before=round(before, 6),
        after=round(mean_log_loss(probabilities, gold), 6),
        thresholds=highlight_thresholds.choose(probabilities, gold),
    )
    write_json(run.folder / FACTS, msgspec.structs.replace(run.facts, calibration=fit))
    return fit


def labelled_sentences(
    instances: Iterable[EvidenceInstance], scores: Iterable[list[float]], free: Bools
) -> tuple[Floats, Bools, Longs]:
    """Of the sentences with a label: log-odds [n], gold [n], the number of the question [n].

    scores: of each instance's sentences. free: bool [instances], those to take.
    """
    seen: dict[str, int] = {}
    found = [
        (score, sentence.held, seen.setdefault(each.question, len(seen)))
        for each, values, is_free in zip(instances, scores, free, strict=True)
        if is_free
        for sentence, score in zip(each.sentences, values, strict=False)
        if sentence.held is not None
    ]
    odds, gold, question = np.array(found, np.float64).reshape(-1, 3).T
    return log_odds(odds), gold.astype(bool), question.astype(np.int64)
