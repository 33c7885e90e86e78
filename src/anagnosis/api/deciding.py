"""The verb that turns trained models' probabilities into decisions: decide."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Generator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.api.predicting import beside, ready_for_torch, training_note
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from anagnosis.datasets.store import Dataset
    from anagnosis.training.deciding import Chosen

PathLike = str | Path


@dataclass(frozen=True, slots=True)
class Decided:
    """models: what was chosen for each. split: answered. files: the predictions that were written; lines: in each."""

    rule: str
    calibrate: str
    split: str
    models: tuple[Chosen, ...]
    files: tuple[Path, ...]
    lines: int


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
) -> Decided:
    """Decide yes, no or maybe by the calibrated probabilities of what was trained; a run folder, or one of several.

    rule: "macro-f1", "never-maybe" or "plain" (evaluation/decision_rules.py). calibrate: "temperature" or "none". What
    has to be chosen is chosen for each model on its own development questions. average: one file, of the models'
    averaged probabilities; without it several models give a folder with a file each, which is one system of several
    runs. seed: of the draw between labels that tie. kept: as for `predict`. A note beside each file says what was
    chosen.
    """
    from anagnosis import predictions
    from anagnosis.datasets.kinds import DECISION, demand
    from anagnosis.errors import unknown_name
    from anagnosis.evaluation.decision_rules import RULES
    from anagnosis.predictions import notes
    from anagnosis.predictions.notes import DecisionNote

    opened = load(dataset)
    demand(opened.kind, DECISION, str(opened.folder))
    opened.parts(split)
    if rule not in RULES:
        raise unknown_name("rule", rule, RULES)
    ready_for_torch("deciding by what was trained")
    from anagnosis.training import deciding
    from anagnosis.training.run import Run
    from anagnosis.training.run import load as load_runs
    from anagnosis.training.taught import trained_on

    found = load_runs(run)
    runs = (found,) if isinstance(found, Run) else found.runs
    apart = len(runs) > 1 and not average
    target = Path(out)
    if apart:
        _refuse_others(target, {own.folder.name for own in runs})
    elif target.is_dir():
        raise InputError("is a folder, and one predictions file is to be written", str(out), "name a file")
    where = deciding.Where(device, threads, Path(kept) if kept is not None else beside(found.folder))
    models = tuple(deciding.choose(own, opened, rule, calibrate, where) for own in runs)
    place, together = (_written_at_once(target), tuple(own.name for own in models)) if apart else (None, ())
    lines = 0
    with place or nullcontext(target) as folder:
        groups = [(folder / f"{own.name}.jsonl", (own,)) for own in models] if apart else [(target, models)]
        for path, own in groups:
            lines = predictions.write(path, deciding.decisions(own, opened, split, where, seed=seed))
            if path.is_file():
                first, *others = own
                training = None if others else training_note(first.run)
                decision = DecisionNote(rule, tuple(each.note for each in own), calibrate, together)
                taught = trained_on([each.run.folder for each in own], opened, split)
                notes.write(path, training, first.run.facts.view, decision, taught)
    files = tuple(target / path.name for path, _ in groups) if apart else (target,)
    return Decided(rule, calibrate, split, models, files, lines)


@contextmanager
def _written_at_once(folder: Path) -> Generator[Path]:
    """A hidden folder beside, which takes this one's place when all is written: half of a system is none."""
    folder = folder.resolve()
    part = folder.with_name(f".{folder.name}.part")
    try:
        with _writing(folder):
            shutil.rmtree(part, ignore_errors=True)  # of one that was killed
            part.mkdir(parents=True)
        yield part
        with _writing(folder):
            if folder.is_dir():
                shutil.rmtree(folder)
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


@contextmanager
def _writing(folder: Path) -> Generator[None]:
    try:
        yield
    except OSError as fault:
        raise InputError(
            (fault.strerror or str(fault)).lower(), str(folder), "choose another place for --out"
        ) from fault


def _refuse_others(folder: Path, names: Collection[str]) -> None:
    """Refuse a file, and a folder with anything but earlier decisions of these models: all in it is one system."""
    if folder.is_file() or folder.suffix == ".jsonl":
        what = f"names a file, and {len(names)} models give {len(names)}"
        raise InputError(what, str(folder), "name a folder, or give --average")
    ours = {f"{name}{ending}" for name in names for ending in (".jsonl", ".run.json")}
    strange = (
        sorted(entry.name for entry in folder.iterdir() if entry.name not in ours) if folder.is_dir() else []
    )
    if strange:
        raise InputError(
            f"holds other files ({', '.join(strange[:3])})",
            str(folder),
            "choose an empty or new folder for --out",
        )
