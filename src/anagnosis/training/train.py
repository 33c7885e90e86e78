"""Train a reader on a dataset: a recipe in, a run folder out.

The same call on a finished folder returns the run. On an unfinished one it continues from its last evaluation, and ends
with the same weights as without the interruption. A folder of another recipe or dataset is an error.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_origin

import msgspec
from torch import Tensor, nn

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import demand
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.io.checksums import digests
from anagnosis.io.files import sha256
from anagnosis.io.paths import PathLike
from anagnosis.progress import print_note
from anagnosis.readers import canonical
from anagnosis.readers.learning import (
    EPOCHS,
    AnswerLearner,
    AnswerSettings,
    ExportingLearner,
    Learner,
    Settings,
    ViewedSplit,
)
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
from anagnosis.training.loop.examples import Examples, encoded
from anagnosis.training.loop.history import Evaluation
from anagnosis.training.loop.loop import TrainingLoop
from anagnosis.training.run_files import CHECKPOINT, LOCK, WEIGHTS, WORK, alone_in, lasting
from anagnosis.training.runs import baseline_levels as levels
from anagnosis.training.runs import provenance
from anagnosis.training.runs.run import (
    Facts,
    Run,
    TrainedSplit,
    claim,
    configured,
    load_run,
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
    the others. kept: a folder for results that several runs share (None: inside OUT, removed at the end). recipe,
    where, options: as for `train_on`.
    """
    _, config = configured(recipe, where)
    keep = kept or Path(out) / WORK / "kept"
    judged_on = dev or dataset
    if fold is not None:
        splits = fold_parts(dataset, fold, config.view, limit=limit, kept=keep)
    else:
        splits = [viewed_split(dataset, "train", config.view, limit=limit, kept=keep)]
        if config.stop != EPOCHS:
            # A dataset of another kind may train a reader, and cannot judge its answers.
            demand(
                judged_on.kind, config.kind, str(judged_on.folder), remedy="name a dataset of them with --dev"
            )
        if config.stop != EPOCHS or judged_on.sizes.get("dev"):
            splits.append(viewed_split(judged_on, "dev", config.view, limit=limit, kept=keep))
    parts = [
        (part, trained_split(source, part))
        for part, source in zip(splits, (dataset, judged_on), strict=False)
    ]
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
    folder = Path(out)
    hardware = Hardware(device, config.precision, threads)
    name = canonical(str(recipe["reader"]))
    planned = Facts(
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
    facts = _claimed(folder, text, planned, replace)
    if facts.finished:
        print_note(f"{folder}: this training is finished; --replace repeats it")
        _tidy(folder)
        return load_run(folder)
    less = TRAIN.format(max(1, config.tokens // 2))
    remedy = (
        f"take less at once with {less} (it is {config.tokens}), or train a smaller model, with --replace"
    )
    with hardware.computing(), within_memory("training", remedy), alone_in(folder), ExitStack() as stack:
        splits = [part for part, _ in parts]
        _train(_Job(module, config, folder, hardware, splits, facts, begins, selecting), stack)
    return load_run(folder)


@dataclass(frozen=True, slots=True)
class _Job:
    module: Any
    config: Settings
    folder: Path
    hardware: Hardware
    parts: Sequence[ViewedSplit]
    facts: Facts
    begins: Run | None
    measure: Measure | None


def _claimed(folder: Path, recipe: str, planned: Facts, replace: bool) -> Facts:
    """`claim`, after a check that no other process works in the folder."""
    if (folder / LOCK).exists():
        with alone_in(folder):
            pass
    return claim(folder, recipe, planned, replace=replace)


def _train(job: _Job, stack: ExitStack) -> None:
    hardware, folder = job.hardware, job.folder
    checkpoint = read_checkpoint(folder)
    fresh = checkpoint is None
    with _refusals(job.config):
        learner = _learner(job, fresh=fresh)
    opened = [stack.enter_context(_examples(job, learner, part)) for part in job.parts]
    dev = opened[1] if len(opened) > 1 and len(opened[1].answered) else None
    measure = None
    if dev is not None and job.measure is not None:
        part = job.parts[1]
        measure = DevMeasure(
            job.measure,
            job.config.kind,
            part.instances or part.viewed,
            part.dataset,
            job.config.answer_vectors,
        )
    draw_anew(job.config.seed)
    with _refusals(job.config):
        model = learner.model().to(hardware.device)
    if fresh and job.begins is not None:
        load_weights(model, read_tensors(job.begins.weights), job.begins.weights)
    training = TrainingLoop(
        job.config,
        learner,
        model,
        opened[0],
        dev,
        hardware,
        folder,
        begins=checkpoint,
        steps=job.facts.steps,
        report=lambda evaluations: _report_evaluation(job, evaluations),
        measure=measure,
    )
    del checkpoint  # its tensors
    training.run()
    _finish(job, learner, model, training)


@contextmanager
def _refusals(config: Settings) -> Generator[None]:
    """Turn a reader's error about a setting's value into a TrialError, so that a search tries other values.

    Errors about free text stay: it names a file or an encoder, which is missing whatever the other values are.
    """
    try:
        yield
    except InputError as fault:
        fields = {field.name: field.type for field in msgspec.structs.fields(config)}
        value = getattr(config, fault.where, None) if fault.where in fields else None
        if fault.where not in fields or (
            isinstance(value, str) and get_origin(fields[fault.where]) is not Literal
        ):
            raise
        raise TrialError(fault.what, fault.where, fault.remedy) from fault


def _learner(job: _Job, *, fresh: bool) -> Learner:
    """The reader, prepared and saved in a fresh folder, else restored."""
    draw_anew(job.config.seed)
    learner: Learner
    if fresh:
        if job.begins is not None:
            learner = job.module.restore(job.config, unchanged(job.begins).folder)
        else:
            learner = job.module.prepare(job.config, job.parts[0])
        learner.save(job.folder)
    else:
        learner = job.module.restore(job.config, job.folder)
    learner.device = job.hardware.device
    return learner


def _examples(job: _Job, learner: Learner, part: ViewedSplit) -> Examples:
    """The encoded split."""
    digest = recipes.digest({"data": part.digest, "version": __version__, "recipe": _encoding(job.config)})
    work = job.folder / WORK
    path = encoded(work, part.name, digest, part.rows, learner.encode(part))
    examples = Examples(path, learner.example)
    without = len(examples) - len(examples.answered)
    if without == len(examples):
        none = f"none of the {without:,} instances of the {part.name} part has an answer"
        if part.name == "train" or job.config.stop != EPOCHS:
            remedy = "choose a dataset whose answers are not withheld"
            if part.name == "dev":
                remedy += ", with --dev, or train a fixed number of epochs with --set stop=epochs"
            raise InputError(none, str(job.folder), remedy)
        print_note(f"{none}; there is no evaluation")
    elif without and not isinstance(
        learner, AnswerLearner
    ):  # readers of exact answers report the reasons themselves
        use = "training" if part.name == "train" else "evaluation"
        some = f"{without:,} of {len(examples):,} instances"
        print_note(f"{part.name}: {some} have no answer among the candidates; {use} leaves them out")
    return examples


def _encoding(config: Settings) -> dict[str, Any]:
    """The settings that encoded examples may depend on."""
    settings: dict[str, Any] = msgspec.to_builtins(config)
    return {key: value for key, value in settings.items() if value is not None and key != "tokens"}


def _report_evaluation(job: _Job, evaluations: Sequence[Evaluation]) -> None:
    """Write the history and report a line, after each evaluation."""
    history.write(job.folder, evaluations)
    last = evaluations[-1]
    line = f"{last.phase}, " if last.phase != "all" else ""
    line += f"epoch {last.epoch}: loss {last.loss:.4f}"
    # Exact answers have measures of their own.
    shows_accuracy = not isinstance(job.config, AnswerSettings)
    if shows_accuracy:
        line += f", accuracy {last.accuracy:.4f}"
    if last.dev_accuracy is not None:
        line += f", on dev loss {last.dev_loss:.4f}"
        if shows_accuracy:
            line += f", accuracy {last.dev_accuracy:.4f}"
        if last.measure is not None:
            line += f", {last.measure} " + (
                "has no value" if last.dev_value is None else f"{last.dev_value:.4f}"
            )
        if history.best(job.config.stop, evaluations) == len(evaluations) - 1:
            line += ", the best so far"
    print_note(f"{line} ({last.seconds:,.0f} s)")


def _finish(job: _Job, learner: Learner, model: nn.Module, training: TrainingLoop) -> None:
    weights: dict[str, Tensor] = training.best or weights_of(model)
    write_tensors(job.folder / WEIGHTS, weights)
    if isinstance(learner, ExportingLearner):
        learner.export(job.folder, weights)
    evaluations = training.position.evaluations
    history.write(job.folder, evaluations)
    place = history.best(job.config.stop, evaluations)
    kept = evaluations[-1 if place is None else place] if evaluations else None  # a model that is not trained
    embeddings = learner.embeddings()
    train, dev = training.train, training.dev
    facts = msgspec.structs.replace(
        job.facts,
        train=_counted(job.facts.train, train),
        dev=_counted(job.facts.dev, dev) if job.facts.dev else None,
        finished=True,
        parameters=sum(
            tensor.numel()
            for name, tensor in model.named_parameters()
            if any(phase.trained(name) for phase in training.phases)
        ),
        words=embeddings.words,
        entities=embeddings.entities,
        epochs=sum(_epochs(evaluations).values()),
        best_epoch=None if place is None else sum(_epochs(evaluations[: place + 1]).values()),
        seconds=round(training.position.seconds * training.per_epoch / max(1, training.position.total), 3),
        total_seconds=round(
            training.position.seconds + sum(evaluation.dev_seconds for evaluation in evaluations), 3
        ),
        dev_accuracy=kept.dev_accuracy if kept else None,
        dev_loss=kept.dev_loss if kept else None,
        dev_value=kept.dev_value if kept else None,
        levels=_levels(job) if kept is not None and kept.dev_accuracy is not None else {},
        weights=sha256(job.folder / WEIGHTS),
    )
    provenance.write(job.folder, job.parts[0], job.begins)
    write_facts(job.folder, msgspec.structs.replace(facts, files=digests(job.folder, lasting(job.module))))
    _tidy(job.folder)


def _levels(job: _Job) -> dict[str, float]:
    if isinstance(job.config, AnswerSettings):
        return {}
    train, dev = job.parts
    return levels.levels(job.config.kind, train, dev, job.facts.dev.dataset if job.facts.dev else "")


def _epochs(evaluations: Sequence[Evaluation]) -> dict[str, int]:
    """phase → its last epoch, from 1."""
    return {evaluation.phase: evaluation.epoch for evaluation in evaluations}


def _tidy(folder: Path) -> None:
    for name in (CHECKPOINT, WORK):
        shutil.rmtree(folder / name, ignore_errors=True)
    for part in folder.glob(".*.part"):  # of a session that was killed while it wrote
        part.unlink(missing_ok=True)


def trained_split(dataset: store.Dataset, part: ViewedSplit) -> TrainedSplit:
    """The record of a part of a dataset."""
    fingerprint = store.fingerprint(dataset, part.split)
    return TrainedSplit(dataset.name, part.split, fingerprint, part.digest, part.rows)


def _counted(part: TrainedSplit, examples: Examples | None) -> TrainedSplit:
    """The part with its count of unanswered instances. examples: None if none has an answer."""
    answered = len(examples.answered) if examples else 0
    return msgspec.structs.replace(part, unanswered=part.rows - answered)
