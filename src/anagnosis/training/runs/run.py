"""The run folder: what a training leaves, and all that is needed to predict with it. It can be moved.

    recipe.toml  run.json  history.jsonl  model.safetensors  taught.npy  and what the reader itself saves
    checkpoint/  .work/       while it is not finished

A folder of several runs holds seed-0, seed-1, … and seeds.json, or fold-0, fold-1, … and folds.json (replicates.py). A
folder of phases holds one of these for each phase, and phases.json (multi_phase.py); it stands for its last phase.
"""

from __future__ import annotations

import re
import statistics
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import msgspec

from anagnosis import readers
from anagnosis.checksums import read_checked_json, verified, verify_all, write_checked_json
from anagnosis.decoding import read_toml
from anagnosis.errors import InputError
from anagnosis.files import write_text
from anagnosis.folders import refuse_foreign, refuse_other_files
from anagnosis.paths import PathLike, naming_faults
from anagnosis.progress import tell
from anagnosis.readers.learning import Settings
from anagnosis.recipes import load as recipes
from anagnosis.training import lock
from anagnosis.training.run_files import (
    CHECKPOINT,
    FACTS,
    GIVEN_UP,
    RECIPE,
    REPLICATES,
    WEIGHTS,
    WORK,
    foreign,
    remove,
)
from anagnosis.training.runs import baseline_levels as levels
from anagnosis.training.runs.phase_folder import last_phase

AGAIN = "copy the folder anew, or train again, with --replace"
# Keys of a recipe that are no reader's settings.
APART = ("reader", "tune")
# What may change while a training is not finished: how much is in memory at once; precision is compared as it came out.
FREE = ("tokens", "precision")
# Facts that decide about the last digits of the weights.
_BITS = ("version", "device", "threads", "processes")
# What a kill can leave of a claim that had written nothing yet.
_OURS = re.compile(
    rf"{re.escape(WORK)}|{re.escape(lock.FILE)}|\.({re.escape(FACTS)}|{re.escape(RECIPE)})\..*\.part"
)


class Part(msgspec.Struct, frozen=True):
    """A split that was used. dataset: its name. digest: of its data and the view. rows: instances read.

    unanswered: those among them that have no answer, and so taught or showed nothing; known when they are encoded.
    """

    dataset: str
    split: str
    fingerprint: str
    digest: str
    rows: int
    unanswered: int | None = None


class Facts(msgspec.Struct, frozen=True):
    """What is known of a training.

    train, dev: what it was trained and judged on. version, device, precision, threads (of a CPU), processes: of the
    session that began it. steps: the most that were allowed, None for no limit. fold: judged on, of cross validation.
    began: SHA-256 of the weights that it began with, None for untrained ones. finished: False until the weights are
    written; what stands below is known only then. parameters: trained ones in all; words, entities: those of word and
    of entity embeddings. epochs: begun, over all phases. best_epoch: whose weights these are (None: the last). seconds:
    mean of one epoch's training steps. total_seconds: evaluation included. dev_accuracy, dev_loss: of these weights.
    levels: accuracy on the dev part without learning, by name (baseline_levels.py); empty without one. weights:
    SHA-256 of the file. measure: by which the weights, or the trial of a search, were chosen, None for accuracy or
    loss; dev_value: its value on the dev part. files: SHA-256 of every file that predictions depend on, by its path
    in the folder; none of a run that was trained before they were kept.
    """

    reader: str
    version: str
    view: str
    train: Part
    dev: Part | None
    device: str
    precision: str
    threads: int | None = None
    processes: int = 1
    steps: int | None = None
    fold: int | None = None
    began: str | None = None
    finished: bool = False
    parameters: int | None = None
    words: int | None = None
    entities: int | None = None
    epochs: int | None = None
    best_epoch: int | None = None
    seconds: float | None = None
    total_seconds: float | None = None
    dev_accuracy: float | None = None
    dev_loss: float | None = None
    levels: dict[str, float] = {}
    weights: str | None = None
    measure: str | None = None
    dev_value: float | None = None
    files: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run folder. recipe: as written there, every default spelled out."""

    folder: Path
    recipe: dict[str, Any]
    config: Settings
    facts: Facts

    @property
    def reader(self) -> str:
        return self.facts.reader

    @property
    def weights(self) -> Path:
        return self.folder / WEIGHTS

    @property
    def runs(self) -> tuple[Run, ...]:
        """Itself, as of replicates all."""
        return (self,)

    @property
    def digests(self) -> tuple[str, ...]:
        """SHA-256 of the weights."""
        return (self.facts.weights or "",)


@dataclass(frozen=True, slots=True)
class Replicates:
    """A folder of runs that differ in one thing alone. what: "seed" or "fold"."""

    folder: Path
    what: str
    runs: tuple[Run, ...]

    @property
    def digests(self) -> tuple[str, ...]:
        """SHA-256 of each run's weights."""
        return tuple(digest for run in self.runs for digest in run.digests)

    @property
    def dev_accuracies(self) -> list[float]:
        return [run.facts.dev_accuracy for run in self.runs if run.facts.dev_accuracy is not None]

    @property
    def mean(self) -> float | None:
        """Of the accuracies on the development part; None without one."""
        return statistics.fmean(self.dev_accuracies) if self.dev_accuracies else None

    @property
    def levels(self) -> dict[str, float]:
        """Of each level without learning the mean over the runs, whose development parts may differ."""
        return levels.mean(run.facts.levels for run in self.runs)

    @property
    def deviation(self) -> float | None:
        """The sample standard deviation (n − 1); None for fewer than two runs."""
        return statistics.stdev(self.dev_accuracies) if len(self.dev_accuracies) > 1 else None


def load(folder: PathLike) -> Run | Replicates:
    """Open a run folder, or a folder of several, or the last of several phases; no weights are read."""
    path = last_phase(Path(folder))
    for what, file in REPLICATES.items():
        if (path / file).exists():
            return Replicates(path, what, tuple(load_run(run) for run in finished_together(path)))
        if not (path / FACTS).exists() and (path / f"{what}-0").is_dir():
            raise InputError(
                f"not all of its {what}s are finished",
                str(path),
                "give their `anagnosis train` command again to go on",
            )
    return load_run(path)


class _Together(msgspec.Struct):
    """What the file that names the runs of several says (replicates.py)."""

    seeds: list[int] = []
    folds: list[int] = []
    dev_accuracy: list[float | None] = []
    mean: float | None = None
    deviation: float | None = None


def finished_together(path: Path) -> list[Path]:
    """The run folders that belong together, as a finished training of several has written them down; else none."""
    for what, file in REPLICATES.items():
        if (path / file).is_file():
            found = read_checked_json(path / file, _Together, f"train the {what}s again")[0]
            return [path / f"{what}-{number}" for number in found.seeds or found.folds]
    return []


def load_run(path: Path) -> Run:
    """Open the folder of one finished run."""
    if not path.is_dir():
        raise InputError(
            "no such run folder", str(path), "make one with `anagnosis train`, or check the path"
        )
    facts = read_facts(path)
    if facts is None:
        raise InputError(f"no {FACTS} here", str(path), "name a folder that `anagnosis train` made")
    if not facts.finished:
        raise InputError(
            "this training is not finished", str(path), "give its `anagnosis train` command again to go on"
        )
    if RECIPE in facts.files:
        verified(path / RECIPE, facts.files[RECIPE], AGAIN)
    recipe = read_toml(path / RECIPE, "train again", "no readable recipe")
    if not (path / WEIGHTS).is_file():
        raise InputError(f"its {WEIGHTS} is gone", str(path), "train again, with --replace")
    _, config = configured(recipe, str(path / RECIPE))
    if (named := readers.canonical(recipe["reader"])) != facts.reader:
        raise InputError(
            f"is a recipe of {named}, and {facts.reader} was trained here",
            str(path / RECIPE),
            "put the recipe back that it was trained with, or train again, with --replace",
        )
    return Run(path, recipe, config, facts)


def unchanged(run: Run) -> Run:
    """The run, whose files are those that its training wrote. DamagedError: one is not."""
    if not run.facts.files:
        tell(f"{run.folder}: trained before runs had checksums; of its files only the weights are verified")
    weights = {WEIGHTS: run.facts.weights} if run.facts.weights is not None else {}
    verify_all(run.folder, {**weights, **run.facts.files}, AGAIN)
    return run


def configured(recipe: Mapping[str, Any], where: str) -> tuple[Any, Settings]:
    """The reader's module, and its config as the recipe sets it; all problems are told at once."""
    name = recipe.get("reader")
    if not isinstance(name, str):
        raise InputError("names no reader", where, 'add a line such as reader = "attention-sum"')
    module = readers.find(name)
    if not hasattr(module, "prepare"):
        raise InputError(f"{name} needs no training", where, f"run it with `anagnosis predict {name}`")
    return module, cast(Settings, recipes.configured(module.Config, recipe, where, apart=APART))


def read_facts(folder: Path) -> Facts | None:
    """What run.json says; None where there is none."""
    path = folder / FACTS
    return read_checked_json(path, Facts, AGAIN)[0] if path.exists() else None


def claim(folder: Path, recipe: str, planned: Facts, *, replace: bool) -> Facts:
    """Take a folder for a training, or find that it has been taken for this one; gives the facts that hold there.

    recipe: its whole text. Refused: a folder with anything else in it, and a training with another recipe, other data
    or another limit, unless `replace`, which removes it. A training that goes on keeps the facts of its first session;
    what is otherwise in this one is told, and another precision refused.
    """
    with naming_faults(folder, "choose another --out"):
        if folder.exists() and not folder.is_dir():
            raise InputError("is a file, not a folder", str(folder), "choose another --out")
        if replace and (folder / FACTS).exists():
            refuse_foreign(folder, foreign(folder))
            remove(folder)
            tell(f"{folder}: the run that was there is removed")
        elif (folder / GIVEN_UP).exists():
            remove(folder)
        there = read_facts(folder)
        if there is None:
            _refuse_others(folder, recipe)
        elif there.finished or (folder / CHECKPOINT).exists():
            if not _goes_on(folder, recipe, there, planned):
                return there
            write_text(folder / RECIPE, recipe)
            return there
        folder.mkdir(parents=True, exist_ok=True)
    # What has not come to a checkpoint, such as a start that failed, is nobody's work. In this order: facts without
    # a recipe are a claim that was cut off, a recipe alone may be the user's own file.
    write_facts(folder, planned)
    write_text(folder / RECIPE, recipe)
    return planned


def _refuse_others(folder: Path, recipe: str) -> None:
    """Refuse a folder without a run that holds anything but what a cut off claim leaves."""

    def is_ours(entry: Path) -> bool:
        is_recipe = entry.name == RECIPE and entry.read_bytes() == recipe.encode()
        return is_recipe or _OURS.fullmatch(entry.name) is not None

    refuse_other_files(folder, is_ours)


def _goes_on(folder: Path, recipe: str, there: Facts, here: Facts) -> bool:
    """Whether the training there is this one and is not finished; another one is refused."""
    written, given = _read(folder), tomllib.loads(recipe)
    differences = _other_data(there, here)
    if written is None:
        differences.insert(0, "its recipe cannot be read")
    else:
        differences = [*_other_settings(written, given), *differences]
        if there.finished and written.get("precision") != given.get("precision"):
            differences += _other("precision", there.precision, here.precision)
    if differences:
        raise InputError(
            f"holds another training ({'; '.join(differences[:3])})",
            str(folder),
            "choose another folder, or give --replace",
        )
    if there.finished:
        return False
    if there.precision != here.precision:
        raise InputError(
            f"was begun in {there.precision} and would go on in {here.precision}",
            str(folder),
            f"give --set precision={there.precision}, or begin anew with --replace",
        )
    changed = [
        f"{name} {after}, before {before}"
        for name, before, after in (
            *((name, getattr(there, name), getattr(here, name)) for name in _BITS),
            ("tokens", (written or {}).get("tokens"), given.get("tokens")),
        )
        if before is not None and before != after
    ]
    if changed:
        tell(f"{folder}: goes on with {'; '.join(changed)}; the weights may not be those of one session")
    return True


def write_facts(folder: Path, facts: Facts) -> None:
    write_checked_json(folder / FACTS, facts)


def _read(folder: Path) -> dict[str, Any] | None:
    try:
        return recipes.renamed(read_toml(folder / RECIPE, ""))
    except InputError:
        return None


def _other_settings(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    keys = [key for key in dict.fromkeys((*there, *here)) if key not in FREE]
    return [one for key in keys for one in _other(key, there.get(key), here.get(key))]


def _other(key: str, there: object, here: object) -> list[str]:
    if there == here:
        return []
    there, here = ("not set" if value is None else value for value in (there, here))
    return [f"{key} is {there} there and {here} here"]


def _other_data(there: Facts, here: Facts) -> list[str]:
    found: list[str] = []
    if there.train.digest != here.train.digest:
        found.append("its train part is another")
    if (there.dev and there.dev.digest) != (here.dev and here.dev.digest):
        found.append("its dev part is another")
    if there.began != here.began:
        found.append("it began with other weights")
    if there.measure != here.measure:
        found.append(
            f"it is judged by {there.measure or 'accuracy'} there and {here.measure or 'accuracy'} here"
        )
    if there.steps != here.steps:
        found.append(f"its steps end at {there.steps or 'no limit'}, not at {here.steps or 'none'}")
    return found
