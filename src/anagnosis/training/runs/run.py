"""The run folder (run_files.py): the result of a training, with everything that predictions need. It can be moved.

A folder of several runs holds seed-0, seed-1, … and seeds.json, or fold-0, fold-1, … and folds.json (train.py). A
folder of phases holds one of these for each phase, and phases.json (multi_phase.py); it stands for its last phase.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import msgspec

from anagnosis import readers
from anagnosis.errors import InputError
from anagnosis.io.checksums import verified
from anagnosis.io.decoding import read_json, read_toml
from anagnosis.io.paths import PathLike
from anagnosis.readers.learning import Settings
from anagnosis.recipes import load as recipes
from anagnosis.training.phases import last_phase
from anagnosis.training.run_files import CHECKPOINT, FACTS, RECIPE, REPLICATES, WEIGHTS
from anagnosis.training.training_splits import TrainedSplit

AGAIN = "copy the folder anew, or train again, with --replace"
_GO_ON = "give its `anagnosis train` command again to go on"


class Facts(msgspec.Struct, frozen=True):
    """The contents of run.json.

    train, dev: the splits of training and evaluation. version, device, precision, threads (of a CPU): of the session
    that began the training. fold: the evaluation fold of a cross validation. began: SHA-256 of the first weights, None
    for untrained ones. finished: False in checkpoint/, where the fields below have no values. parameters: all trained
    ones. epochs: begun, over all phases. best_epoch: the epoch of these weights (None: the last). seconds: mean of one
    epoch's training steps. total_seconds: with evaluations. dev_accuracy, dev_loss: of these weights, None beside a
    measure. weights: SHA-256 of the file. measure: the one that selected the weights, None for accuracy or loss;
    dev_value: its value on the dev part. files: path in the folder → SHA-256, of every file that predictions depend on.
    """

    reader: str
    version: str
    view: str
    train: TrainedSplit
    dev: TrainedSplit | None
    device: str
    precision: str
    threads: int | None = None
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
    def on_dev(self) -> float | None:
        """The value on the development part of the measure that selected the weights, else their accuracy."""
        return self.facts.dev_accuracy if self.facts.measure is None else self.facts.dev_value

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


def load(folder: PathLike) -> Run | Replicates:
    """Open a run folder, a folder of replicates, or the last phase of a folder of phases. Reads no weights."""
    path = last_phase(Path(folder))
    if together := finished_together(path):
        return Replicates(path, together[0].name.partition("-")[0], tuple(map(load_run, together)))
    for what in REPLICATES:
        if not (path / FACTS).exists() and (path / f"{what}-0").is_dir():
            raise InputError(f"not all of its {what}s are finished", str(path), _GO_ON)
    return load_run(path)


class _Together(msgspec.Struct):
    """What is read of seeds.json or folds.json."""

    seeds: list[int] = []
    folds: list[int] = []


def finished_together(path: Path) -> list[Path]:
    """The run folders of finished replicates, as seeds.json or folds.json lists them; [] for any other folder."""
    for what, file in REPLICATES.items():
        if (path / file).is_file():
            record = read_json(path / file, _Together, f"train the {what}s again")
            return [path / f"{what}-{number}" for number in record.seeds or record.folds]
    return []


def load_run(path: Path) -> Run:
    """Open the folder of one finished run."""
    if not (path / FACTS).exists():
        if (path / CHECKPOINT).is_dir():
            raise InputError("this training is not finished", str(path), _GO_ON)
        what = f"no {FACTS} here" if path.is_dir() else "no such run folder"
        raise InputError(what, str(path), "name a folder that `anagnosis train` made")
    facts = read_facts(path)
    verified(path / RECIPE, facts.files.get(RECIPE, ""), AGAIN)
    recipe = read_toml(path / RECIPE, AGAIN)
    _, config = configured(recipe, str(path / RECIPE))
    return Run(path, recipe, config, facts)


def unchanged(run: Run) -> Run:
    """The run, after a check of its files. DamagedError: a file differs from the one that the training wrote."""
    for name, digest in run.facts.files.items():
        verified(run.folder / name, digest, AGAIN)
    return run


def configured(recipe: Mapping[str, Any], where: str) -> tuple[Any, Settings]:
    """The reader's module, and its config as the recipe sets it. InputError: lists all problems of the recipe."""
    name = recipe.get("reader")
    if not isinstance(name, str):
        raise InputError("names no reader", where, 'add a line such as reader = "attention-sum"')
    module = readers.find(name)
    if not hasattr(module, "prepare"):
        remedy = f"run it with `anagnosis predict {name} DATASET --out PREDICTIONS`"
        raise InputError(f"{name} needs no training", where, remedy)
    return module, cast(Settings, recipes.configured(module.Config, recipe, where, apart=("reader", "tune")))


def read_facts(folder: Path) -> Facts:
    """The contents of run.json."""
    return read_json(folder / FACTS, Facts, AGAIN)


def refuse_another(folder: Path, recipe: str, here: Facts) -> None:
    """InputError: a training with another recipe (but for `tokens`), data or precision lies in the folder.

    recipe: the complete text.
    """
    place = folder if (folder / FACTS).exists() else folder / CHECKPOINT
    before = _identity(read_toml(place / RECIPE, AGAIN), read_facts(place))
    now = _identity(tomllib.loads(recipe), here)
    if differing := [name for name in {**before, **now} if before.get(name) != now.get(name)]:
        what = f"holds another training, of another {', '.join(differing)}"
        raise InputError(what, str(folder), "choose another folder, or give --replace")


def _identity(recipe: dict[str, Any], facts: Facts) -> dict[str, Any]:
    """All that the weights depend on, but for version, device and threads. Precision is as the device resolves it."""
    parts = {"train part": facts.train.digest, "dev part": facts.dev and facts.dev.digest}
    own = {"precision": facts.precision, "first weights": facts.began, "tokens": 0}
    return recipe | parts | own
