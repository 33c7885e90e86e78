"""Random search: train with values drawn from the recipe's ranges, and keep the best run on the development part.

The ranges are `[tune]` of a recipe, checked against the reader's keys:

[tune]
measure = "f1"                                what compares the trials, unless the user names a measure
hidden = {low = 50, high = 160, log = true}
dropout = {low = 0.1, high = 0.6}
rate = {choice = [0.001, 0.003]}

    OUT/trials.jsonl     a first line that says which search this is, then one line for each trial that ended
    OUT/trial-7          the best run so far, and an unfinished one
    OUT/best.toml        the recipe with the best values, once a trial has succeeded

A trial's values depend only on the search's seed and the trial's number, so an interrupted search draws the values that
it would have drawn, and repeats nothing.
"""

from __future__ import annotations

import difflib
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
from anagnosis.io.paths import PathLike, naming_faults, read_file
from anagnosis.progress import print_note
from anagnosis.readers.learning import ACCURACY, EPOCHS, LOSS
from anagnosis.recipes import load as recipes
from anagnosis.training.loop.dev_measure import selecting_measure
from anagnosis.training.loop.endings import TrialError
from anagnosis.training.loop.history import worth
from anagnosis.training.phases import beside
from anagnosis.training.run_files import foreign, remove
from anagnosis.training.runs.run import configured
from anagnosis.training.train import train
from anagnosis.training.training_splits import viewed_split
from anagnosis.wording import reworded

TUNE = "tune"
MEASURE = "measure"
BEST = "best.toml"
STOP = "stop"
_ANEW = "search anew, with another --out"


class Range(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The range that a key's values are drawn from: one of `choice`, or evenly from low to high, both included.

    Values are whole numbers if both ends are. log: draw evenly on a logarithmic scale.
    """

    choice: list[str | int | float | bool] | None = None
    low: int | float | None = None
    high: int | float | None = None
    log: bool = False

    def __post_init__(self) -> None:
        if self.choice is not None:
            if not self.choice or self.low is not None or self.high is not None or self.log:
                raise ValueError("a choice has values and nothing else")
        elif self.low is None or self.high is None:
            raise ValueError("low or high is missing")
        elif self.low >= self.high or (self.log and self.low <= 0):
            raise ValueError(f"no range from {self.low} to {self.high}")

    @property
    def ends(self) -> list[Any]:
        return [self.low, self.high] if self.choice is None else list(self.choice)

    def drawn(self, chance: random.Random) -> Any:
        if self.choice is not None:
            return chance.choice(self.choice)
        low, high = self.ends
        whole = isinstance(low, int) and isinstance(high, int)
        if self.log:
            value = low * (high / low) ** chance.random()
            return round(value) if whole else value
        return chance.randint(low, high) if whole else chance.uniform(low, high)


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
    measure: str = ACCURACY

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
    measure: str | None = None,
    seed: int = 0,
    where: str = "recipe",
    dev: store.Dataset | None = None,
    kept: Path | None = None,
    **options: Any,
) -> Search:
    """Search until so many trials have ended, counting those of earlier calls.

    measure: compares the trials (None: that of the recipe's `tune` table, else the one that the recipe stops by, else
    accuracy); it also replaces another measure that the recipe stops by. dev, kept, options: those of `train`. A trial
    with the values of an earlier one has its result. A trial that runs out of memory or diverges, or whose values the
    reader refuses, counts as ended; any other fault ends the search.
    """
    recipe, measure = _measured(recipe, measure, where)
    ranges = checked_space(recipe, where)
    if STOP in ranges and not {LOSS, EPOCHS, measure}.issuperset(ranges[STOP].choice or ()):
        raise InputError(f"stop is searched beyond {measure}", where, "compare the trials by one measure")
    folder, limit = Path(out), options.get("limit")
    view = configured(recipe, where)[1].view
    judged_on = dev or dataset
    digests = [
        viewed_split(data, part, view, limit=limit).digest
        for data, part in ((dataset, "train"), (judged_on, "dev"))
    ]
    base = {key: value for key, value in recipe.items() if key != TUNE}
    of = repr((sorted(base.items()), sorted(ranges.items()), seed, digests, options.get("steps"), measure))
    given: dict[str, Any] = {
        "dev": dev,
        "kept": kept or beside(out),
        "where": where,
        "measure": measure,
        **options,
    }

    def attempt(number: int, values: dict[str, Any]) -> Trial:
        settings = {**base, **values}
        try:
            _refuse_together(settings, where)
            facts = train(settings, dataset, folder / f"trial-{number}", **given).facts
        except TrialError as fault:
            print_note(f"trial {number}: {fault}")
            return Trial(number, values, fault=str(fault))
        if facts.measure is not None and facts.dev_value is None:
            return Trial(number, values, fault=f"{facts.measure} has no value on the development part")
        value = facts.dev_accuracy if facts.measure is None else facts.dev_value
        return Trial(number, values, value, facts.epochs, facts.total_seconds)

    with only_writer(folder):
        search = Search(folder, read_trials(folder, hashlib.sha256(of.encode()).hexdigest()), measure)
        _keep_best(search, base)  # a kill may have come between the line of a trial and this step
        for number in range(len(search.trials), trials):
            values = drawn(ranges, seed, number)
            print_note(f"trial {number}: {', '.join(f'{key} {value}' for key, value in values.items())}")
            same = next((earlier for earlier in search.trials if earlier.values == values), None)
            if same is not None:
                print_note(f"trial {number}: the values of trial {same.number}, whose result it has")
            trial = replace(same, number=number) if same else attempt(number, values)
            _add_line(folder, asdict(trial))
            search = replace(search, trials=(*search.trials, trial))
            _keep_best(search, base)
    return search


def checked_space(recipe: Mapping[str, Any], where: str) -> dict[str, Range]:
    """The ranges of a search, the recipe's `tune` table. InputError: lists all problems of the table."""
    given = {key: value for key, value in recipe.get(TUNE, {}).items() if key != MEASURE}
    if not given:
        raise InputError("has no ranges to search", where, "add a table [tune], as docs/recipes.md shows")
    known = [field.name for field in msgspec.structs.fields(configured(recipe, where)[1])]
    ranges: dict[str, Range] = {}
    faults: list[str] = []
    for key, value in given.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=2, cutoff=0.5)
            faults.append(f"unknown key {key!r}" + (f" (did you mean {' or '.join(near)}?)" if near else ""))
            continue
        try:
            ranges[key] = msgspec.convert(value, Range)
        except msgspec.ValidationError as fault:
            faults.append(f"{key}: {reworded(fault)}")
            continue
        for end in ranges[key].ends:
            try:
                configured({**recipe, key: end}, where)
            except InputError as fault:
                faults.append(f"{key}: {end} will not do ({fault.what})")
    if faults:
        raise InputError(
            f"{len(faults)} problem{'s' if len(faults) > 1 else ''} in [tune]: {'; '.join(faults)}",
            where,
            "a range is {low = 1, high = 9}, {low = 1, high = 9, log = true} or {choice = [1, 3]}",
        )
    return ranges


def drawn(ranges: Mapping[str, Range], seed: int, number: int) -> dict[str, Any]:
    """The values of a trial, by the search's seed and the trial's number."""
    chance = random.Random(f"{seed}/{number}")
    return {key: values.drawn(chance) for key, values in sorted(ranges.items())}


def read_trials(folder: Path, search: str) -> tuple[Trial, ...]:
    """The ended trials of a folder; begins one that is not there yet. InputError: it holds another search.

    search: the digest of recipe, ranges, seed and data.
    """
    path = folder / TRIALS
    if not path.exists():
        refuse_other_files(folder)
        _add_line(folder, {"search": search})
        return ()
    whole, _, broken_off = read_file(path).rpartition(b"\n")
    with decoding_faults(path, _ANEW, "is damaged: not as a search writes it", error=DamagedError):
        first, *lines = [json.loads(line) for line in whole.splitlines()] or [{"search": search}]
        other = msgspec.convert(first, dict[str, str]).get("search", "") != search
        trials = tuple(msgspec.convert(line, Trial) for line in lines)
        if [trial.number for trial in trials] != list(range(len(trials))):
            raise ValueError("a trial is missing")
    if other:
        what = "holds a search of another recipe, dataset, limit, measure or seed"
        raise InputError(what, str(folder), "choose another folder for --out")
    if broken_off or not whole:  # by a kill or a full disk
        write_text(path, "".join(json.dumps(line) + "\n" for line in (first, *lines)))
    return trials


def _add_line(folder: Path, line: Mapping[str, Any]) -> None:
    with (
        naming_faults(str(folder / TRIALS), "free some space, or choose another --out"),
        (folder / TRIALS).open("a", encoding="utf-8") as stream,
    ):
        stream.write(json.dumps(line) + "\n")


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


def _measured(recipe: Mapping[str, Any], measure: str | None, where: str) -> tuple[Mapping[str, Any], str]:
    """The recipe of the trials, and the measure by which they are compared."""
    measure = measure or recipe.get(TUNE, {}).get(MEASURE)
    stop = configured(recipe, where)[1].stop
    if stop not in (LOSS, EPOCHS):
        stop = measure or stop
        recipe = {**recipe, STOP: stop} if measure else recipe
        measure = stop
    selecting = selecting_measure(configured(recipe, where)[1], where, measure)
    return recipe, selecting.name if selecting else ACCURACY


def _refuse_together(recipe: Mapping[str, Any], where: str) -> None:
    """TrialError: each value is allowed, but not their combination."""
    try:
        configured(recipe, where)
    except InputError as fault:
        raise TrialError(fault.what, fault.where, fault.remedy) from fault
