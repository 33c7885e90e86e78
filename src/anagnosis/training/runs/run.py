"""The run folder (run_files.py): the result of a training, with everything that predictions need. It can be moved.

A folder of several runs holds seed-0, seed-1, … and seeds.json, or fold-0, fold-1, … and folds.json (replicates.py). A
folder of phases holds one of these for each phase, and phases.json (multi_phase.py); it stands for its last phase.
"""

from __future__ import annotations

import statistics
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import msgspec

from anagnosis import readers
from anagnosis.errors import InputError
from anagnosis.io.checksums import verified, verify_all
from anagnosis.io.decoding import read_json, read_toml
from anagnosis.io.files import write_json
from anagnosis.io.paths import PathLike
from anagnosis.readers.learning import Settings
from anagnosis.recipes import load as recipes
from anagnosis.training.phases import last_phase
from anagnosis.training.run_files import CHECKPOINT, FACTS, RECIPE, REPLICATES, WEIGHTS
from anagnosis.training.runs.parameters import RunParameters

AGAIN = "copy the folder anew, or train again, with --replace"
# Keys of a recipe that are no reader's settings.
APART = ("reader", "tune")
# Settings that may change when an unfinished training resumes. Precision is compared as the device resolves it.
FREE = ("tokens", "precision")
_GO_ON = "give its `anagnosis train` command again to go on"


class TrainedSplit(msgspec.Struct, frozen=True):
    """A split that a training used. dataset: its name. digest: of its data and the view. rows: instances read.

    unanswered: instances without an answer, which the training did not use; None until they are encoded.
    """

    dataset: str
    split: str
    fingerprint: str
    digest: str
    rows: int
    unanswered: int | None = None


class Facts(msgspec.Struct, frozen=True):
    """The contents of run.json.

    train, dev: the splits of training and evaluation. version, device, precision, threads (of a CPU): of the session
    that began the training. steps: the limit, None for no limit. fold: the evaluation fold of a cross validation.
    began: SHA-256 of the first weights, None for untrained ones. finished: False in checkpoint/, where the fields below
    have no values. parameters: all trained ones. epochs: begun, over all phases. best_epoch: the epoch of these weights
    (None: the last). seconds: mean of one epoch's training steps. total_seconds: with evaluations. dev_accuracy,
    dev_loss: of these weights. weights: SHA-256 of the file. measure: the one that selected the weights, or the trial
    of a search, None for accuracy or loss; dev_value: its value on the dev part. files: path in the folder → SHA-256,
    of every file that predictions depend on. calibration: what was fitted on it later (`anagnosis calibrate`).
    """

    reader: str
    version: str
    view: str
    train: TrainedSplit
    dev: TrainedSplit | None
    device: str
    precision: str
    threads: int | None = None
    steps: int | None = None
    fold: int | None = None
    began: str | None = None
    finished: bool = False
    parameters: int | None = None
    epochs: int | None = None
    best_epoch: int | None = None
    seconds: float | None = None
    total_seconds: float | None = None
    dev_accuracy: float | None = None
    dev_loss: float | None = None
    weights: str | None = None
    measure: str | None = None
    dev_value: float | None = None
    files: dict[str, str] = {}
    calibration: RunParameters | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run folder. recipe: the contents of recipe.toml, which has every default."""

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
        """The run itself, in the form of `Replicates.runs`."""
        return (self,)


@dataclass(frozen=True, slots=True)
class Replicates:
    """A folder of runs that differ only in seed or fold. what: "seed" or "fold"."""

    folder: Path
    what: str
    runs: tuple[Run, ...]

    @property
    def dev_accuracies(self) -> list[float]:
        return [run.facts.dev_accuracy for run in self.runs if run.facts.dev_accuracy is not None]

    @property
    def mean(self) -> float | None:
        """Mean accuracy on the development part; None without one."""
        return statistics.fmean(self.dev_accuracies) if self.dev_accuracies else None

    @property
    def deviation(self) -> float | None:
        """Sample standard deviation (n − 1) of the accuracies; None for fewer than two runs."""
        return statistics.stdev(self.dev_accuracies) if len(self.dev_accuracies) > 1 else None


def load(folder: PathLike) -> Run | Replicates:
    """Open a run folder, a folder of replicates, or the last phase of a folder of phases. Reads no weights."""
    path = last_phase(Path(folder))
    for what, file in REPLICATES.items():
        if (path / file).exists():
            return Replicates(path, what, tuple(load_run(run) for run in finished_together(path)))
        if not (path / FACTS).exists() and (path / f"{what}-0").is_dir():
            raise InputError(f"not all of its {what}s are finished", str(path), _GO_ON)
    return load_run(path)


class _Together(msgspec.Struct):
    """What is read of seeds.json or folds.json (replicates.py)."""

    seeds: list[int] = []
    folds: list[int] = []


def single(found: Run | Replicates) -> Run:
    """The run. InputError: there are several."""
    if isinstance(found, Run):
        return found
    what = f"a folder of {len(found.runs)} {found.what}s"
    raise InputError(what, str(found.folder), f"name one of them, such as {found.runs[0].folder}")


def finished_together(path: Path) -> list[Path]:
    """The run folders of finished replicates, as seeds.json or folds.json lists them; [] for any other folder."""
    for what, file in REPLICATES.items():
        if (path / file).is_file():
            record = read_json(path / file, _Together, f"train the {what}s again")
            return [path / f"{what}-{number}" for number in record.seeds or record.folds]
    return []


def load_run(path: Path) -> Run:
    """Open the folder of one finished run."""
    if not path.is_dir():
        raise InputError(
            "no such run folder", str(path), "make one with `anagnosis train`, or check the path"
        )
    if not (path / FACTS).exists():
        if (path / CHECKPOINT).is_dir():
            raise InputError("this training is not finished", str(path), _GO_ON)
        raise InputError(f"no {FACTS} here", str(path), "name a folder that `anagnosis train` made")
    facts = read_facts(path)
    verified(path / RECIPE, facts.files.get(RECIPE, ""), AGAIN)
    recipe = read_toml(path / RECIPE, "train again", "no readable recipe")
    if not (path / WEIGHTS).is_file():
        raise InputError(f"its {WEIGHTS} is gone", str(path), "train again, with --replace")
    _, config = configured(recipe, str(path / RECIPE))
    return Run(path, recipe, config, facts)


def unchanged(run: Run) -> Run:
    """The run, after a check of its files. DamagedError: a file differs from the one that the training wrote."""
    verify_all(run.folder, run.facts.files, AGAIN)
    return run


def configured(recipe: Mapping[str, Any], where: str) -> tuple[Any, Settings]:
    """The reader's module, and its config as the recipe sets it. InputError: lists all problems of the recipe."""
    name = recipe.get("reader")
    if not isinstance(name, str):
        raise InputError("names no reader", where, 'add a line such as reader = "attention-sum"')
    module = readers.find(name)
    if not hasattr(module, "prepare"):
        raise InputError(
            f"{name} needs no training",
            where,
            f"run it with `anagnosis predict {name} DATASET --out PREDICTIONS`",
        )
    return module, cast(Settings, recipes.configured(module.Config, recipe, where, apart=APART))


def read_facts(folder: Path) -> Facts:
    """The contents of run.json."""
    return read_json(folder / FACTS, Facts, AGAIN)


def write_facts(folder: Path, facts: Facts) -> None:
    write_json(folder / FACTS, facts)


def refuse_another(folder: Path, recipe: str, here: Facts) -> None:
    """InputError: a training with another recipe (but for `tokens`), data, limit or precision lies in the folder.

    recipe: the complete text.
    """
    place = folder if (folder / FACTS).exists() else folder / CHECKPOINT
    there, written, given = read_facts(place), read_toml(place / RECIPE, AGAIN), tomllib.loads(recipe)
    values = {key: (written.get(key), given.get(key)) for key in (*written, *given) if key not in FREE}
    values |= {name: (getattr(there, name), getattr(here, name)) for name in ("measure", "steps")}
    if not there.finished or written.get("precision") != given.get("precision"):
        values["precision"] = there.precision, here.precision
    differences = [
        f"{name} is {'not set' if before is None else before} there and {'not set' if after is None else after} here"
        for name, (before, after) in values.items()
        if before != after
    ]
    data = {
        "train part": (there.train.digest, here.train.digest),
        "dev part": (there.dev and there.dev.digest, here.dev and here.dev.digest),
        "first weights": (there.began, here.began),
    }
    differences += [f"another {name}" for name, (before, after) in data.items() if before != after]
    if differences:
        remedy = "choose another folder, or give --replace"
        if len(differences) == 1 and there.precision != here.precision:
            remedy = f"give --set precision={there.precision} to go on, {remedy}"
        raise InputError(f"holds another training ({'; '.join(differences[:3])})", str(folder), remedy)
