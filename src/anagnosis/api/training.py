"""Verbs over readers that learn, and what can be chosen of any reader: train, phases, tune."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from anagnosis.api import shared
from anagnosis.api.datasets import load
from anagnosis.api.options import Option, refuse_options
from anagnosis.api.predicting import kept_beside, ready_for_torch
from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.training.phases import PhasesOfRuns
    from anagnosis.training.runs.run import Replicates, Run
    from anagnosis.training.tuning import Search


def train(
    recipe: Annotated[PathLike | Mapping[str, Any], Option(metavar="RECIPE")],
    dataset: shared.TrainingData,
    out: Annotated[PathLike, Option("The run folder to write.", flag="--out")],
    *,
    settings: shared.Settings = None,
    dev: shared.DevData = None,
    also: Annotated[
        Sequence[PathLike | Dataset], Option("A further dataset, for phases. Repeatable.", metavar="FOLDER")
    ] = (),
    seeds: Annotated[
        int | None, Option("Number of trainings, into OUT/seed-0, OUT/seed-1, …", 1, 1_000)
    ] = None,
    folds: Annotated[
        int | None, Option("Number of PubMedQA's ten folds to train, from the first.", 1, 10)
    ] = None,
    device: shared.Device = "auto",
    threads: shared.Threads = None,
    limit: shared.Instances = None,
    replace: shared.Replace = False,
) -> Run | Replicates:
    """Train the reader of RECIPE on a dataset's train part, and evaluate it on dev.

    RECIPE is the name of one that comes with anagnosis, a TOML file, or a reader's name. After Ctrl-C the same
    command continues to the same weights; if memory ran out, add a smaller --set tokens=…. Each phase of a recipe has
    a folder in OUT. The command prints the last phase's runs, `anagnosis phases OUT` those of all phases.
    \f
    recipe: also its keys. A folder with anything else in it is refused.
    """
    ready_for_torch("training")
    from anagnosis.training.schedules.recipe import for_all_phases, phased
    from anagnosis.training.train import train as run
    from anagnosis.training.train import train_replicates

    values, where = written(recipe, settings)
    if seeds is not None and "seed" in (settings or {}):
        raise InputError("seed says nothing beside --seeds, which trains 0, 1, …", where, "give one of them")
    if folds is not None and (seeds is not None or dev is not None):
        raise InputError(
            "folds have parts of their own and one seed", "--folds", "leave --seeds and --dev away"
        )
    opened, further = load(dataset), [*map(load, also)]
    judged_on = load(dev) if dev is not None else None
    if phased(values):
        refuse_options("a recipe with phases", seeds=seeds, dev=dev)
    elif also:
        refuse_options("a recipe without phases", also=also)
    outputs.output_folder(out, inputs=_inputs(recipe, settings, opened, judged_on, *further))
    options: dict[str, Any] = {
        "device": device,
        "threads": threads,
        "limit": limit,
        "kept": kept_beside(out),
        "replace": replace,
        "where": where,
    }
    if phased(values):
        values = for_all_phases(values, settings or {}, where)
        from anagnosis.training.schedules.multi_phase import train_phases

        return train_phases(values, [opened, *further], out, folds=folds, **options)
    options["dev"] = judged_on
    if folds is not None:
        return train_replicates(values, opened, out, "fold", folds, **options)
    if seeds is not None:
        return train_replicates(values, opened, out, "seed", seeds, **options)
    return run(values, opened, out, **options)


def phases(folders: Annotated[Sequence[PathLike], Option(metavar="RUN_FOLDER...")]) -> PhasesOfRuns:
    """Each phase of a training: its training data, initial weights and scores.

    Accuracy and macro-F1, means over the folds: on the test part for phases trained on people's labels, else on the
    phase's development part (PubMedQA, Tables 5 to 8); the paper's figures beside them where the recipe has them.
    """
    from anagnosis.training.phases import PhasesOfRuns, read_phases

    names = [Path(folder).resolve().name for folder in folders]
    called = [
        str(folder) if names.count(name) > 1 else name for folder, name in zip(folders, names, strict=True)
    ]
    return PhasesOfRuns(
        {name: read_phases(Path(folder)) for name, folder in zip(called, folders, strict=True)}
    )


def tune(
    recipe: Annotated[PathLike | Mapping[str, Any], Option(metavar="RECIPE")],
    dataset: shared.TrainingData,
    out: Annotated[PathLike, Option("The folder to write trials and the best recipe into.", flag="--out")],
    *,
    trials: Annotated[int, Option("Number of trials, earlier calls included.", 1, 1_000_000)],
    seed: Annotated[shared.Seed, Option("Seed of the random search.")] = 0,
    settings: shared.Settings = None,
    dev: shared.DevData = None,
    device: shared.Device = "auto",
    threads: shared.Threads = None,
    limit: shared.Instances = None,
) -> Search:
    """Choose the settings of RECIPE's reader on the dev part, by random search over the lists of its [tune] table.

    Trials are compared by the measure that the recipe stops by, or --set stop=MEASURE, else by accuracy.
    The same command continues the search, and more --trials extend it.
    """
    from anagnosis.training.schedules.recipe import phased

    opened = load(dataset)
    values, where = written(recipe, settings)
    if phased(values):
        raise InputError("a schedule of phases is not searched", where, "tune the reader's own recipe")
    judged_on = load(dev) if dev is not None else None
    outputs.output_folder(out, inputs=_inputs(recipe, settings, opened, judged_on))
    ready_for_torch("a search")
    from anagnosis.training.tuning import tune_recipe

    return tune_recipe(
        values,
        opened,
        out,
        trials=trials,
        seed=seed,
        where=where,
        dev=judged_on,
        device=device,
        threads=threads,
        limit=limit,
        kept=kept_beside(out),
    )


def _inputs(
    recipe: PathLike | Mapping[str, Any], settings: Mapping[str, Any] | None, *datasets: Dataset | None
) -> list[PathLike]:
    """All that a training may read."""
    named = [] if isinstance(recipe, Mapping) else [recipe]
    return [*named, *outputs.strings(settings), *(one.folder for one in datasets if one is not None)]


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
