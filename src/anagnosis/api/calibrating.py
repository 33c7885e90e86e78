"""Verbs over trained readers' probabilities: calibrate, decide."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.datasets import load
from anagnosis.api.options import Option
from anagnosis.api.predicting import folder_of_runs, kept_folder, noted_output, ready_for_torch, training_note
from anagnosis.io.folders import new_folder
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.training.calibration.decisions import Decisions
    from anagnosis.training.calibration.sentences import Calibrations


def calibrate(
    run: shared.RunFolder,
    dataset: shared.DatasetFolder,
    *,
    split: Annotated[str, Option("A part that the reader was not trained on.")] = "dev",
    device: shared.Device = "auto",
    threads: shared.Threads = None,
    kept: shared.Kept = None,
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
    opened, place = load(dataset), kept_folder(kept, found.folder)
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
    kept: shared.Kept = None,
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
    runs = found.runs
    apart = len(runs) > 1 and not average
    target, inputs = Path(out), (run, opened.folder)
    is_ours = str.isidentifier
    if apart:
        remedy = "name a folder, or give --average"
        target, is_ours = folder_of_runs(out, runs, inputs=inputs, replace=replace, remedy=remedy)
    else:
        noted_output(out, inputs, replace=replace)
    computing = device, threads, kept_folder(kept, found.folder)
    models = [(own, decisions.choose(own, opened, rule, calibrate, *computing)) for own in runs]
    lines = 0
    with (
        new_folder(target, "predictions", is_ours, replace=replace)
        if apart
        else nullcontext(target) as folder
    ):
        groups = (
            [(folder / f"{decision.name}.jsonl", [(own, decision)]) for own, decision in models]
            if apart
            else [(target, models)]
        )
        for path, own in groups:
            lines = predictions.write(path, decisions.decisions(own, opened, split, seed, *computing))
            (first, _), *others = own
            training = None if others else training_note(first)
            decision = DecisionNote(rule, tuple(each.note for _, each in own), calibrate)
            overlap = trained_on([each.folder for each, _ in own], opened, split, keys_of(opened, split))
            view = first.config.view
            note = Note(training=training, view=view, decision=decision, trained_on=overlap)
            notes.write(path, note)
    files = tuple(str(target / path.name) for path, _ in groups) if apart else (str(target),)
    return decisions.Decisions(rule, calibrate, split, tuple(each for _, each in models), files, lines)
