"""The verb over trained readers' probabilities: decide."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.datasets import load
from anagnosis.api.options import Option
from anagnosis.api.predicting import in_files, kept_folder, ready_for_torch, training_note
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.training.calibration.decisions import Decisions, ModelDecision
    from anagnosis.training.runs.run import Run


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
    computing = device, threads, kept_folder(kept, found.folder)
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
