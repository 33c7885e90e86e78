"""Random search: train with values drawn from the recipe's ranges, and keep the best run on the development part.

    OUT/search.journal   every trial (optuna's format), from which an interrupted search resumes
    OUT/trial-7          the best run so far, and an unfinished one
    OUT/best.toml        the recipe with the best values, once a trial has succeeded

A trial's values depend only on the search's seed and the trial's number, so an interrupted search draws the values that
it would have drawn, and repeats nothing.

A search for the settings of word vectors judges them by how well sim-entity answers the development part, and keeps
OUT/trial-7.bin, the vectors of the best trial. CliCR's paper drew 20 configurations so (Šuster and Daelemans 2018,
appendix A), by F1. The vectors are of the train part alone: its passages and filled questions.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import sentences
from anagnosis.datasets.kinds.table import CLOZE, demand
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import named
from anagnosis.io.files import write_text
from anagnosis.io.paths import PathLike
from anagnosis.readers.heuristics import sim_entity
from anagnosis.readers.learning import ACCURACY, EPOCHS, LOSS
from anagnosis.recipes import load as recipes
from anagnosis.training.loop.dev_measure import DevMeasure, selecting_measure
from anagnosis.training.loop.devices import processes
from anagnosis.training.loop.endings import TrialError
from anagnosis.training.loop.history import worth
from anagnosis.training.run_files import WORK, remove_whole
from anagnosis.training.runs.run import configured, read_facts
from anagnosis.training.study import (
    MEASURE,
    TUNE,
    Trial,
    checked_space,
    finished_trials,
    open_study,
    run_trials,
)
from anagnosis.training.train import train
from anagnosis.training.training_splits import viewed_split
from anagnosis.word_vectors import word2vec
from anagnosis.word_vectors.word_vectors import TRAINS, WORD_VECTORS, settings_of

USUAL_MEASURE = "f1"  # of word vectors
BEST = "best.toml"
STOP = "stop"


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
    recipe stops by. dev, kept, options:
    those of `train`. A trial that runs out of memory or diverges, or whose values the reader refuses, counts as ended;
    any other fault ends the search.
    """
    recipe, measure = _measured(recipe, measure, where)
    ranges = checked_space(recipe, space, where)
    if STOP in ranges and not {LOSS, EPOCHS, measure}.issuperset(ranges[STOP].choice or ()):
        raise InputError(f"stop is searched beyond {measure}", where, "compare the trials by one measure")
    if processes() > 1:
        raise InputError("a search runs in one process", where, "start it without a launcher")
    folder = Path(out)
    view = str(recipes.spelled_out({}, configured(recipe, where)[1])["view"])
    limit, steps = options.get("limit"), options.get("steps")
    parts = [
        viewed_split(dataset, "train", view, limit=limit),
        viewed_split(dev or dataset, "dev", view, limit=limit),
    ]
    base = {key: value for key, value in recipe.items() if key != TUNE}
    digests = [part.digest for part in parts]
    compared = () if measure == ACCURACY else (measure,)
    study = open_study(
        folder, (sorted(base.items()), sorted(ranges.items()), seed, digests, steps, *compared)
    )
    given: dict[str, Any] = {
        "dev": dev,
        "kept": kept or folder / WORK / "kept",
        "where": where,
        "measure": measure,
        **options,
    }

    def attempt(number: int, values: Mapping[str, Any]) -> tuple[float | None, Mapping[str, Any]]:
        settings = {**base, **values}
        _refuse_together(settings, where)
        facts = train(settings, dataset, folder / f"trial-{number}", **given).facts
        if facts.measure is not None and facts.dev_value is None:
            return None, {"fault": f"{facts.measure} has no value on the development part"}
        value = facts.dev_accuracy if facts.measure is None else facts.dev_value
        return value, {"epochs": facts.epochs, "seconds": facts.total_seconds}

    def keep(ended: tuple[Trial, ...]) -> None:
        """Write the best recipe, and remove the runs of all other trials."""
        best = _others_removed(Search(folder, ended, measure), lambda n: remove_whole(folder / f"trial-{n}"))
        if best is not None:
            _, config = configured({**base, **best.values}, BEST)
            write_text(folder / BEST, recipes.dumps(recipes.spelled_out({"reader": base["reader"]}, config)))

    run_trials(study, ranges, seed, trials, attempt, keep)
    shutil.rmtree(folder / WORK, ignore_errors=True)
    return Search(folder, finished_trials(study), measure)


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


def _others_removed(search: Search, remove: Callable[[int], None]) -> Trial | None:
    """The best trial. remove: removes what a trial made, by its number; called for all others."""
    for trial in search.trials:
        if trial is not search.best:
            remove(trial.number)
    return search.best


@dataclass(frozen=True, slots=True)
class WordVectorSearch(Search):
    """A search for word vectors and its results."""

    @property
    def levels(self) -> dict[str, float]:
        """No accuracies without learning: the trials are of a reader that does not learn."""
        return {}

    @property
    def vectors(self) -> Path | None:
        """The word vectors of the best trial; None if every trial failed."""
        return _file(self.folder, self.best.number) if self.best else None

    def next_command(self, data: str) -> str:
        """What a user does with the best vectors. data: the folder of the dataset."""
        return f"anagnosis predict sim-entity {quote(data)} --set vectors={quote(str(self.vectors))} --out sim.jsonl"


def tune_word_vectors(
    recipe: Mapping[str, Any],
    dataset: store.Dataset,
    out: PathLike,
    *,
    trials: int,
    measure: str | None = None,
    seed: int = 0,
    where: str = "recipe",
    dev: store.Dataset | None = None,
    limit: int | None = None,
) -> WordVectorSearch:
    """Search until so many trials have ended, counting those of earlier calls.

    measure: compares the trials (None: that of the `tune` table, else F1). seed: of the draws; that of each training is
    the recipe's. dev: another dataset to be judged on. limit: only the first so many instances of train and dev. A
    trial whose vectors cannot be trained or have no word of dev counts as ended.
    """
    judged = dev or dataset
    for each in (dataset, judged):
        demand(each.kind, CLOZE, str(each.folder))
    for each, part in ((dataset, "train"), (judged, "dev")):
        if not each.sizes.get(part):
            raise InputError(f"has no {part} part", str(each.folder), "name a dataset with train and dev")
    ranges = checked_space(recipe, None, where, settings_of)
    chosen = named(measure or recipe.get(TUNE, {}).get(MEASURE) or USUAL_MEASURE)
    chosen.demand(CLOZE, where)
    base = {key: value for key, value in recipe.items() if key != TUNE}
    folder = Path(out)
    digests = [store.fingerprint(dataset, "train"), store.fingerprint(judged, "dev")]
    of = (sorted(base.items()), sorted(ranges.items()), seed, digests, limit, chosen.name)
    study = open_study(folder, of)
    on_dev = partial(store.instances, judged, "dev", limit)
    judge = DevMeasure(chosen, CLOZE, on_dev, f"{judged.folder}, dev")

    def attempt(number: int, values: Mapping[str, Any]) -> tuple[float | None, Mapping[str, Any]]:
        """Train vectors, and answer dev with them."""
        from anagnosis.word_vectors import word_vectors

        begun, file = time.monotonic(), _file(folder, number)
        texts = sentences(store.instances(dataset, "train", limit), written=str.lower)
        settings = settings_of({**base, **values}, where)
        try:
            made = word_vectors.train(texts, folder / WORK, **msgspec.structs.asdict(settings))
            word2vec.write(file, made.words, made.vectors)
            reader = sim_entity.fit(on_dev(), vectors=str(file))
        except (word_vectors.RareWordsError, word2vec.NoWordError) as fault:
            raise TrialError(fault.what, fault.where, fault.remedy) from fault
        value = judge.value([reader(instance) for instance in on_dev()])
        if value is None:
            return None, {"fault": f"{judge.measure.name} has no value on the development part"}
        return value, {"epochs": settings.epochs, "seconds": round(time.monotonic() - begun, 3)}

    def keep(ended: tuple[Trial, ...]) -> None:
        """Write the best recipe, and remove the vectors of all other trials."""
        search = WordVectorSearch(folder, ended, chosen.name)
        best = _others_removed(search, lambda n: _file(folder, n).unlink(missing_ok=True))
        if best is not None:
            settings = settings_of({**base, **best.values}, BEST)
            write_text(folder / BEST, recipes.dumps(recipes.spelled_out({TRAINS: WORD_VECTORS}, settings)))

    run_trials(study, ranges, seed, trials, attempt, keep)
    shutil.rmtree(folder / WORK, ignore_errors=True)
    return WordVectorSearch(folder, finished_trials(study), chosen.name)


def _file(folder: Path, trial: int) -> Path:
    return folder / f"trial-{trial}.bin"
