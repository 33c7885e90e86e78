"""Random search: train with values drawn from the recipe's lists, and choose the best run on the development part.

[tune]
hidden = [50, 80, 120, 160]
dropout = [0.1, 0.35, 0.6]

    OUT/trial-0 …        run folders
    OUT/trials.jsonl     one line for each trial: its values and result
    OUT/best.toml        the recipe with the best values, once a trial has succeeded

A trial's values depend only on the search's seed and the trial's number, so the same command finds finished trials as
they are, and goes on behind them.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.errors import InputError
from anagnosis.io.files import write_text
from anagnosis.io.folders import TRIALS, only_writer, refuse_foreign
from anagnosis.io.paths import PathLike
from anagnosis.progress import print_note
from anagnosis.readers.learning import ACCURACY
from anagnosis.recipes import load as recipes
from anagnosis.training.loop.dev_measure import selecting_measure
from anagnosis.training.loop.devices import TrialError
from anagnosis.training.loop.history import worth
from anagnosis.training.runs.run import configured
from anagnosis.training.train import train
from anagnosis.training.training_splits import viewed_split

TUNE, BEST = "tune", "best.toml"
FIXED = ("reader", "stop", TUNE)  # the same in all trials
_OURS = re.compile(rf"trial-\d+|{TRIALS}|{BEST}|\..+\.part")
Space = dict[str, Annotated[list[Any], msgspec.Meta(min_length=1)]]


@dataclass(frozen=True, slots=True)
class Trial:
    """values: as drawn. value: of the measure on the development part, None if `fault` ended the trial."""

    number: int
    values: dict[str, Any]
    value: float | None = None
    epochs: int | None = None
    seconds: float | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """A search and its results. measure: compares the trials."""

    folder: Path
    trials: tuple[Trial, ...]
    measure: str

    @property
    def best(self) -> Trial | None:
        """The first trial with the best value; None if every trial failed."""
        ended = [trial for trial in self.trials if trial.value is not None]
        return max(ended, key=lambda trial: worth(self.measure, trial.value), default=None)


def tune_recipe(
    recipe: Mapping[str, Any],
    dataset: store.Dataset,
    out: PathLike,
    *,
    trials: int,
    seed: int = 0,
    dev: store.Dataset | None = None,
    where: str = "recipe",
    **options: Any,
) -> Search:
    """Search with so many trials, those of earlier calls included.

    Trials are compared by the measure that the recipe stops by, else by accuracy. A trial that runs out of memory or
    diverges, or whose values the reader refuses together, fails; any other fault ends the search. dev, where, options:
    those of `train`.
    """
    _, config = configured(recipe, where)
    space = checked_space(recipe, where)
    base = {key: value for key, value in recipe.items() if key != TUNE}
    selecting = selecting_measure(config, where)
    viewed_split(dev or dataset, "dev", config.view)  # it refuses a dataset without that part
    folder, search = Path(out), Search(Path(out), (), selecting.name if selecting else ACCURACY)
    with only_writer(folder):
        refuse_foreign(folder, (name.name for name in folder.iterdir() if not _OURS.fullmatch(name.name)))
        for number in range(trials):
            chance = random.Random(f"{seed}/{number}")
            values = {key: chance.choice(each) for key, each in sorted(space.items())}
            print_note(f"trial {number}: {', '.join(f'{key} {value}' for key, value in values.items())}")
            given = {**base, **values}
            try:
                try:
                    configured(given, where)
                except InputError as refused:  # each value is allowed, but not all of them together
                    raise TrialError(refused.what, refused.where, refused.remedy) from refused
                run = train(given, dataset, folder / f"trial-{number}", dev=dev, where=where, **options)
                fault = None if run.on_dev is not None else f"{search.measure} has no value on dev"
                trial = Trial(number, values, run.on_dev, run.facts.epochs, run.facts.total_seconds, fault)
            except TrialError as error:
                print_note(f"trial {number}: {error}")
                trial = Trial(number, values, fault=str(error))
            search = Search(folder, (*search.trials, trial), search.measure)
            write_text(folder / TRIALS, "".join(json.dumps(asdict(one)) + "\n" for one in search.trials))
            if (best := search.best) is not None:
                _, config = configured({**base, **best.values}, BEST)
                text = recipes.dumps(recipes.spelled_out({"reader": base["reader"]}, config))
                write_text(folder / BEST, text)
    return search


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
