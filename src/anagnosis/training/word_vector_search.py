"""Random search for the settings of word vectors, judged by how well sim-entity answers the development part with them.

    OUT/search.journal   every trial, from which an interrupted search resumes
    OUT/trial-7.bin      the word vectors of the best trial
    OUT/best.toml        the recipe with its values

CliCR's paper drew 20 configurations so (Šuster and Daelemans 2018, appendix A), by F1. The vectors are of the train
part alone: its passages and filled questions.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
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
from anagnosis.recipes import load as recipes
from anagnosis.training.loop.dev_measure import DevMeasure
from anagnosis.training.loop.interrupts import TrialError
from anagnosis.training.run_files import WORK
from anagnosis.training.search_space import MEASURE, TUNE, checked_space
from anagnosis.training.study import finished_trials, open_study, run_trials
from anagnosis.training.tuning import BEST, Search
from anagnosis.word_vectors import word2vec
from anagnosis.word_vectors.word_vector_settings import TRAINS, WORD_VECTORS, settings_of

USUAL_MEASURE = "f1"


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
        return f"anagnosis predict sim-entity {data} --set vectors={self.vectors} --out sim.jsonl"


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
        if not each.rows.get(part):
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

    run_trials(
        study,
        ranges,
        seed,
        trials,
        attempt,
        lambda ended: _keep_best(WordVectorSearch(folder, ended, chosen.name), base),
    )
    shutil.rmtree(folder / WORK, ignore_errors=True)
    return WordVectorSearch(folder, finished_trials(study), chosen.name)


def _file(folder: Path, trial: int) -> Path:
    return folder / f"trial-{trial}.bin"


def _keep_best(search: WordVectorSearch, base: Mapping[str, Any]) -> None:
    """Write the best recipe, and remove the vectors of all other trials."""
    best = search.best
    for trial in search.trials:
        if trial is not best:
            _file(search.folder, trial.number).unlink(missing_ok=True)
    if best is not None:
        settings = settings_of({**base, **best.values}, BEST)
        spelled = recipes.spelled_out({TRAINS: WORD_VECTORS}, settings)
        write_text(search.folder / BEST, recipes.dumps(spelled))
