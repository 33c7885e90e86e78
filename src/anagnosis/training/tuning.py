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
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any, cast

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.errors import DamagedError, InputError
from anagnosis.io.files import write_text
from anagnosis.io.folders import TRIALS, refuse_other_files
from anagnosis.io.paths import PathLike, naming_faults, open_file
from anagnosis.progress import print_note
from anagnosis.readers.learning import ACCURACY, EPOCHS, LOSS
from anagnosis.recipes import load as recipes
from anagnosis.training.loop.dev_measure import selecting_measure
from anagnosis.training.loop.endings import TrialError
from anagnosis.training.loop.history import worth
from anagnosis.training.run_files import WORK, remove_whole
from anagnosis.training.runs.run import configured, read_facts
from anagnosis.training.train import train
from anagnosis.training.training_splits import viewed_split
from anagnosis.wording import reworded

TUNE = "tune"
MEASURE = "measure"
BEST = "best.toml"
STOP = "stop"
_ELSEWHERE = "free some space, or choose another --out"


class Range(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The range that a key's values are drawn from: one of `choice`, or evenly from low to high, both included.

    Values are whole numbers if both ends are. log: draw evenly on a logarithmic scale.
    """

    choice: list[str | int | float | bool] | None = None
    low: int | float | None = None
    high: int | float | None = None
    log: bool = False


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

    @property
    def levels(self) -> dict[str, float]:
        """Accuracies without learning on the best trial's development part; empty for any other measure."""
        if self.measure != ACCURACY:
            return {}
        facts = read_facts(self.folder / f"trial-{self.best.number}") if self.best else None
        return facts.levels if facts else {}

    def next_command(self, data: str) -> str:
        """What a user does with the best recipe. data: the folder of the dataset."""
        return f"anagnosis train {quote(str(self.folder / BEST))} --data {quote(data)} --out runs/best"


def tune_recipe(
    recipe: Mapping[str, Any],
    dataset: store.Dataset,
    out: PathLike,
    *,
    trials: int,
    space: Mapping[str, Any] | None = None,
    measure: str | None = None,
    seed: int = 0,
    where: str = "recipe",
    dev: store.Dataset | None = None,
    kept: Path | None = None,
    **options: Any,
) -> Search:
    """Search until so many trials have ended, counting those of earlier calls.

    space: key → Range as plain data (None: the recipe's `tune` table). measure: compares the trials (None: that of the
    `tune` table, else the one that the recipe stops by, else accuracy); it also replaces another measure that the
    recipe stops by. dev, kept, options: those of `train`. A trial with the values of an earlier one has its result. A
    trial that runs out of memory or diverges, or whose values the reader refuses, counts as ended; any other fault ends
    the search.
    """
    recipe, measure = _measured(recipe, measure, where)
    ranges = checked_space(recipe, space, where)
    if STOP in ranges and not {LOSS, EPOCHS, measure}.issuperset(ranges[STOP].choice or ()):
        raise InputError(f"stop is searched beyond {measure}", where, "compare the trials by one measure")
    folder = Path(out)
    view = str(recipes.spelled_out({}, configured(recipe, where)[1])["view"])
    limit, steps = options.get("limit"), options.get("steps")
    parts = [
        viewed_split(dataset, "train", view, limit=limit),
        viewed_split(dev or dataset, "dev", view, limit=limit),
    ]
    base = {key: value for key, value in recipe.items() if key != TUNE}
    digests = [part.digest for part in parts]
    of = repr((sorted(base.items()), sorted(ranges.items()), seed, digests, steps, measure))
    ended = read_trials(folder, hashlib.sha256(of.encode()).hexdigest())
    given: dict[str, Any] = {
        "dev": dev,
        "kept": kept or folder / WORK / "kept",
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

    # A kill may have come between the line of a trial and this step.
    _keep_best(Search(folder, tuple(ended), measure), base)
    for number in range(len(ended), trials):
        values = drawn(ranges, seed, number)
        print_note(f"trial {number}: {', '.join(f'{key} {value}' for key, value in values.items())}")
        same = next((earlier for earlier in ended if earlier.values == values), None)
        if same is not None:
            print_note(f"trial {number}: the values of trial {same.number}, whose result it has")
        trial = replace(same, number=number) if same else attempt(number, values)
        _add_line(folder, asdict(trial))
        ended.append(trial)
        _keep_best(Search(folder, tuple(ended), measure), base)
    shutil.rmtree(folder / WORK, ignore_errors=True)
    return Search(folder, tuple(ended), measure)


def checked_space(recipe: Mapping[str, Any], space: Mapping[str, Any] | None, where: str) -> dict[str, Range]:
    """The ranges of a search. InputError: lists all problems of the table."""
    given = dict(recipe.get(TUNE, {}) if space is None else space)
    given.pop(MEASURE, None)
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
            faults.extend(f"{key}: {fault}" for fault in _problems(recipe, key, ranges[key], where))
        except msgspec.ValidationError as fault:
            faults.append(f"{key}: {reworded(fault)}")
    if faults:
        raise InputError(
            f"{len(faults)} problem{'s' if len(faults) > 1 else ''} in [tune]: {'; '.join(faults)}",
            where,
            "a range is {low = 1, high = 9}, {low = 1, high = 9, log = true} or {choice = [1, 3]}",
        )
    return ranges


def _problems(recipe: Mapping[str, Any], key: str, values: Range, where: str) -> list[str]:
    if values.choice is not None:
        if not values.choice or values.low is not None or values.high is not None or values.log:
            return ["a choice has values and nothing else"]
        ends = values.choice
    elif values.low is None or values.high is None:
        return ["low or high is missing"]
    elif values.low >= values.high or (values.log and values.low <= 0):
        return [f"no range from {values.low} to {values.high}"]
    else:
        ends = [values.low, values.high]
    faults: list[str] = []
    for value in ends:
        try:
            configured({**recipe, key: value}, where)
        except InputError as fault:
            faults.append(f"{value} will not do ({fault.what})")
    return faults


def drawn(ranges: Mapping[str, Range], seed: int, number: int) -> dict[str, Any]:
    """The values of a trial, by the search's seed and the trial's number."""
    chance = random.Random(f"{seed}/{number}")
    return {key: _drawn(values, chance) for key, values in sorted(ranges.items())}


def _drawn(values: Range, chance: random.Random) -> Any:
    if values.choice is not None:
        return chance.choice(values.choice)
    low, high = cast(float, values.low), cast(float, values.high)
    if values.log:
        value = low * (high / low) ** chance.random()
        return round(value) if isinstance(low, int) and isinstance(high, int) else value
    if isinstance(low, int) and isinstance(high, int):
        return chance.randint(low, high)
    return chance.uniform(low, high)


def read_trials(folder: Path, search: str) -> list[Trial]:
    """The ended trials of a folder; begins one that is not there yet. InputError: it holds another search.

    search: the digest of recipe, ranges, seed and data.
    """
    path = folder / TRIALS
    if not path.exists():
        refuse_other_files(folder)
        with naming_faults(str(folder), _ELSEWHERE):
            folder.mkdir(parents=True, exist_ok=True)
        _add_line(folder, {"search": search})
        return []
    with open_file(path) as stream:
        whole, _, broken_off = stream.read().rpartition(b"\n")
    try:
        first, *lines = [json.loads(line) for line in whole.splitlines()] or [{"search": search}]
        other = first["search"] != search
        trials = [msgspec.convert(line, Trial) for line in lines]
        if [trial.number for trial in trials] != list(range(len(trials))):
            raise ValueError("a trial is missing")
    except (ValueError, LookupError, TypeError) as fault:
        raise DamagedError(
            "is damaged: not as a search writes it", str(path), "search anew, with another --out"
        ) from fault
    if other:
        raise InputError(
            "holds a search of another recipe, dataset, limit, measure or seed",
            str(folder),
            "choose another folder for --out",
        )
    if broken_off or not whole:  # by a kill or a full disk
        write_text(path, "".join(json.dumps(line) + "\n" for line in (first, *lines)))
    return trials


def _add_line(folder: Path, line: Mapping[str, Any]) -> None:
    with (
        naming_faults(str(folder / TRIALS), _ELSEWHERE),
        (folder / TRIALS).open("a", encoding="utf-8") as stream,
    ):
        stream.write(json.dumps(line) + "\n")


def _keep_best(search: Search, base: Mapping[str, Any]) -> None:
    """Write the best recipe, and remove the runs of all other trials."""
    for trial in search.trials:
        if trial is not search.best:
            remove_whole(search.folder / f"trial-{trial.number}")
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
