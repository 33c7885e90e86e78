"""Decisions of trained models: their probabilities calibrated, and a rule for each, on questions it was not trained on.

Each of the ten models of cross validation has its fold's development part, another model the dataset's: those questions
alone give its temperature and its offsets. Several models stay runs of one system, or their probabilities are averaged
within each question: the answer is the label with the highest mean after the offsets, the scores are the means before
them. That the mean is taken of probabilities, and not of votes, is fixed beforehand: a development question has been
seen by nine of ten models, so that no choice about averages can be made on it.

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
from anagnosis.evaluation.calibration.decision_rules import MACRO_F1, decided, offsets, worth
from anagnosis.evaluation.calibration.scaling import likelihood_loss, temperature, tempered
from anagnosis.predictions import Prediction
from anagnosis.predictions.notes import ModelNote
from anagnosis.progress import print_note
from anagnosis.readers.predict import draw, prediction, tied
from anagnosis.showing import WithReport
from anagnosis.training.run_files import PREDICTIONS
from anagnosis.training.runs.predicting import Answering, kept_predictions
from anagnosis.training.runs.provenance import left_to_fit
from anagnosis.training.runs.run import Run
from anagnosis.training.training_splits import people_parts, viewed_split

TEMPERATURE, NONE = "temperature", "none"
CALIBRATIONS = (TEMPERATURE, NONE)


@dataclass(frozen=True, slots=True)
class RuleScores:
    """What a rule reaches on the questions that it was chosen on; shares."""

    macro_f1: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class ModelDecision:
    """How a model decides. questions: on how many that was chosen, 0 where nothing had to be. offsets: label → what is
    added to its log-probability, None where it is never answered. plain, ruled: scores on those questions of the most
    probable label and of the rule; None without questions.
    """

    name: str
    questions: int
    temperature: float
    offsets: dict[str, float | None]
    plain: RuleScores | None
    ruled: RuleScores | None


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


@dataclass(frozen=True, slots=True)
class DecidingModel:
    """A run and how it decides. added: what is added for each label, −inf for never.

    losses: the mean loss of the labels before and after the temperature.
    """

    run: Run
    decision: ModelDecision
    added: Floats
    losses: tuple[float, float] = (0.0, 0.0)

    @property
    def note(self) -> ModelNote:
        """The entry in the note beside predictions."""
        offsets = {
            label: None if offset is None else round(offset, 9)
            for label, offset in self.decision.offsets.items()
        }
        return ModelNote(self.decision.name, self.decision.questions, self.decision.temperature, offsets)


@dataclass(frozen=True, slots=True)
class Resources:
    """Where models compute, and what they keep; as for `predict`."""

    device: str = "auto"
    threads: int | None = None
    kept: Path | None = None


def choose(
    run: Run, dataset: store.Dataset, rule: str, calibrate: str, resources: Resources
) -> DecidingModel:
    """Temperature and offsets of a model, on the questions of its development part alone."""
    if calibrate not in CALIBRATIONS:
        raise unknown_name("calibration", calibrate, CALIBRATIONS)
    name = run.folder.resolve().name
    if calibrate == NONE and rule != MACRO_F1:
        added = offsets(rule, LABELS, np.zeros((0, len(LABELS))))
        return DecidingModel(run, ModelDecision(name, 0, 1.0, _by_label(added), None, None), added)
    scores, labels = _development(run, dataset, resources)
    divisor = temperature(scores, labels) if calibrate == TEMPERATURE else 1.0
    calibrated = tempered(scores, divisor)
    added = offsets(rule, LABELS, calibrated)
    truth = np.eye(len(LABELS))[labels]
    plain, ruled = (
        RuleScores(*worth(truth, decided(calibrated, own))) for own in (np.zeros(len(LABELS)), added)
    )
    losses = (likelihood_loss(scores, labels), likelihood_loss(calibrated, labels))
    decision = ModelDecision(name, len(labels), divisor, _by_label(added), plain, ruled)
    return DecidingModel(run, decision, added, losses)


def _by_label(added: Floats) -> dict[str, float | None]:
    """label → what is added to its log-probability, None where it is never answered."""
    named = zip(LABELS, added.tolist(), strict=True)
    return {label: None if offset == -np.inf else offset for label, offset in named}


def decisions(
    chosen: Sequence[DecidingModel],
    dataset: store.Dataset,
    split: str,
    resources: Resources,
    *,
    seed: int = 0,
) -> Iterator[Prediction]:
    """The answers of a model, or of the mean of several. seed: of the draw between labels that tie."""
    fingerprint = store.fingerprint(dataset, split)
    ids: list[str] = []
    means: list[Floats] = []
    for each in chosen:
        path = kept_predictions(
            each.run.folder,
            dataset,
            split,
            device=resources.device,
            threads=resources.threads,
            seed=seed,
            kept=resources.kept,
        )
        ids, scores = _scores(path)
        calibrated = tempered(scores, each.decision.temperature)
        means.append(np.exp(np.stack([calibrated, tempered(calibrated + each.added, 1.0)])) / len(chosen))
    said, moved = np.sum(means, axis=0)
    for ident, own, ranked in zip(ids, said.tolist(), moved.tolist(), strict=True):
        best = [LABELS[place] for place in tied(ranked)]
        answer = draw(best, seed=seed, instance=ident)
        yield Prediction(ident, answer, dict(zip(LABELS, own, strict=True)), fingerprint)


def _development(run: Run, dataset: store.Dataset, resources: Resources) -> tuple[Floats, Longs]:
    """(log-probabilities [n, labels], labels [n]) of the questions that a model was judged on, kept in its folder."""
    split = "train" if run.facts.fold is not None else "dev"
    own = frozenset(people_parts(dataset, run.facts.fold)[1])
    found = store.instances(dataset, split, of=DecisionInstance) if own else ()
    asked = [each for each in found if each.id in own and each.label is not None]
    if asked:
        another = "give the dataset that it was trained on, which asks each question once"
        free = left_to_fit(run, as_keys(map(key_of, asked)), str(dataset.folder), another)
        if not free.all():
            print_note(
                f"{run.folder}: {int((~free).sum()):,} development questions were trained on and are left out"
            )
        asked = [each for each, kept in zip(asked, free, strict=True) if kept]
    ids = frozenset(each.id for each in asked)
    if not ids:
        raise InputError(
            "there are no development questions to choose a temperature or a rule on",
            str(dataset.folder),
            "train with --folds, or `anagnosis decide` with --calibrate none and another rule",
        )
    part = viewed_split(dataset, split, run.config.view, ids=ids, kept=resources.kept, name="dev")
    path = run.folder / PREDICTIONS / f"{part.name}-{part.digest[:16]}.jsonl"
    if not path.exists():
        answering = Answering(run, resources.device, resources.threads)
        scores = answering.log_probabilities(part, f"{run.folder.name} on its development questions")
        lines = (prediction(each.id, told, LABELS) for each, told in zip(asked, scores, strict=True))
        predictions.write(path, lines)
    return _scores(path)[1], np.array([LABELS.index(each.label or "") for each in asked], np.int64)


def _scores(path: Path) -> tuple[list[str], Floats]:
    """(ids, log-probabilities float64 [n, labels]) of a file of kept predictions."""
    lines = list(predictions.read(path))
    found = [[(line.scores or {})[label] for label in LABELS] for line in lines]
    return [line.id for line in lines], np.array(found).reshape(-1, len(LABELS))
