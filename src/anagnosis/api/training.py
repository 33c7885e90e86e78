"""Verbs over readers that learn, and over what can be chosen of any reader: train, tune."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anagnosis.api.arguments import refuse_options
from anagnosis.api.datasets import load
from anagnosis.api.predicting import kept_folder, ready_for_torch
from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.training.ngram_size import SizeSearch
    from anagnosis.training.runs.phase_folder import PhasesOfRuns
    from anagnosis.training.runs.run import Replicates, Run
    from anagnosis.training.tuning import Search


def train(
    recipe: PathLike | Mapping[str, Any],
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    settings: Mapping[str, Any] | None = None,
    dev: PathLike | Dataset | None = None,
    also: Sequence[PathLike | Dataset] = (),
    seeds: int | None = None,
    folds: int | None = None,
    device: str = "auto",
    threads: int | None = None,
    limit: int | None = None,
    kept: PathLike | None = None,
    replace: bool = False,
) -> Run | Replicates:
    """Train a recipe's reader into a run folder, or one for each of so many seeds or folds; resumes what is unfinished.

    recipe: a name, a file, or its keys; a reader's name stands for that reader with its defaults. settings: keys that
    differ. dev: another dataset to be judged on. also: further datasets, for the phases of a schedule; a
    reader of exact answers is trained on them first. folds: of
    PubMedQA's ten, the first so many, each judged on after training on the other nine. threads: of a CPU (default:
    torch's choice). limit: only the first so many instances of each part. kept: where what a frozen encoder says is
    kept for other runs (default: `.kept` beside `out`).
    replace: overwrite existing runs in `out`; a folder with anything else in it is refused.
    """
    ready_for_torch("training")
    from anagnosis.training.replicates import train_replicates
    from anagnosis.training.schedules.recipe import for_all_phases, phased, trainer, with_further_data
    from anagnosis.training.train import train as run

    values, where = written(recipe, settings)
    if seeds is not None and "seed" in (settings or {}):
        raise InputError("seed says nothing beside --seeds, which trains 0, 1, …", where, "give one of them")
    if folds is not None and (seeds is not None or dev is not None):
        raise InputError(
            "folds have parts of their own and one seed", "--folds", "leave --seeds and --dev away"
        )
    opened, further = load(dataset), [*map(load, also)]
    judged_on = load(dev) if dev is not None else None
    if also:
        values = with_further_data(values)
    if phased(values):
        refuse_options("a recipe with phases", seeds=seeds, dev=dev)
    elif also:
        refuse_options("a recipe without phases", also=also)
    outputs.output_folder(out, "run", inputs=_inputs(recipe, settings, opened, judged_on, *further))
    options: dict[str, Any] = {
        "device": device,
        "threads": threads,
        "limit": limit,
        "kept": kept_folder(kept, out),
        "replace": replace,
        "where": where,
    }
    if phased(values):
        values = for_all_phases(values, settings or {}, where)
        return trainer(values, where)(values, [opened, *further], out, folds=folds, **options)
    options["dev"] = judged_on
    if folds is not None:
        return train_replicates(values, opened, out, "fold", folds, **options)
    if seeds is not None:
        return train_replicates(values, opened, out, "seed", seeds, **options)
    return run(values, opened, out, **options)


def phases(folders: Sequence[PathLike]) -> PhasesOfRuns:
    """What the phases of schedules reached, in their order, by the names of their folders."""
    from anagnosis.training.runs.phase_folder import PhasesOfRuns, read_phases

    names = [Path(folder).resolve().name for folder in folders]
    called = [
        str(folder) if names.count(name) > 1 else name for folder, name in zip(folders, names, strict=True)
    ]
    return PhasesOfRuns(
        {name: read_phases(Path(folder)) for name, folder in zip(called, folders, strict=True)}
    )


def tune(
    recipe: PathLike | Mapping[str, Any],
    dataset: PathLike | Dataset,
    out: PathLike | None = None,
    *,
    trials: int | None = None,
    measure: str | None = None,
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
    dev: PathLike | Dataset | None = None,
    device: str | None = None,
    threads: int | None = None,
    limit: int | None = None,
    kept: PathLike | None = None,
) -> Search | SizeSearch:
    """Choose a reader's settings on the development part.

    Of a reader that learns: so many `trials` with values drawn from the recipe's `[tune]` table, into `out`; resumes
    what is unfinished. measure: by which the trials are compared, and the epochs of a recipe that stops by one
    (default: that of the `[tune]` table, else the recipe's `stop`, if it is a measure, else accuracy). seed: of the
    draws. The other options are those of `train`. Of a reader that does not: its n = 2 … 6, as both papers did, by
    `measure` (default: accuracy); it takes no `out` and no `trials`. Of word vectors: as of a reader that learns, but
    each trial trains vectors on the train part, and sim-entity answers the development part with them.
    """
    from anagnosis.readers import of_dataset

    opened = load(dataset)
    if (of_vectors := _of_word_vectors(recipe)) is not None:
        refuse_options("a recipe of word vectors", device=device, threads=threads, kept=kept)
        where = "recipe" if isinstance(recipe, Mapping) else str(recipe)
        if out is None or trials is None:
            raise InputError("--out and --trials are needed to search", where, "say where, and how many")
        judged_on = load(dev) if dev is not None else None
        outputs.output_folder(out, "search of settings", inputs=_inputs(recipe, settings, opened, judged_on))
        from anagnosis.training.word_vector_search import tune_word_vectors

        return tune_word_vectors(
            {**of_vectors, **(settings or {})},
            opened,
            out,
            trials=trials,
            measure=measure,
            seed=seed or 0,
            where=where,
            dev=judged_on,
            limit=limit,
        )
    values, where = written(of_dataset(recipe, opened.name) if isinstance(recipe, str) else recipe, settings)
    if not learns(values):
        refuse_options(
            "a reader that does not learn, whose n = 2 … 6 are tried",
            out=out,
            trials=trials,
            seed=seed,
            device=device,
            threads=threads,
            kept=kept,
        )
        from anagnosis.datasets.folder import store
        from anagnosis.datasets.kinds.table import demand, named
        from anagnosis.readers.learning import ACCURACY
        from anagnosis.readers.predict import kind_read
        from anagnosis.training.ngram_size import tune as try_each

        options = {key: value for key, value in values.items() if key not in ("n", "expected")}
        judged_on = load(dev) if dev is not None else opened
        reader = str(values["reader"])
        demand(judged_on.kind, named(kind_read(reader)).name, str(judged_on.folder))
        return try_each(
            lambda: store.instances(judged_on, "dev", limit),
            reader,
            options=options,
            measure=measure or ACCURACY,
            where=f"{judged_on.folder}, dev",
        )
    from anagnosis.training.schedules.recipe import phased

    if phased(values):
        raise InputError("a schedule of phases is not searched", where, "tune the reader's own recipe")
    if out is None or trials is None:
        raise InputError("--out and --trials are needed to search", where, "say where, and how many")
    judged_on = load(dev) if dev is not None else None
    outputs.output_folder(out, "search of settings", inputs=_inputs(recipe, settings, opened, judged_on))
    ready_for_torch("a search")
    from anagnosis.training.tuning import tune_recipe

    return tune_recipe(
        values,
        opened,
        out,
        trials=trials,
        measure=measure,
        seed=seed or 0,
        where=where,
        dev=judged_on,
        device=device or "auto",
        threads=threads,
        limit=limit,
        kept=kept_folder(kept, out),
    )


def _inputs(
    recipe: PathLike | Mapping[str, Any], settings: Mapping[str, Any] | None, *datasets: Dataset | None
) -> list[PathLike]:
    """All that a training may read."""
    named = [] if isinstance(recipe, Mapping) else [recipe]
    return [*named, *outputs.strings(settings), *(one.folder for one in datasets if one is not None)]


def _of_word_vectors(recipe: PathLike | Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The values of a recipe of word vectors; None for any other."""
    from anagnosis.recipes import load as recipes
    from anagnosis.word_vectors.word_vector_settings import is_recipe

    if not isinstance(recipe, Mapping):
        name = str(recipe)
        if name not in recipes.names() and not name.endswith(".toml"):
            return None
        recipe = recipes.load(recipe)
    return recipe if is_recipe(recipe) else None


def learns(recipe: Mapping[str, Any]) -> bool:
    """Whether a recipe is for a reader that learns."""
    from anagnosis import readers

    return hasattr(readers.find(str(recipe["reader"])), "prepare")


def written(
    recipe: PathLike | Mapping[str, Any], settings: Mapping[str, Any] | None
) -> tuple[dict[str, Any], str]:
    """A reader's recipe with what differs, and its name for errors."""
    from anagnosis import readers
    from anagnosis.recipes import load as recipes

    if isinstance(recipe, Mapping):
        if "reader" not in recipe:
            raise InputError("names no reader", "recipe", 'add a line such as reader = "attention-sum"')
        return {**recipe, **(settings or {})}, "recipe"
    name = str(recipe)
    if name not in recipes.names() and readers.canonical(name) in readers.names():
        return {"reader": readers.canonical(name), **(settings or {})}, name
    values = recipes.load(recipe)
    if "reader" not in values:
        raise InputError(
            "is no reader's recipe", name, "choose one of `anagnosis recipes` that names a reader"
        )
    return {**values, **(settings or {})}, name
