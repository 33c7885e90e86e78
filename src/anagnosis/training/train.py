"""Train a reader on a dataset: a recipe in, a run folder out.

The same call on a finished folder returns the run. On an unfinished one, which has no run.json yet, it continues from
its last evaluation, and ends with the same weights as without the interruption. A folder of another recipe or dataset
is an error.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_origin

import msgspec
from torch import nn

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import demand
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.io.checksums import digests
from anagnosis.io.files import sha256, write_text
from anagnosis.io.folders import TRAINED_ON, only_writer, refuse_other_files
from anagnosis.io.paths import PathLike
from anagnosis.progress import print_note
from anagnosis.readers import canonical
from anagnosis.readers.learning import EPOCHS, Learner, Settings, ViewedSplit
from anagnosis.recipes import load as recipes
from anagnosis.training.loop import history
from anagnosis.training.loop.checkpoint import (
    load_weights,
    read_checkpoint,
    read_tensors,
    weights_of,
    write_tensors,
)
from anagnosis.training.loop.dev_measure import DevMeasure, selecting_measure
from anagnosis.training.loop.devices import Hardware, draw_anew
from anagnosis.training.loop.endings import TRAIN, TrialError, within_memory
from anagnosis.training.loop.examples import Examples
from anagnosis.training.loop.history import Evaluation
from anagnosis.training.loop.loop import TrainingLoop
from anagnosis.training.phases import beside
from anagnosis.training.run_files import CHECKPOINT, FACTS, RECIPE, WEIGHTS, remove
from anagnosis.training.runs import provenance
from anagnosis.training.runs.run import (
    Facts,
    Run,
    TrainedSplit,
    configured,
    load_run,
    read_facts,
    refuse_another,
    unchanged,
    write_facts,
)
from anagnosis.training.training_splits import fold_parts, viewed_split
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
    kept, judged_on = kept or beside(out), dev or dataset
    if fold is not None:
        splits = fold_parts(dataset, fold, config.view, limit=limit, kept=kept)
    else:
        splits = [viewed_split(dataset, "train", config.view, limit=limit, kept=kept)]
        if config.stop != EPOCHS:
            # A dataset of another kind may train a reader, and cannot judge its answers.
            remedy = "name a dataset of them with --dev"
            demand(judged_on.kind, config.kind, str(judged_on.folder), remedy=remedy)
        if config.stop != EPOCHS or judged_on.sizes.get("dev"):
            splits.append(viewed_split(judged_on, "dev", config.view, limit=limit, kept=kept))
    sources = (dataset, judged_on)
    parts = [(part, trained_split(source, part)) for part, source in zip(splits, sources, strict=False)]
    return train_on(recipe, parts, out, fold=fold, where=where, **options)


def train_on(
    recipe: Mapping[str, Any],
    parts: Sequence[tuple[ViewedSplit, TrainedSplit]],
    out: PathLike,
    *,
    begins: Run | None = None,
    device: str = "auto",
    threads: int | None = None,
    steps: int | None = None,
    fold: int | None = None,
    replace: bool = False,
    where: str = "recipe",
    measure: str | None = None,
) -> Run:
    """Train on the first part, and evaluate on the second if there is one.

    recipe: `reader` and its settings, flat. begins: a run of the same reader, whose vocabulary and weights to begin
    with (None: untrained). threads: of a CPU (None: torch's choice). steps: at most so many. replace: remove a run in
    OUT first. where: the recipe's name, for errors. measure: to compute on the second part for a search, if the recipe
    stops by the loss or after all epochs.
    """
    module, config = configured(recipe, where)
    selecting = selecting_measure(config, where, measure)
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
        steps=steps,
        fold=fold,
        began=begins.facts.weights if begins else None,
        measure=selecting.name if selecting else None,
    )
    text = recipes.dumps(recipes.spelled_out({"reader": name}, config))
    less = TRAIN.format(max(1, config.tokens // 2))
    remedy = (
        f"take less at once with {less} (it is {config.tokens}), or train a smaller model, with --replace"
    )
    begun = folder / CHECKPOINT
    with only_writer(folder), hardware.computing(), within_memory("training", remedy):
        finished = (folder / FACTS).exists()
        if not finished and not begun.is_dir():
            refuse_other_files(folder)
        elif replace or not (finished or any(begun.glob("*.pt"))):
            remove(folder)  # a start without a checkpoint has no work to lose
            if finished:
                print_note(f"{folder}: the old run is removed")
        else:
            refuse_another(folder, text, facts)
        if finished and not replace:
            print_note(f"{folder}: this training is finished; --replace repeats it")
        else:
            splits = [part for part, _ in parts]
            learner = _learner(module, config, begun, hardware, splits[0], begins)
            write_text(begun / RECIPE, text)
            if (begun / FACTS).exists():
                facts = read_facts(begun)
            else:
                write_facts(begun, facts)
            _train(module, config, folder, hardware, splits, learner, facts, begins, selecting)
        shutil.rmtree(begun, ignore_errors=True)
    return load_run(folder)


def _learner(
    module: Any, config: Settings, begun: Path, hardware: Hardware, train: ViewedSplit, begins: Run | None
) -> Learner:
    """The reader, restored from `begun` or prepared and saved there."""
    draw_anew(config.seed)
    learner: Learner
    with _refusals(config):
        if begun.exists():
            learner = module.restore(config, begun)
        else:
            learner = (
                module.restore(config, unchanged(begins).folder) if begins else module.prepare(config, train)
            )
            begun.mkdir()
            learner.save(begun)
    learner.device = hardware.device
    return learner


def _train(
    module: Any,
    config: Settings,
    folder: Path,
    hardware: Hardware,
    parts: Sequence[ViewedSplit],
    learner: Learner,
    facts: Facts,
    begins: Run | None,
    selecting: Measure | None,
) -> None:
    """Train, and write the run."""
    train, *judging = [_examples(config, learner, part, folder) for part in parts]
    dev = judging[0] if judging and len(judging[0].answered) else None
    measure = None
    if dev is not None and selecting is not None:
        part = parts[1]
        instances = part.instances or part.viewed
        measure = DevMeasure(selecting, config.kind, instances, part.dataset, config.answer_vectors)
    checkpoint = read_checkpoint(folder / CHECKPOINT)
    draw_anew(config.seed)
    with _refusals(config):
        model = learner.model().to(hardware.device)
    if checkpoint is None and begins is not None:
        load_weights(model, read_tensors(begins.weights), begins.weights)
    training = TrainingLoop(
        config,
        learner,
        model,
        train,
        dev,
        hardware,
        folder / CHECKPOINT,
        begins=checkpoint,
        steps=facts.steps,
        report=partial(_report_evaluation, folder, config, learner),
        measure=measure,
    )
    del checkpoint  # its tensors
    training.run()
    weights = training.best or weights_of(model)
    left_out = shutil.ignore_patterns("*.pt", "*.part", FACTS)
    shutil.copytree(folder / CHECKPOINT, folder, ignore=left_out, dirs_exist_ok=True)
    write_tensors(folder / WEIGHTS, weights)
    learner.export(folder, weights)
    history.write(folder, training.position.evaluations)
    provenance.write(folder, parts[0], begins)
    lasting = (RECIPE, WEIGHTS, TRAINED_ON, *getattr(module, "SAVES", ()))
    facts = msgspec.structs.replace(facts, files=digests(folder, lasting), weights=sha256(folder / WEIGHTS))
    write_facts(folder, _results(facts, config, learner, model, training))


@contextmanager
def _refusals(config: Settings) -> Generator[None]:
    """Turn a reader's error about a setting's value into a TrialError, so that a search tries other values.

    Errors about free text stay: it names a file or an encoder, which is missing whatever the other values are.
    """
    try:
        yield
    except InputError as fault:
        types = {field.name: field.type for field in msgspec.structs.fields(config)}
        is_text = isinstance(getattr(config, fault.where, None), str)
        if fault.where not in types or (is_text and get_origin(types[fault.where]) is not Literal):
            raise
        raise TrialError(fault.what, fault.where, fault.remedy) from fault


def _examples(config: Settings, learner: Learner, part: ViewedSplit, folder: Path) -> Examples:
    """The encoded split."""
    examples = Examples(part.name, part.rows, learner.encode(part), learner.example)
    without = len(examples) - len(examples.answered)
    if without == len(examples):
        none = f"none of the {without:,} instances of the {part.name} part has an answer"
        if part.name == "train" or config.stop != EPOCHS:
            remedy = "choose a dataset whose answers are not withheld"
            if part.name == "dev":
                remedy += ", with --dev, or train a fixed number of epochs with --set stop=epochs"
            raise InputError(none, str(folder), remedy)
        print_note(f"{none}; there is no evaluation")
    elif without:
        use = "training" if part.name == "train" else "evaluation"
        some = f"{without:,} of {len(examples):,} instances"
        print_note(f"{part.name}: {some} have no answer that the reader can give; {use} leaves them out")
    return examples


def _report_evaluation(
    folder: Path, config: Settings, learner: Learner, evaluations: Sequence[Evaluation]
) -> None:
    """Write the history and report a line, after each evaluation. Exact answers have measures of their own."""
    history.write(folder, evaluations)
    last = evaluations[-1]
    line = f"{last.phase}, " if last.phase != "all" else ""
    line += f"epoch {last.epoch}: loss {last.loss:.4f}"
    line += "" if learner.exact else f", accuracy {last.accuracy:.4f}"
    if last.dev_accuracy is not None:
        line += f", on dev loss {last.dev_loss:.4f}"
        line += "" if learner.exact else f", accuracy {last.dev_accuracy:.4f}"
        if last.measure is not None:
            value = "has no value" if last.dev_value is None else f"{last.dev_value:.4f}"
            line += f", {last.measure} {value}"
        if history.best(config.stop, evaluations) == len(evaluations) - 1:
            line += ", the best so far"
    print_note(f"{line} ({last.seconds:,.0f} s)")


def _results(
    facts: Facts, config: Settings, learner: Learner, model: nn.Module, training: TrainingLoop
) -> Facts:
    """The facts of a finished training."""
    position, evaluations = training.position, training.position.evaluations
    place = history.best(config.stop, evaluations)
    kept = evaluations[-1 if place is None else place] if evaluations else None  # a model that is not trained
    trained = [
        tensor.numel()
        for name, tensor in model.named_parameters()
        if any(phase.trained(name) for phase in training.phases)
    ]
    judging = sum(evaluation.dev_seconds for evaluation in evaluations)
    return msgspec.structs.replace(
        facts,
        train=_counted(facts.train, training.train),
        dev=_counted(facts.dev, training.dev) if facts.dev else None,
        finished=True,
        parameters=sum(trained),
        epochs=_epochs(evaluations),
        best_epoch=None if place is None else _epochs(evaluations[: place + 1]),
        seconds=round(position.seconds * training.per_epoch / max(1, position.total), 3),
        total_seconds=round(position.seconds + judging, 3),
        dev_accuracy=kept.dev_accuracy if kept else None,
        dev_loss=kept.dev_loss if kept else None,
        dev_value=kept.dev_value if kept else None,
    )


def _epochs(evaluations: Sequence[Evaluation]) -> int:
    """The number of epochs, over all phases."""
    return sum({evaluation.phase: evaluation.epoch for evaluation in evaluations}.values())


def trained_split(dataset: store.Dataset, part: ViewedSplit) -> TrainedSplit:
    """The record of a part of a dataset."""
    fingerprint = store.fingerprint(dataset, part.split)
    return TrainedSplit(dataset.name, part.split, fingerprint, part.digest, part.rows)


def _counted(part: TrainedSplit, examples: Examples | None) -> TrainedSplit:
    """The part with its count of unanswered instances. examples: None if none has an answer."""
    answered = len(examples.answered) if examples else 0
    return msgspec.structs.replace(part, unanswered=part.rows - answered)
