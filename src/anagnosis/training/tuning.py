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
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.errors import DamagedError, InputError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.files import write_text
from anagnosis.io.folders import TRIALS, only_writer, refuse_other_files
from anagnosis.io.paths import PathLike, read_file
from anagnosis.progress import print_note
from anagnosis.readers.learning import ACCURACY, AnswerSettings
from anagnosis.recipes import load as recipes
from anagnosis.training.loop.dev_measure import selecting_measure
from anagnosis.training.loop.devices import TrialError
from anagnosis.training.run_files import foreign, remove
from anagnosis.training.runs.run import configured
from anagnosis.training.train import train
from anagnosis.training.training_splits import viewed_split

TUNE, BEST = "tune", "best.toml"
FIXED = ("reader", "stop", TUNE)  # the same in all trials
Space = dict[str, Annotated[list[Any], msgspec.Meta(min_length=1)]]


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
        return max(ended, key=attrgetter("value"), default=None)


def tune_recipe(
    recipe: Mapping[str, Any],
    dataset: store.Dataset,
    out: PathLike,
    *,
    trials: int,
    seed: int = 0,
    dev: store.Dataset | None = None,
    limit: int | None = None,
    where: str = "recipe",
    **options: Any,
) -> Search:
    """Search until so many trials have ended, counting those of earlier calls.

    Trials are compared by the measure that the recipe stops by, else by accuracy. A trial that runs out of memory or
    diverges, or whose values the reader refuses together, counts as ended; any other fault ends the search. dev, limit,
    where, options: those of `train`.
    """
    _, config = configured(recipe, where)
    space = checked_space(recipe, where)
    base = {key: value for key, value in recipe.items() if key != TUNE}
    selecting = selecting_measure(config, where)
    if selecting is None and isinstance(config, AnswerSettings):
        remedy = "choose a measure: --set stop=factoid_mrr"
        raise InputError("exact answers have no accuracy to compare trials by", where, remedy)
    folder = Path(out)
    digests = [
        viewed_split(data, part, config.view, limit=limit).digest
        for data, part in ((dataset, "train"), (dev or dataset, "dev"))
    ]
    of = repr((sorted(base.items()), sorted(space.items()), seed, digests))
    search_digest = hashlib.sha256(of.encode()).hexdigest()
    with only_writer(folder):
        ended = read_trials(folder, search_digest)
        search = Search(folder, ended, selecting.name if selecting else ACCURACY)
        for number in range(len(ended), trials):
            chance = random.Random(f"{seed}/{number}")
            values = {key: chance.choice(each) for key, each in sorted(space.items())}
            print_note(f"trial {number}: {', '.join(f'{key} {value}' for key, value in values.items())}")
            try:
                given = _together(base, values, where)
                place = folder / f"trial-{number}"  # `replace`: what a killed call left
                run = train(given, dataset, place, dev=dev, limit=limit, replace=True, where=where, **options)
                fault = None if run.on_dev is not None else f"{search.measure} has no value on dev"
                trial = Trial(number, values, run.on_dev, run.facts.epochs, run.facts.total_seconds, fault)
            except TrialError as error:
                print_note(f"trial {number}: {error}")
                trial = Trial(number, values, fault=str(error))
            search = replace(search, trials=(*search.trials, trial))
            lines = [{"search": search_digest}, *map(asdict, search.trials)]
            write_text(folder / TRIALS, "".join(json.dumps(line) + "\n" for line in lines))
            _keep_best(search, base)
        _keep_best(search, base)  # a kill may have come behind the line of the last trial
    return search


def _together(base: Mapping[str, Any], values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The recipe of a trial. TrialError: each value is allowed, but not all of them together."""
    recipe = {**base, **values}
    try:
        configured(recipe, where)
    except InputError as fault:
        raise TrialError(fault.what, fault.where, fault.remedy) from fault
    return recipe


def checked_space(recipe: Mapping[str, Any], where: str) -> Space:
    """The values of a search, the recipe's `tune` table. InputError: a key or value that the reader does not take."""
    try:
        space = msgspec.convert(recipe.get(TUNE) or None, Space)
    except msgspec.ValidationError as fault:
        remedy = "write for example hidden = [50, 80, 120] there (docs/recipes.md)"
        raise InputError("needs a table [tune] of lists of values", where, remedy) from fault
    if fixed := [key for key in FIXED if key in space]:
        raise InputError(f"{fixed[0]} is not searched", f"{where}, [tune]", "take it from that table")
    for key, values in space.items():
        for value in values:
            configured({**recipe, key: value}, f"{where}, [tune]")
    return space


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
        text = recipes.dumps(recipes.spelled_out({"reader": base["reader"]}, config))
        write_text(search.folder / BEST, text)
