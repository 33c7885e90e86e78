"""Random search: train with values drawn from the recipe's lists, and keep the best run on the development part.

[tune]
hidden = [50, 80, 120, 160]
dropout = [0.1, 0.35, 0.6]

    OUT/trials.jsonl     a first line that says which search this is, then one line for each trial that ended
    OUT/trial-7          the best run so far
    OUT/best.toml        the recipe with the best values, once a trial has succeeded

A trial's values depend only on the search's seed and the trial's number, so the same command goes on behind the trials
that ended.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.errors import DamagedError, InputError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.files import write_text
from anagnosis.io.folders import TRIALS, only_writer, refuse_other_files
from anagnosis.io.paths import PathLike, read_file
from anagnosis.progress import print_note
from anagnosis.readers.learning import ACCURACY
from anagnosis.recipes import load as recipes
from anagnosis.training.loop.dev_measure import selecting_measure
from anagnosis.training.loop.devices import TrialError
from anagnosis.training.loop.history import worth
from anagnosis.training.phases import beside
from anagnosis.training.run_files import foreign, remove
from anagnosis.training.runs.run import configured
from anagnosis.training.train import train
from anagnosis.training.training_splits import viewed_split

TUNE, BEST = "tune", "best.toml"
FIXED = ("reader", "stop", TUNE)  # the same in all trials


@dataclass(frozen=True, slots=True)
class Trial:
    """An ended trial. values: as drawn. value: of the measure on the development part, None if `fault` ended it."""

    number: int
    values: dict[str, Any]
    value: float | None = None
    epochs: int | None = None
    seconds: float | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """A search and its results. trials: the ended ones, in their order. measure: compares them."""

    folder: Path
    trials: tuple[Trial, ...]
    measure: str

    @property
    def best(self) -> Trial | None:
        """The first trial with the best value; None if every trial failed."""
        ended = [trial for trial in self.trials if trial.value is not None]
        return max(ended, key=lambda trial: worth(self.measure, trial.value), default=None)

    def next_command(self, data: str) -> str:
        """What a user does with the best recipe. data: the folder of the dataset."""
        return f"anagnosis train {quote(str(self.folder / BEST))} --data {quote(data)} --out runs/best"


def tune_recipe(
    recipe: Mapping[str, Any],
    dataset: store.Dataset,
    out: PathLike,
    *,
    trials: int,
    seed: int = 0,
    where: str = "recipe",
    dev: store.Dataset | None = None,
    kept: Path | None = None,
    **options: Any,
) -> Search:
    """Search until so many trials have ended, counting those of earlier calls.

    Trials are compared by the measure that the recipe stops by, else by accuracy. dev, kept, options: those of `train`.
    A trial that runs out of memory or diverges, or whose values the reader refuses together, counts as ended; any other
    fault ends the search.
    """
    _, config = configured(recipe, where)
    space = checked_space(recipe, where)
    base = {key: value for key, value in recipe.items() if key != TUNE}
    selecting = selecting_measure(config, where)
    measure = selecting.name if selecting else ACCURACY
    folder = Path(out)
    digests = [
        viewed_split(data, part, config.view, limit=options.get("limit")).digest
        for data, part in ((dataset, "train"), (dev or dataset, "dev"))
    ]
    of = repr((sorted(base.items()), sorted(space.items()), seed, digests))
    search_digest = hashlib.sha256(of.encode()).hexdigest()
    options |= {"dev": dev, "kept": kept or beside(out), "where": where}
    with only_writer(folder):
        search = Search(folder, read_trials(folder, search_digest), measure)
        for number in range(len(search.trials), trials):
            values = drawn(space, seed, number)
            print_note(f"trial {number}: {', '.join(f'{key} {value}' for key, value in values.items())}")
            trial = _attempt(number, {**base, **values}, values, dataset, folder, options)
            search = replace(search, trials=(*search.trials, trial))
            lines = [{"search": search_digest}, *map(asdict, search.trials)]
            write_text(folder / TRIALS, "".join(json.dumps(line) + "\n" for line in lines))
            _keep_best(search, base)
        _keep_best(search, base)  # a kill may have come behind the line of the last trial
    return search


def _attempt(
    number: int,
    recipe: Mapping[str, Any],
    values: dict[str, Any],
    dataset: store.Dataset,
    folder: Path,
    options: Mapping[str, Any],
) -> Trial:
    """Train a trial; what a killed call left of it is removed."""
    try:
        _refuse_together(recipe, options["where"])
        run = train(recipe, dataset, folder / f"trial-{number}", replace=True, **options)
    except TrialError as fault:
        print_note(f"trial {number}: {fault}")
        return Trial(number, values, fault=str(fault))
    if run.on_dev is None:
        return Trial(
            number, values, fault=f"{run.facts.measure or ACCURACY} has no value on the development part"
        )
    return Trial(number, values, run.on_dev, run.facts.epochs, run.facts.total_seconds)


def _refuse_together(recipe: Mapping[str, Any], where: str) -> None:
    """TrialError: each value is allowed, but not all of them together."""
    try:
        configured(recipe, where)
    except InputError as fault:
        raise TrialError(fault.what, fault.where, fault.remedy) from fault


def checked_space(recipe: Mapping[str, Any], where: str) -> dict[str, list[Any]]:
    """The values of a search, the recipe's `tune` table. InputError: a key or value that the reader does not take."""
    space = recipe.get(TUNE)
    if not isinstance(space, dict) or not space or not all(isinstance(v, list) and v for v in space.values()):
        remedy = "write for example hidden = [50, 80, 120] there (docs/recipes.md)"
        raise InputError("needs a table [tune] of lists of values", where, remedy)
    if fixed := [key for key in FIXED if key in space]:
        raise InputError(f"{fixed[0]} is not searched", f"{where}, [tune]", "take it from that table")
    for key, values in space.items():
        for value in values:
            configured({**recipe, key: value}, f"{where}, [tune]")
    return space


def drawn(space: Mapping[str, list[Any]], seed: int, number: int) -> dict[str, Any]:
    """The values of a trial, by the search's seed and the trial's number."""
    chance = random.Random(f"{seed}/{number}")
    return {key: chance.choice(values) for key, values in sorted(space.items())}


def read_trials(folder: Path, search: str) -> tuple[Trial, ...]:
    """The ended trials of a folder. InputError: it holds another search, or other files.

    search: the digest of recipe, values, seed and data.
    """
    path = folder / TRIALS
    if not path.exists():
        refuse_other_files(folder)
        write_text(path, json.dumps({"search": search}) + "\n")
    with decoding_faults(path, "search anew, with another --out", error=DamagedError):
        first, *lines = map(json.loads, read_file(path).splitlines())
        there = msgspec.convert(first, dict[str, str]).get("search")
        trials = tuple(msgspec.convert(line, Trial) for line in lines)
    if there != search:
        what = "holds a search of another recipe, dataset, limit or seed"
        raise InputError(what, str(folder), "choose another folder for --out")
    return trials


def _keep_best(search: Search, base: Mapping[str, Any]) -> None:
    """Write the best recipe, and remove the runs of all other trials, but for folders with other files."""
    for trial in search.trials:
        place = search.folder / f"trial-{trial.number}"
        if trial is not search.best and place.is_dir() and not any(foreign(place)):
            remove(place)
            place.rmdir()
    if search.best is not None:
        _, config = configured({**base, **search.best.values}, BEST)
        write_text(
            search.folder / BEST, recipes.dumps(recipes.spelled_out({"reader": base["reader"]}, config))
        )
