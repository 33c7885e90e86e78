"""The verb that turns trained models' probabilities into decisions: decide."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.api.predicting import kept_folder, ready_for_torch, training_note
from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.folders import refuse_other_files, written_at_once
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.training.calibration.decisions import Decisions

_WRITTEN = (".jsonl", ".run.json")  # of each model


def decide(
    run: PathLike,
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    split: str = "test",
    rule: str = "macro-f1",
    calibrate: str = "temperature",
    average: bool = False,
    seed: int = 0,
    device: str = "auto",
    threads: int | None = None,
    kept: PathLike | None = None,
    replace: bool = False,
) -> Decisions:
    """Decide yes, no or maybe by the calibrated probabilities of what was trained; a run folder, or one of several.

    rule: "macro-f1", "never-maybe" or "plain" (evaluation/calibration/decision_rules.py).
    calibrate: "temperature" or "none". What
    has to be chosen is chosen for each model on its own development questions. average: one file, of the models'
    averaged probabilities; without it several models give a folder with a file each, which is one system of several
    runs. seed: of the draw between labels that tie. kept: as for `predict`. A note beside each file says what was
    chosen. replace: overwrite existing files; other files in a folder are never removed.
    """
    from anagnosis import predictions
    from anagnosis.datasets.kinds.table import DECISION, demand
    from anagnosis.errors import unknown_name
    from anagnosis.evaluation.calibration.decision_rules import RULES
    from anagnosis.predictions import notes
    from anagnosis.predictions.notes import DecisionNote

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
    if apart:
        _refuse_file(target, len(runs))
        outputs.output_folder(target, inputs=inputs)
        ours = {f"{own.folder.name}{ending}" for own in runs for ending in _WRITTEN}
        # All in a folder is one system.
        refuse_other_files(target, lambda entry: entry.name in ours)
        if not replace and target.is_dir() and any(target.iterdir()):
            raise InputError("holds decisions already", str(out), "choose another --out, or give --replace")
        written = None
    else:
        written = outputs.output_file(out, inputs=inputs, replace=replace)
        outputs.output_file(notes.note_of(target), inputs=inputs, replace=replace)
    resources = decisions.Resources(device, threads, kept_folder(kept, found.folder))
    models = tuple(decisions.choose(own, opened, rule, calibrate, resources) for own in runs)
    together = tuple(own.name for own in models) if apart else ()
    lines = 0
    with written_at_once(target) if apart else nullcontext(target) as folder:
        groups = [(folder / f"{own.name}.jsonl", (own,)) for own in models] if apart else [(target, models)]
        for path, own in groups:
            lines = predictions.write(path, decisions.decisions(own, opened, split, resources, seed=seed))
            first, *others = own
            training = None if others else training_note(first.run)
            decision = DecisionNote(rule, tuple(each.note for each in own), calibrate, together)
            trained_on_rows = trained_on([each.run.folder for each in own], opened, split)
            notes.write(path, training, first.run.facts.view, decision, trained_on_rows)
    if written is not None:
        outputs.report_replaced(written)
    files = tuple(str(target / path.name) for path, _ in groups) if apart else (str(target),)
    return decisions.Decisions(rule, calibrate, split, tuple(each.decision for each in models), files, lines)


def _refuse_file(folder: Path, models: int) -> None:
    if folder.is_file() or folder.suffix == ".jsonl":
        what = f"names a file, and {models} models give {models}"
        raise InputError(what, str(folder), "name a folder, or give --average")
