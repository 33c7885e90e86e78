"""Train a reader on a dataset: a recipe in, a run folder out.

The same call on a finished folder returns the run. On an unfinished one, which has no run.json yet, it continues from
its last evaluation, and ends with the same weights as without the interruption. A folder of another recipe or dataset
is an error.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import demand
from anagnosis.errors import InputError
from anagnosis.io.checksums import digests
from anagnosis.io.files import write_text
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
from anagnosis.training.loop.examples import Examples
from anagnosis.training.loop.history import Evaluation
from anagnosis.training.loop.loop import TrainingLoop
from anagnosis.training.phases import beside
from anagnosis.training.run_files import CHECKPOINT, FACTS, RECIPE, WEIGHTS, remove
from anagnosis.training.runs import provenance
from anagnosis.training.runs.run import (
    Facts,
    Run,
    configured,
    load_run,
    read_facts,
    refuse_another,
    unchanged,
    write_facts,
)
from anagnosis.training.training_splits import Part, people_parts, recorded, viewed_split
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
    where: str = "recipe",
    **options: Any,
) -> Run:
    """Train the recipe's reader on the train part of `dataset`, and evaluate it on its dev part or on that of `dev`.

    limit: only the first so many instances of each part. fold: evaluate on this fold of the authors' split, train on
    the others. kept: a folder for results that several runs share (None: that beside OUT). recipe, where, options: as
    for `train_on`.
    """
    _, config = configured(recipe, where)
    given: dict[str, Any] = {"limit": limit, "kept": kept or beside(out)}
    judged_on, view = dev or dataset, config.view
    if fold is not None:
        ids = map(frozenset, people_parts(dataset, fold))
        parts = [
            recorded(dataset, viewed_split(dataset, "train", view, ids=own, name=name, **given))
            for name, own in zip(("train", "dev"), ids, strict=True)
        ]
    else:
        parts = [recorded(dataset, viewed_split(dataset, "train", view, **given))]
        if config.stop != EPOCHS:
            # A dataset of another kind may train a reader, and cannot judge its answers.
            remedy = "name a dataset of them with --dev"
            demand(judged_on.kind, config.kind, str(judged_on.folder), remedy=remedy)
        if config.stop != EPOCHS or judged_on.sizes.get("dev"):
            parts.append(recorded(judged_on, viewed_split(judged_on, "dev", view, **given)))
    return train_on(recipe, parts, out, fold=fold, where=where, **options)


def train_on(
    recipe: Mapping[str, Any],
    parts: Sequence[Part],
    out: PathLike,
    *,
    begins: Run | None = None,
    device: str = "auto",
    threads: int | None = None,
    fold: int | None = None,
    replace: bool = False,
    where: str = "recipe",
) -> Run:
    """Train on the first part, and evaluate on the second if there is one.

    recipe: `reader` and its settings, flat. begins: a run of the same reader, whose vocabulary and weights to begin
    with (None: untrained). threads: of a CPU (None: torch's choice). replace: remove a run in OUT first. where: the
    recipe's name, for errors.
    """
    module, config = configured(recipe, where)
    selecting = selecting_measure(config, where)
    folder, hardware = Path(out), Hardware(device, config.precision, threads)
    begun, name = folder / CHECKPOINT, canonical(str(recipe["reader"]))
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
    with only_writer(folder), hardware.computing(), within_memory("training", (), config.tokens):
        finished = (folder / FACTS).exists()
        if not finished and not begun.is_dir():
            refuse_other_files(folder)
        elif replace or not (finished or any(begun.glob("*.pt"))):
            remove(folder)  # a start without a checkpoint has no work to lose
        else:
            refuse_another(folder, text, facts)
        if finished and not replace:
            print_note(f"{folder}: this training is finished; --replace repeats it")
        else:
            train_part, *dev_part = [part for part, _ in parts]
            learner = _learner(module, config, begun, train_part, begins)
            learner.device = hardware.device
            write_text(begun / RECIPE, text)
            if (begun / FACTS).exists():
                facts = read_facts(begun)
            else:
                write_facts(begun, facts)
            examples = [_examples(config, learner, part, folder) for part in (train_part, *dev_part)]
            dev = examples[1] if dev_part and len(examples[1].answered) else None
            on_dev = None
            if dev is not None and selecting is not None:
                (part,) = dev_part
                instances = part.instances or part.viewed
                on_dev = DevMeasure(selecting, config.kind, instances, part.dataset)
            draw_anew(config.seed)
            model = learner.model().to(hardware.device)
            if begins is not None:
                load_weights(model, read_tensors(begins.weights), begins.weights)
            training = TrainingLoop(config, learner, model, examples[0], dev, hardware, begun, on_dev)
            training.run()
            _write_run(folder, facts, training, train_part, begins, getattr(module, "SAVES", ()))
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


def _write_run(
    folder: Path,
    facts: Facts,
    training: TrainingLoop,
    train: ViewedSplit,
    begins: Run | None,
    saves: Sequence[str],
) -> None:
    """Write a finished training; run.json last. saves: what the reader itself saves."""
    model, position = training.model, training.position
    weights, evaluations = training.best or weights_of(model), position.evaluations
    left_out = shutil.ignore_patterns("*.pt", "*.part", FACTS)
    shutil.copytree(folder / CHECKPOINT, folder, ignore=left_out, dirs_exist_ok=True)
    write_tensors(folder / WEIGHTS, weights)
    history.write(folder, evaluations)
    provenance.write(folder, train, begins)
    place = history.best(training.config.stop, evaluations)
    kept = evaluations[-1 if place is None else place] if evaluations else None  # a model that is not trained
    files = digests(folder, (RECIPE, WEIGHTS, TRAINED_ON, *saves))
    trained = [
        tensor.numel()
        for name, tensor in model.named_parameters()
        if any(phase.trained(name) for phase in training.phases)
    ]
    replaced, judging = msgspec.structs.replace, sum(one.dev_seconds for one in evaluations)
    dev = facts.dev
    without = training.dev.unanswered if training.dev else dev and dev.rows
    results = replaced(
        facts,
        train=replaced(facts.train, unanswered=training.train.unanswered),
        dev=dev and replaced(dev, unanswered=without),
        finished=True,
        parameters=sum(trained),
        epochs=_epochs(evaluations),
        best_epoch=None if place is None else _epochs(evaluations[: place + 1]),
        seconds=round(position.seconds * training.per_epoch / max(1, position.total), 3),
        total_seconds=round(position.seconds + judging, 3),
        dev_accuracy=kept.dev_accuracy if kept else None,
        dev_loss=kept.dev_loss if kept else None,
        dev_value=kept.dev_value if kept else None,
        weights=files[WEIGHTS],
        files=files,
    )
    write_facts(folder, results)


def _epochs(evaluations: Sequence[Evaluation]) -> int:
    """The number of epochs, over all phases."""
    return sum({evaluation.phase: evaluation.epoch for evaluation in evaluations}.values())
