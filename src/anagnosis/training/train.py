"""Train a reader on a dataset: a recipe in, a run folder out; or one for each seed, or for each fold of a split.

The same call on a finished folder returns the run. On an unfinished one, which has no run.json yet, it continues from
its last evaluation, and ends with the same weights as without the interruption. A folder of another recipe or dataset
is an error.

Replicates lie in OUT/seed-0, OUT/seed-1, … or OUT/fold-0, …. When all are finished there is OUT/seeds.json,
{"seeds": [0, 1]}, or OUT/folds.json.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import demand
from anagnosis.datasets.pubmedqa.folds import folds_of
from anagnosis.errors import InputError
from anagnosis.io.checksums import digests
from anagnosis.io.files import write_json, write_text
from anagnosis.io.folders import TRAINED_ON, only_writer, refuse_other_files
from anagnosis.io.paths import PathLike
from anagnosis.progress import print_note
from anagnosis.readers import canonical
from anagnosis.readers.learning import EPOCHS, Learner, Settings, ViewedSplit
from anagnosis.recipes import load as recipes
from anagnosis.training.loop import history
from anagnosis.training.loop.checkpoint import load_weights, read_tensors, weights_of, write_tensors
from anagnosis.training.loop.dev_measure import DevMeasure, selecting_measure
from anagnosis.training.loop.devices import Hardware, draw_anew, within_memory
from anagnosis.training.loop.evaluating import LoadedReader
from anagnosis.training.loop.examples import Examples
from anagnosis.training.loop.loop import TrainingLoop
from anagnosis.training.run_files import CHECKPOINT, FACTS, RECIPE, REPLICATES, WEIGHTS, claim_several, remove
from anagnosis.training.runs import provenance
from anagnosis.training.runs.run import (
    Facts,
    Replicates,
    Run,
    configured,
    load_run,
    read_facts,
    refuse_another,
    unchanged,
)
from anagnosis.training.training_splits import Part, people_parts, recorded
from anagnosis.version import __version__


def train(
    recipe: Mapping[str, Any],
    dataset: store.Dataset,
    out: PathLike,
    *,
    dev: store.Dataset | None = None,
    limit: int | None = None,
    fold: int | None = None,
    kept: Path | None = None,
    device: str = "auto",
    threads: int | None = None,
    replace: bool = False,
    where: str = "recipe",
) -> Run:
    """Train the recipe's reader on the train part of `dataset`, and evaluate it on its dev part or on that of `dev`.

    limit: only the first so many instances of each part. fold: evaluate on this fold of the authors' split, train on
    the others. kept: a folder for results that several runs share (None: not kept). Other arguments: as of `train_on`.
    """
    _, config = configured(recipe, where)
    judged_on, view = dev or dataset, config.view
    given: dict[str, Any] = {"limit": limit, "kept": kept}
    if fold is not None:
        ids = zip(("train", "dev"), map(frozenset, people_parts(dataset, fold)), strict=True)
        parts = [recorded(dataset, "train", view, ids=own, name=name, **given) for name, own in ids]
    else:
        parts = [recorded(dataset, "train", view, **given)]
        if config.stop != EPOCHS:
            # A dataset of another kind may train a reader, and cannot judge its answers.
            remedy = "name a dataset of them with --dev"
            demand(judged_on.kind, config.kind, str(judged_on.folder), remedy=remedy)
        if config.stop != EPOCHS or judged_on.sizes.get("dev"):
            parts.append(recorded(judged_on, "dev", view, **given))
    return train_on(
        recipe, parts, out, fold=fold, device=device, threads=threads, replace=replace, where=where
    )


def train_replicates(
    recipe: Mapping[str, Any],
    dataset: store.Dataset,
    out: PathLike,
    what: str,
    count: int,
    *,
    replace: bool = False,
    **options: Any,
) -> Replicates:
    """Train with the seeds, or on the folds, 0 … `count` − 1. Finished runs stay, so a call can resume or extend them.

    what: "seed" or "fold". options: those of `train`. replace: remove all runs in the folder first, further ones too.
    """
    folder = Path(out)
    if what == "fold":
        folds_of(dataset)  # first: it refuses a dataset without folds
    with only_writer(folder):
        claim_several(folder, what, replace=replace)
        runs: list[Run] = []
        for number in range(count):
            place = folder / f"{what}-{number}"
            print_note(f"{place}:")
            if what == "seed":
                runs.append(train({**recipe, "seed": number}, dataset, place, **options))
            else:
                runs.append(train(recipe, dataset, place, fold=number, **options))
        write_members(folder, what, count)
    return Replicates(folder, what, tuple(runs))


def write_members(folder: Path, what: str, count: int) -> None:
    """Write the file of finished replicates."""
    write_json(folder / REPLICATES[what], {f"{what}s": [*range(count)]})


def train_on(
    recipe: Mapping[str, Any],
    parts: Sequence[Part],
    out: PathLike,
    *,
    begins: Run | None = None,
    fold: int | None = None,
    device: str = "auto",
    threads: int | None = None,
    replace: bool = False,
    where: str = "recipe",
) -> Run:
    """Train on the first part, and evaluate on the second if there is one.

    recipe: `reader` and its settings, flat. begins: a run of the same reader, whose vocabulary and weights to begin
    with (None: untrained). fold: of the parts. threads: of a CPU (None: torch's choice). replace: remove a run in OUT
    first. where: the recipe's name, for errors.
    """
    module, config = configured(recipe, where)
    selecting = selecting_measure(config, where)
    folder, hardware = Path(out), Hardware(device, config.precision, threads)
    name = canonical(str(recipe["reader"]))
    facts = Facts(
        reader=name,
        version=__version__,
        view=config.view,
        train=parts[0][1],
        dev=parts[1][1] if len(parts) > 1 else None,
        device=str(hardware.device),
        precision="bfloat16" if hardware.bfloat16 else "float32",
        threads=hardware.threads,
        fold=fold,
        began=begins.facts.weights if begins else None,
        measure=selecting.name if selecting else None,
    )
    text = recipes.dumps(recipes.spelled_out({"reader": name}, config))
    with only_writer(folder), hardware.computing(), within_memory((), config.tokens):
        begun, finished = folder / CHECKPOINT, (folder / FACTS).exists()
        if not finished and not begun.is_dir():
            refuse_other_files(folder)
        elif replace or not (finished or any(begun.glob("*.pt"))):
            remove(folder)  # a start without a checkpoint has no work to lose
        else:
            refuse_another(folder, text, facts)
        if finished and not replace:
            print_note(f"{folder}: this training is finished; --replace repeats it")
        else:
            views = [view for view, _ in parts]
            learner = _learner(module, config, begun, views[0], begins)
            learner.device = hardware.device
            write_text(begun / RECIPE, text)
            if (begun / FACTS).exists():
                facts = read_facts(begun)
            else:
                write_json(begun / FACTS, facts)
            train, *dev = [_examples(config, learner, view, folder) for view in views]
            judged = next((part for part in dev if len(part.answered)), None)
            measure = DevMeasure(selecting, config.kind, views[1]) if judged and selecting else None
            draw_anew(config.seed)
            model = learner.model().to(hardware.device)
            if begins is not None:
                load_weights(model, read_tensors(begins.weights), begins.weights)
            reader = LoadedReader(learner, model, hardware, config.tokens)
            training = TrainingLoop(config, reader, train, judged, begun, measure)
            training.run()
            provenance.write(folder, views[0], begins)
            _write_run(folder, facts, training, getattr(module, "SAVES", ()))
        shutil.rmtree(begun, ignore_errors=True)
    return load_run(folder)


def _learner(module: Any, config: Settings, begun: Path, train: ViewedSplit, begins: Run | None) -> Learner:
    """The reader, restored from `begun` or prepared and saved there."""
    draw_anew(config.seed)
    if begun.exists():
        return module.restore(config, begun)
    learner: Learner = (
        module.restore(config, unchanged(begins).folder) if begins else module.prepare(config, train)
    )
    begun.mkdir()
    learner.save(begun)
    return learner


def _examples(config: Settings, learner: Learner, part: ViewedSplit, folder: Path) -> Examples:
    """The encoded split."""
    examples = Examples(part.name, part.rows, learner.encode(part), learner.example)
    what = f"{part.name}: {examples.unanswered:,} of {len(examples):,} instances have no answer to learn"
    if not len(examples.answered) and (part.name == "train" or config.stop != EPOCHS):
        remedy = "choose a dataset whose answers are not withheld"
        if part.name == "dev":
            remedy += ", with --dev, or train a fixed number of epochs with --set stop=epochs"
        raise InputError(what, str(folder), remedy)
    if examples.unanswered:
        print_note(f"{what}, and are left out")
    return examples


def _write_run(folder: Path, facts: Facts, training: TrainingLoop, saves: Sequence[str]) -> None:
    """Write a finished training; run.json last. saves: what the reader itself saves."""
    evaluations, replaced = training.evaluations, msgspec.structs.replace
    weights = training.best or weights_of(training.model)
    left_out = shutil.ignore_patterns("*.pt", "*.part", FACTS)
    shutil.copytree(folder / CHECKPOINT, folder, ignore=left_out, dirs_exist_ok=True)
    write_tensors(folder / WEIGHTS, weights)
    history.write(folder, evaluations)
    files = digests(folder, (RECIPE, WEIGHTS, TRAINED_ON, *saves))
    place = history.best(training.config.stop, evaluations)
    kept = evaluations[-1 if place is None else place] if evaluations else None  # a model that is not trained
    dev = facts.dev and replaced(
        facts.dev, unanswered=training.dev.unanswered if training.dev else facts.dev.rows
    )
    results = replaced(
        facts,
        train=replaced(facts.train, unanswered=training.train.unanswered),
        dev=dev,
        finished=True,
        parameters=sum(
            tensor.numel()
            for name, tensor in training.model.named_parameters()
            if any(phase.trained(name) for phase in training.phases)
        ),
        epochs=history.epochs(evaluations),
        best_epoch=None if place is None else history.epochs(evaluations[: place + 1]),
        seconds=round(training.seconds * training.per_epoch / max(1, training.steps), 3),
        total_seconds=round(training.seconds + sum(one.dev_seconds for one in evaluations), 3),
        dev_accuracy=kept and kept.dev_accuracy,
        dev_loss=kept and kept.dev_loss,
        dev_value=kept and kept.dev_value,
        weights=files[WEIGHTS],
        files=files,
    )
    write_json(folder / FACTS, results)
