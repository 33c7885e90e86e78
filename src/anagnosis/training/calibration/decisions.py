"""Decisions of trained models: their probabilities calibrated, and a rule for each, on questions it was not trained on.

Each model of a cross validation has its fold's development part, another model the dataset's: those questions alone
give its temperature and its offsets. Several models stay runs of one system, or their probabilities are averaged within
each question: the answer is the label with the highest mean after the offsets, the scores are the means before them.
The mean is of probabilities, not of votes, whatever the development part says: nine of ten models have seen it.

Scores are calibrated probabilities, so an answer that a rule gave need not have the highest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anagnosis import predictions
from anagnosis.array_types import Floats, Longs
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.datasets.question_keys import as_keys, key_of
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.calibration.decision_rules import MACRO_F1, offsets
from anagnosis.evaluation.calibration.scaling import temperature, tempered
from anagnosis.predictions import Prediction
from anagnosis.predictions.notes import ModelNote
from anagnosis.progress import print_note
from anagnosis.readers.predict import draw, tied
from anagnosis.showing import WithReport
from anagnosis.training.runs.predicting import Answering, kept_predictions
from anagnosis.training.runs.provenance import left_to_fit
from anagnosis.training.runs.run import Run
from anagnosis.training.training_splits import people_parts, viewed_split

TEMPERATURE, NONE = "temperature", "none"
CALIBRATIONS = (TEMPERATURE, NONE)


@dataclass(frozen=True, slots=True)
class ModelDecision:
    """How a model decides. questions: on how many that was chosen, 0 where nothing had to be. offsets: label → what is
    added to its log-probability, None where it is never answered.
    """

    name: str
    questions: int
    temperature: float
    offsets: dict[str, float | None]

    @property
    def note(self) -> ModelNote:
        """The entry in the note beside predictions."""
        rounded = {label: own and round(own, 9) for label, own in self.offsets.items()}
        return ModelNote(self.name, self.questions, self.temperature, rounded)


@dataclass(frozen=True, slots=True, repr=False)
class Decisions(WithReport):
    """The decisions of a training. models: how each decides. split: answered. files: the predictions that were written,
    of so many lines each.
    """

    rule: str
    calibrate: str
    split: str
    models: tuple[ModelDecision, ...]
    files: tuple[str, ...]
    lines: int


def choose(
    run: Run,
    dataset: store.Dataset,
    rule: str,
    calibrate: str,
    device: str = "auto",
    threads: int | None = None,
    kept: Path | None = None,
) -> ModelDecision:
    """Temperature and offsets of a model, on the questions of its development part alone.

    device, threads, kept: as of `predict`.
    """
    if calibrate not in CALIBRATIONS:
        raise unknown_name("calibration", calibrate, CALIBRATIONS)
    scores = np.zeros((0, len(LABELS)))
    divisor = 1.0
    if calibrate == TEMPERATURE or rule == MACRO_F1:
        scores, labels = development(run, dataset, device, threads, kept)
        divisor = temperature(scores, labels) if calibrate == TEMPERATURE else 1.0
        scores = tempered(scores, divisor)
    added = offsets(rule, LABELS, scores)
    by_label = {
        label: None if own == -np.inf else own for label, own in zip(LABELS, added.tolist(), strict=True)
    }
    return ModelDecision(run.folder.resolve().name, len(scores), divisor, by_label)


def decisions(
    chosen: Sequence[tuple[Run, ModelDecision]],
    dataset: store.Dataset,
    split: str,
    seed: int = 0,
    device: str = "auto",
    threads: int | None = None,
    kept: Path | None = None,
) -> Iterator[Prediction]:
    """The answers of a model, or of the mean of several. seed: of the draw between labels that tie."""
    fingerprint = store.fingerprint(dataset, split)
    lines: list[Prediction] = []
    means: list[Floats] = []
    for run, decision in chosen:
        path = kept_predictions(
            run.folder, dataset, split, seed=seed, kept=kept, device=device, threads=threads
        )
        lines = list(predictions.read(path))
        scores = np.array([[(line.scores or {})[label] for label in LABELS] for line in lines])
        calibrated = tempered(scores, decision.temperature)
        added = np.array([-np.inf if own is None else own for own in decision.offsets.values()])
        means.append(np.exp(np.stack([calibrated, tempered(calibrated + added, 1.0)])) / len(chosen))
    said, moved = np.sum(means, axis=0)
    for line, own, ranked in zip(lines, said.tolist(), moved.tolist(), strict=True):
        best = [LABELS[place] for place in tied(ranked)]
        answer = draw(best, seed=seed, instance=line.id)
        yield Prediction(line.id, answer, dict(zip(LABELS, own, strict=True)), fingerprint)


def development(
    run: Run,
    dataset: store.Dataset,
    device: str = "auto",
    threads: int | None = None,
    kept: Path | None = None,
) -> tuple[Floats, Longs]:
    """(log-probabilities [n, labels], labels [n]) of the questions that a model was judged on."""
    split = "train" if run.facts.fold is not None else "dev"
    own = frozenset(people_parts(dataset, run.facts.fold)[1])
    found = store.instances(dataset, split, of=DecisionInstance) if own else ()
    asked = [each for each in found if each.id in own and each.label is not None]
    if not asked:
        raise InputError(
            "there are no development questions to choose a temperature or a rule on",
            str(dataset.folder),
            "train with --folds, or `anagnosis decide` with --calibrate none and another rule",
        )
    another = "give the dataset that it was trained on, which asks each question once"
    free = left_to_fit(run, as_keys(map(key_of, asked)), str(dataset.folder), another)
    if not free.all():
        print_note(
            f"{run.folder}: {int((~free).sum()):,} development questions were trained on and are left out"
        )
        asked = [each for each, is_free in zip(asked, free, strict=True) if is_free]
    ids = frozenset(each.id for each in asked)
    part = viewed_split(dataset, split, run.config.view, ids=ids, kept=kept, name="dev")
    scores = Answering(run, device, threads).log_probabilities(part, f"{run.reader} on dev")
    found = np.array([own[: len(LABELS)] for own in scores])
    return found, np.array([LABELS.index(each.label or "") for each in asked], np.int64)
