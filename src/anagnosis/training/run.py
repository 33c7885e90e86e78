"""The run folder: what a training leaves, and all that is needed to predict with it. It can be moved.

    recipe.toml  run.json  history.jsonl  model.safetensors  and what the reader itself saves
    checkpoint/  .work/       while it is not finished

A folder of seeds holds seed-0, seed-1, … and seeds.json (seeds.py).
"""

from __future__ import annotations

import shutil
import statistics
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import msgspec

from anagnosis import readers
from anagnosis.errors import InputError
from anagnosis.files import write_bytes, write_text
from anagnosis.readers.learning import Settings
from anagnosis.recipes import load as recipes

RECIPE = "recipe.toml"
FACTS = "run.json"
WEIGHTS = "model.safetensors"
WORK = ".work"
SEEDS = "seeds.json"
# Keys of a recipe that are no reader's settings.
APART = ("reader", "tune")


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

    train, dev: what it was trained and judged on. steps: the most that were allowed, None for no limit. finished:
    False until the weights are written; what stands below is known only then. parameters: trained ones in all;
    words, entities: those of word and of entity embeddings. epochs: begun, over all phases. best_epoch: whose weights
    these are (None: the last). seconds: mean of one epoch's training steps. total_seconds: evaluation included.
    dev_accuracy, dev_loss: of these weights. weights: SHA-256 of the file.
    """

    reader: str
    version: str
    view: str
    train: Part
    dev: Part | None
    device: str
    precision: str
    steps: int | None = None
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
    weights: str | None = None


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


@dataclass(frozen=True, slots=True)
class Seeds:
    """A folder of runs that differ in their seed alone."""

    folder: Path
    runs: tuple[Run, ...]

    @property
    def dev_accuracies(self) -> list[float]:
        return [run.facts.dev_accuracy for run in self.runs if run.facts.dev_accuracy is not None]

    @property
    def mean(self) -> float | None:
        """Of the accuracies on the development part; None without one."""
        return statistics.fmean(self.dev_accuracies) if self.dev_accuracies else None

    @property
    def deviation(self) -> float | None:
        """The sample standard deviation (n − 1); None for fewer than two seeds."""
        return statistics.stdev(self.dev_accuracies) if len(self.dev_accuracies) > 1 else None


class _Found(msgspec.Struct):
    seeds: list[int]


def load(folder: str | Path) -> Run | Seeds:
    """Open a run folder, or a folder of seeds; no weights are read."""
    path = Path(folder)
    if (path / SEEDS).exists():
        return _seeds(path)
    if not (path / FACTS).exists() and (path / "seed-0").is_dir():
        raise InputError(
            "not all of its seeds are finished",
            str(path),
            "give their `anagnosis train` command again to go on",
        )
    return load_run(path)


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
    try:
        recipe = tomllib.loads((path / RECIPE).read_text("utf-8"))
    except (OSError, ValueError) as fault:
        raise InputError(f"no readable recipe ({fault})", str(path / RECIPE), "train again") from fault
    if not (path / WEIGHTS).is_file():
        raise InputError(f"its {WEIGHTS} is gone", str(path), "train again, with --replace")
    _, config = configured(recipe, str(path / RECIPE))
    return Run(path, recipe, config, facts)


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
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Facts)
    except (OSError, msgspec.MsgspecError) as fault:
        raise InputError(f"cannot be read ({fault})", str(path), "train again, with --replace") from fault


def claim(folder: Path, recipe: str, planned: Facts, *, replace: bool) -> bool:
    """Take a folder for a training, or find that it has been taken for this one; gives whether it is finished.

    recipe: its whole text. Refused: a folder with anything else in it, and a training with another recipe, other data
    or another limit, unless `replace`, which removes it.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError("is a file, not a folder", str(folder), "choose another --out")
        here = read_facts(folder) if not replace else None
        taken = (folder / FACTS).exists()
        if not taken and folder.is_dir() and any(entry.name != WORK for entry in folder.iterdir()):
            raise InputError("holds other files", str(folder), "choose an empty or new folder for --out")
        if taken and replace:
            # First what says that there is a run: a half removed one is not taken for a whole.
            (folder / FACTS).unlink()
            shutil.rmtree(folder)
        elif here is not None:
            differences = [*_other_settings(folder, recipe), *_other_data(here, planned)]
            if differences:
                raise InputError(
                    f"holds another training ({'; '.join(differences[:3])})",
                    str(folder),
                    "choose another folder, or give --replace",
                )
            return here.finished
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InputError(
            (fault.strerror or str(fault)).lower(), str(folder), "choose another --out"
        ) from fault
    write_text(folder / RECIPE, recipe)
    write_facts(folder, planned)
    return False


def write_facts(folder: Path, facts: Facts) -> None:
    write_bytes(folder / FACTS, msgspec.json.format(msgspec.json.encode(facts), indent=2) + b"\n")


def _other_settings(folder: Path, recipe: str) -> list[str]:
    try:
        there = tomllib.loads((folder / RECIPE).read_text("utf-8"))
    except (OSError, ValueError):
        return ["its recipe cannot be read"]
    here = tomllib.loads(recipe)
    keys = dict.fromkeys((*there, *here))
    return [
        f"{key} is {there.get(key, 'not set')} there and {here.get(key, 'not set')} here"
        for key in keys
        if there.get(key) != here.get(key)
    ]


def _other_data(there: Facts, here: Facts) -> list[str]:
    found: list[str] = []
    if there.train.digest != here.train.digest:
        found.append("its train part is another")
    if (there.dev and there.dev.digest) != (here.dev and here.dev.digest):
        found.append("its dev part is another")
    if there.steps != here.steps:
        found.append(f"its steps end at {there.steps or 'no limit'}, not at {here.steps or 'none'}")
    return found


def _seeds(path: Path) -> Seeds:
    try:
        found = msgspec.json.decode((path / SEEDS).read_bytes(), type=_Found)
    except (OSError, msgspec.MsgspecError) as fault:
        raise InputError(f"cannot be read ({fault})", str(path / SEEDS), "train the seeds again") from fault
    return Seeds(path, tuple(load_run(path / f"seed-{seed}") for seed in found.seeds))
