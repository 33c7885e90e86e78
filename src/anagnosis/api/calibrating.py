"""Verbs over trained readers' probabilities: calibrate, decide."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.datasets import load
from anagnosis.api.options import Option
from anagnosis.api.predicting import in_files, kept_beside, ready_for_torch, training_note
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.training.calibration.decisions import Decisions, ModelDecision
    from anagnosis.training.calibration.sentences import Calibrations
    from anagnosis.training.runs.run import Run


def calibrate(
    run: shared.RunFolder,
    dataset: shared.DatasetFolder,
    *,
    split: Annotated[str, Option("A part that the reader was not trained on.")] = "dev",
    device: shared.Device = "auto",
    threads: shared.Threads = None,
) -> Calibrations:
    """Calibrate the probabilities of a trained reader of sentences on the development questions of DATASET_FOLDER.

    RUN_FOLDER is a training, or a folder of --seeds or --folds, whose runs are calibrated one by one. The run folder
    keeps the result in run.json, with thresholds of weak, fair and strong highlights; `ask` and `serve` use both. It
    refuses questions that the run was trained on, compared by their words; if they are at most one in twenty, it leaves
    them out. These probabilities hold where the paper is about the question.
    """
    from anagnosis.io.folders import refuse_links

    ready_for_torch("calibrating")
    from anagnosis.training.calibration import sentences
    from anagnosis.training.runs.run import load as load_runs

    found = load_runs(run)
    refuse_links(found.folder)
    opened, place = load(dataset), kept_beside(found.folder)
    fits = {
        one.folder.resolve().name: sentences.calibrate(one, opened, split, device, threads, place)
        for one in found.runs
    }
    return sentences.Calibrations(fits)


def decide(
    run: shared.RunFolder,
    dataset: shared.DatasetFolder,
    out: Annotated[
        PathLike, Option("The folder of one predictions file per model, or the only file.", flag="--out")
    ],
    *,
    split: Annotated[str, Option("train, dev or test.")] = "test",
    rule: Annotated[str, Option("macro-f1, never-maybe, or plain: the most probable label.")] = "macro-f1",
    calibrate: Annotated[str, Option("temperature or none.")] = "temperature",
    average: Annotated[bool, Option("One file, of the models' averaged probabilities.")] = False,
    seed: Annotated[shared.Seed, Option("Seed of the draw between tied labels.")] = 0,
    device: shared.Device = "auto",
    threads: shared.Threads = None,
    replace: shared.Replace = False,
) -> Decisions:
    """Answer yes, no or maybe by calibrated probabilities and a rule, both chosen on development questions alone.

    RUN_FOLDER is a training on decisions. With --folds each model uses the 50 questions of its fold; the ten files
    are one system of ten runs. Scores are calibrated probabilities; a note beside each file says what was chosen.
    \f
    Several models give a folder with a file each, which is one system of several runs, unless they are averaged. Other
    files in a folder are never removed. The rules are in evaluation/calibration/decision_rules.py.
    """
    from anagnosis import predictions
    from anagnosis.datasets.kinds.table import DECISION, demand
    from anagnosis.datasets.question_keys import keys_of
    from anagnosis.errors import unknown_name
    from anagnosis.evaluation.calibration.decision_rules import RULES
    from anagnosis.predictions import notes
    from anagnosis.predictions.notes import DecisionNote, Note

    opened = load(dataset)
    demand(opened.kind, DECISION, str(opened.folder))
    opened.parts(split)
    if rule not in RULES:
        raise unknown_name("rule", rule, RULES)
    ready_for_torch("deciding by what was trained")
    from anagnosis.training.calibration import decisions
    from anagnosis.training.runs.provenance import trained_on
    from anagnosis.training.runs.run import load as load_runs

    found = load_runs(run)
    computing = device, threads, kept_beside(found.folder)
    models: list[ModelDecision] = []
    lines = list[int]()

    def decided(of: Sequence[Run], path: Path) -> int:
        chosen = [decisions.choose(own, opened, rule, calibrate, *computing) for own in of]
        pairs = [*zip(of, chosen, strict=True)]
        lines.append(predictions.write(path, decisions.decisions(pairs, opened, split, seed, *computing)))
        training = training_note(of[0]) if len(of) == 1 else None
        decision = DecisionNote(rule, tuple(each.note for each in chosen), calibrate)
        overlap = trained_on([own.folder for own in of], opened, split, keys_of(opened, split))
        view = of[0].config.view
        notes.write(path, Note(training=training, view=view, decision=decision, trained_on=overlap))
        models.extend(chosen)
        return lines[-1]

    inputs = (run, opened.folder)
    _, files = in_files(out, found.runs, decided, inputs=inputs, replace=replace, average=average)
    return decisions.Decisions(rule, calibrate, split, tuple(models), files, lines[-1])
