"""The verb over readers: predict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from anagnosis.api import shared
from anagnosis.api.datasets import load
from anagnosis.api.options import MANY, Option, refuse_options
from anagnosis.api.prompting import PROMPTED, Asking, predict_prompted
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.training.runs.run import Run


def _precisions() -> tuple[str, ...]:
    from anagnosis.recipes.load import PRECISIONS

    return PRECISIONS


def predict(
    reader: Annotated[PathLike, Option(metavar="READER|RUN_FOLDER")],
    dataset: shared.DatasetFolder,
    out: Annotated[
        PathLike,
        Option(
            "The predictions file (JSON lines; .gz and .zst compress); of several runs the folder of one each.",
            flag="--out",
        ),
    ],
    *,
    split: Annotated[str, Option("train, dev or test.")] = "test",
    seed: Annotated[
        shared.Seed,
        Option("Seed of the draw between tied candidates; of the order and examples of `prompted`."),
    ] = 0,
    limit: Annotated[int | None, Option("At most this many instances.", 1, MANY)] = None,
    view: Annotated[
        str | None,
        Option(
            "Of a reader fitted by counting: global (the default) or local; of `prompted` any of the dataset's."
        ),
    ] = None,
    recipe: shared.Recipe = None,
    settings: shared.Settings = None,
    train_on: Annotated[
        PathLike | Dataset | None,
        Option(
            "Fit a reader by counting on the train part of this dataset, or take the examples of `prompted` from it.",
            metavar="DATASET_FOLDER",
        ),
    ] = None,
    device: Annotated[
        str | None, Option("Of a run folder: auto (the default), cpu, cuda, cuda:N or mps.")
    ] = None,
    threads: shared.Threads = None,
    tokens: Annotated[
        int | None, Option("Most tokens in memory at once (default: as in training).", 1, MANY)
    ] = None,
    precision: Annotated[
        str | None,
        Option("Of a run folder: float32, bfloat16, or auto (default: as in training).", choices=_precisions),
    ] = None,
    encoder: Annotated[
        str | None, Option("Where the frozen encoder of a run folder is now.", metavar="NAME|FOLDER")
    ] = None,
    model: Annotated[
        str | None, Option("The language model of `prompted`, as its server names it.", metavar="NAME")
    ] = None,
    endpoint: shared.Endpoint = None,
    key_env: shared.KeyEnv = None,
    prompts: Annotated[
        Sequence[str],
        Option("What it is asked, such as factoid@1. Repeatable.", flag="--prompt", metavar="NAME|FILE"),
    ] = (),
    replay: Annotated[
        PathLike | None, Option("Answer from the log of an earlier run, without a server.", metavar="FILE")
    ] = None,
    most_tokens: Annotated[int | None, Option("End before replies take more tokens.", 1, MANY)] = None,
    most_cost: Annotated[float | None, Option("End before they cost more.", 0, MANY)] = None,
    prices: Annotated[
        PathLike | None, Option("Prices of models, each for a million tokens (TOML).", metavar="FILE")
    ] = None,
    cut_off: Annotated[
        str | None, Option("Date to which the texts reach that the model was trained on.", metavar="DATE")
    ] = None,
    by_id: Annotated[
        bool, Option("Write one JSON object from id to answer, for the programs of CliCR and PubMedQA.")
    ] = False,
    replace: shared.Replace = False,
) -> int:
    """Run READER over one split of a dataset: one line per instance, with a score for every candidate.

    READER is a name or an alias of the papers, such as BASE4 (`anagnosis readers` lists them), or the folder of a
    training; of several seeds or folds, each gives a file, and the folder of these is one system. `prompted` asks a
    language model behind a server.
    \f
    Gives the number of predictions written, in all files. A note of its training and view is written beside the
    predictions of a run folder, a note and the log of all replies beside those of a language model.
    """
    from anagnosis import predictions, readers
    from anagnosis.io import outputs
    from anagnosis.predictions import notes

    opened = load(dataset)
    fitted_on = load(train_on) if train_on is not None else None
    own = fitted_on and fitted_on.folder
    inputs = [opened.folder, reader, own, recipe, encoder, replay, prices, *prompts]
    inputs += outputs.strings(settings)
    write = predictions.write_by_id if by_id else predictions.write
    limits = most_tokens, most_cost, prices
    asking = Asking(prompts or None, endpoint, model, replay, *limits, key_env, cut_off)
    is_prompted = readers.canonical(str(reader)) == PROMPTED
    if not is_prompted:
        refuse_options(f"{reader}, which is no language model", **msgspec.structs.asdict(asking))
    if is_run(reader):
        refuse_options("a run folder", view=view, recipe=recipe, settings=settings, train_on=train_on)
        runs = _trained(reader, encoder)
        from anagnosis.datasets.question_keys import keys_of
        from anagnosis.training.runs.predicting import predict as predictions_of
        from anagnosis.training.runs.provenance import trained_on

        def predicted(run: Run, path: Path) -> int:
            lines = predictions_of(
                run,
                opened,
                split=split,
                seed=seed,
                limit=limit,
                device=device or "auto",
                threads=threads,
                tokens=tokens,
                precision=precision,
                kept=kept_beside(run.folder),
            )
            count = write(path, lines)
            overlap = trained_on([run.folder], opened, split, keys_of(opened, split, limit))
            training = notes.of_run(run.folder).training or notes.TrainingNote()
            notes.write(path, notes.Note(training=training, view=run.config.view, trained_on=overlap))
            return count

        return _in_files(out, runs, predicted, inputs=inputs, replace=replace)
    refuse_options(
        "a reader that is not trained",
        device=device,
        threads=threads,
        tokens=tokens,
        precision=precision,
        encoder=encoder,
    )
    _noted_output(out, inputs, replace=replace)
    if is_prompted:
        refuse_options("a language model", recipe=recipe)
        how: dict[str, Any] = {"split": split, "limit": limit, "seed": seed, "view": view}
        return predict_prompted(asking, opened, out, write, settings=settings or {}, train=fitted_on, **how)
    from anagnosis.readers import of_dataset
    from anagnosis.readers.predict import predict as run_over
    from anagnosis.recipes import load as recipes

    lines = run_over(
        opened,
        of_dataset(str(reader), opened.name),
        split=split,
        seed=seed,
        options={**(recipes.load(recipe) if recipe is not None else {}), **(settings or {})},
        view=view or "global",
        training=fitted_on,
        limit=limit,
    )
    count = write(out, lines)
    if Path(out).is_file():
        notes.write(out, notes.Note(untrained=True))
    return count


def is_run(reader: PathLike) -> bool:
    """Whether a run folder is meant, not a reader's name."""
    from anagnosis import readers

    name = str(reader)
    return (Path(name).is_dir() and readers.canonical(name) not in readers.READERS) or "/" in name


def kept_beside(run: PathLike) -> Path:
    """Where runs that are neighbours keep the vectors of a frozen encoder. InputError: a link is in that folder."""
    from anagnosis.io.folders import refuse_links
    from anagnosis.training.phases import beside

    folder = beside(run)
    refuse_links(folder)
    return folder


def _noted_output(out: PathLike, inputs: Sequence[PathLike | None], *, replace: bool) -> None:
    """Refuse a predictions file, or its note beside it, where it may not be written."""
    from anagnosis.io import outputs
    from anagnosis.predictions import notes

    written = outputs.output_file(out, inputs=inputs, replace=replace)
    outputs.output_file(notes.note_of(written), inputs=inputs, replace=replace)


def _in_files(
    out: PathLike,
    runs: Sequence[Run],
    make: Callable[[Run, Path], int],
    *,
    inputs: Sequence[PathLike | None],
    replace: bool,
) -> int:
    """Let `make` write the predictions of each run into a folder of files, or those of a single one into a file.

    Gives the number of lines. InputError, before any work: they may not be written.
    """
    from anagnosis.io import outputs
    from anagnosis.io.compression import without_compression
    from anagnosis.io.folders import demand_new, new_folder

    target = Path(out)
    if len(runs) == 1:
        _noted_output(out, inputs, replace=replace)
        return make(runs[0], target)
    if target.is_file() or without_compression(target.name).endswith((".jsonl", ".json")):
        raise InputError(f"names a file, and {len(runs)} models give {len(runs)}", str(out), "name a folder")
    outputs.output_folder(target, inputs=inputs)
    names = [f"{run.folder.name}.jsonl" for run in runs]
    ours = {*names, *(f"{run.folder.name}.run.json" for run in runs)}
    demand_new(target, "predictions", ours.__contains__, replace=replace)  # all in a folder is one system
    with new_folder(target, "predictions", ours.__contains__, replace=replace) as folder:
        return sum(make(run, folder / name) for run, name in zip(runs, names, strict=True))


def _trained(folder: PathLike, encoder: str | None) -> tuple[Run, ...]:
    ready_for_torch("predicting with what was trained")
    from anagnosis.training.runs import run as runs

    found = runs.load(folder).runs
    return found if encoder is None else tuple(_with_encoder(run, encoder) for run in found)


def _with_encoder(run: Run, encoder: str) -> Run:
    """The run with its encoder in another place, which must be the same encoder."""
    import dataclasses

    import msgspec

    if not getattr(run.config, "encoder", ""):
        raise InputError(
            f"{run.reader} was trained without an encoder", str(run.folder), "leave --encoder out"
        )
    config = msgspec.structs.replace(run.config, encoder=encoder)
    return dataclasses.replace(run, config=config)
