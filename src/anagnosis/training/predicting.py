"""Predictions of a trained reader: one line an instance, in the dataset's order, streamed.

Scores are natural-log probabilities of the candidates. Instances are read in windows of some thousand and sorted by
length inside, so that little is padded and memory does not grow with the dataset.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from anagnosis import predictions, readers
from anagnosis.datasets import store
from anagnosis.errors import InputError
from anagnosis.files import sha256
from anagnosis.predictions import Prediction
from anagnosis.progress import Progress
from anagnosis.readers.learning import Learner
from anagnosis.readers.predict import Instance, answer_line, keys_of
from anagnosis.training.checkpoint import load_weights, read_tensors
from anagnosis.training.judging import answered
from anagnosis.training.materials import digest, material
from anagnosis.training.memory import PREDICT, at_once
from anagnosis.training.order import by_length, pieces
from anagnosis.training.run import Run, Several, load_run
from anagnosis.training.team import Team, draw_anew

WINDOW = 4096  # instances
PREDICTIONS = "predictions"


def predict(
    run: Run | Several,
    dataset: store.Dataset,
    *,
    split: str = "test",
    device: str = "auto",
    seed: int = 0,
    limit: int | None = None,
    threads: int | None = None,
    tokens: int | None = None,
    kept: Path | None = None,
) -> Iterator[Prediction]:
    """Predictions for a split; a wrong request is told before the first.

    seed: of the draw between candidates that tie. limit: only so many instances. tokens: in memory at once (None: as
    in training). kept: a folder for what is computed once for several runs (None: it is not kept).
    """
    if isinstance(run, Several):
        raise InputError(
            f"a folder of {len(run.runs)} {run.what}s",
            str(run.folder),
            f"name one of them, such as {run.runs[0].folder.name}",
        )
    dataset.parts(split)
    team = Team(device, run.config.precision, threads)
    with team.computing():
        learner, model = restored(run)
        learner.device = team.device
        model.to(team.device).eval()
    most = tokens or run.config.tokens
    fingerprint = store.fingerprint(dataset, split)

    def lines() -> Iterator[Prediction]:
        with ExitStack() as stack:
            place = kept or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="anagnosis-")))
            part = material(dataset, split, run.config.view, limit=limit, kept=place)
            with team.computing():
                # Before the bar: what is computed here has one of its own.
                found = learner.encode(part)
            bar = stack.enter_context(Progress(f"{run.reader} on {split}", part.rows, "instances"))
            instances = store.read(dataset, split, limit)
            while True:
                with team.computing():
                    examples = list(islice(found, WINDOW))
                    if not examples:
                        return
                    window = list(islice(instances, len(examples)))
                    scores = _scores(model, learner, window, examples, team, most, bar)
                for instance, own in zip(window, scores, strict=True):
                    yield answer_line(instance, own, seed=seed, dataset=fingerprint)

    return lines()


def kept_predictions(
    folder: Path,
    dataset: store.Dataset,
    split: str,
    *,
    device: str = "auto",
    seed: int = 0,
    kept: Path | None = None,
) -> Path:
    """The predictions of a finished run for a split, as a file in its folder; made if they are not there yet."""
    run = load_run(folder)
    of = digest(dataset, split, run.config.view, None)
    path = folder / PREDICTIONS / f"{split}-{of[:16]}.jsonl"
    if not path.exists():
        predictions.write(path, predict(run, dataset, split=split, device=device, seed=seed, kept=kept))
    return path


def restored(run: Run) -> tuple[Learner, nn.Module]:
    """The reader of a run folder and its model with the trained weights, on the CPU."""
    if run.facts.weights is not None and sha256(run.weights) != run.facts.weights:
        raise InputError(
            "the weights are not those that this training wrote",
            str(run.weights),
            "copy the folder anew, or train again",
        )
    draw_anew(run.config.seed)
    learner: Learner = readers.find(run.reader).restore(run.config, run.folder)
    model = learner.model()
    load_weights(model, read_tensors(run.weights), run.weights)
    return learner, model


def _scores(
    model: nn.Module,
    learner: Learner,
    window: Sequence[Instance],
    examples: Sequence[Any],
    team: Team,
    tokens: int,
    bar: Progress,
) -> list[list[float]]:
    """The log-probabilities of each instance's candidates, in the window's order."""
    sizes = np.array([example.size for example in examples], np.int32)
    scores: list[list[float]] = [[] for _ in examples]
    for piece in pieces(by_length(np.arange(len(examples)), sizes), sizes, tokens):
        with at_once("predicting", sizes[piece].tolist(), tokens, PREDICT):
            output, _ = answered(model, learner, [examples[index] for index in piece], team)
        for index, row in zip(piece.tolist(), output.log_probabilities.float().tolist(), strict=True):
            scores[index] = row[: len(keys_of(window[index]))]
        bar.advance(len(piece))
    return scores
