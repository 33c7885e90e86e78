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
from anagnosis.datasets.folder import store
from anagnosis.errors import InputError
from anagnosis.files import sha256, write_text
from anagnosis.predictions import Prediction
from anagnosis.progress import Progress
from anagnosis.readers.learning import Learner, Material
from anagnosis.readers.predict import answer_line
from anagnosis.training.loop.checkpoint import load_weights, read_tensors
from anagnosis.training.loop.devices import Team, draw_anew
from anagnosis.training.loop.evaluating import answered
from anagnosis.training.loop.memory import PREDICT, at_once
from anagnosis.training.loop.order import by_length, pieces
from anagnosis.training.run_files import PREDICTIONS
from anagnosis.training.runs.run import Replicates, Run, load_run, unchanged
from anagnosis.training.training_splits import digest, material

WINDOW = 4096  # instances


def predict(
    run: Run | Replicates,
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
    if isinstance(run, Replicates):
        raise InputError(
            f"a folder of {len(run.runs)} {run.what}s",
            str(run.folder),
            f"name one of them, such as {run.runs[0].folder.name}",
        )
    dataset.parts(split)
    answering = Answering(run, device, threads, tokens)
    fingerprint = store.fingerprint(dataset, split)

    def lines() -> Iterator[Prediction]:
        with ExitStack() as stack:
            place = kept or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="anagnosis-")))
            part = material(dataset, split, run.config.view, limit=limit, kept=place)
            scores = answering.log_probabilities(part, f"{run.reader} on {split}")
            keys_of = dataset.kind.keys
            for instance, own in zip(store.instances(dataset, split, limit), scores, strict=True):
                keys = keys_of(instance)
                yield answer_line(instance.id, keys, own[: len(keys)], seed=seed, dataset=fingerprint)

    return lines()


class Answering:
    """A trained reader, ready to answer. tokens: in memory at once (None: as in training)."""

    def __init__(
        self, run: Run, device: str = "auto", threads: int | None = None, tokens: int | None = None
    ) -> None:
        self.team = Team(device, run.config.precision, threads)
        self.tokens = tokens or run.config.tokens
        with self.team.computing():
            self.learner, self.model = restored(run)
            self.learner.device = self.team.device
            self.model.to(self.team.device).eval()

    def log_probabilities(self, part: Material, called: str) -> Iterator[list[float]]:
        """Of every instance's candidates, in order, then perhaps padding. called: what the progress says."""
        with self.team.computing():
            # Before the bar: what is computed here has one of its own.
            found = self.learner.encode(part)
        with Progress(called, part.rows, "instances") as bar:
            while True:
                with self.team.computing():
                    examples = list(islice(found, WINDOW))
                    if not examples:
                        return
                    scores = self._window(examples, bar)
                yield from scores

    def answers(self, instances: Sequence[Any], called: str) -> list[list[float]]:
        """`log_probabilities` of instances that belong to no dataset, such as a user's question."""
        part = Material("question", "", len(instances), lambda: iter(instances))
        return list(self.log_probabilities(part, called))

    def _window(self, examples: Sequence[Any], bar: Progress) -> list[list[float]]:
        sizes = np.array([example.size for example in examples], np.int32)
        scores: list[list[float]] = [[] for _ in examples]
        for piece in pieces(by_length(np.arange(len(examples)), sizes), sizes, self.tokens):
            with at_once("predicting", sizes[piece].tolist(), self.tokens, PREDICT):
                output, _ = answered(
                    self.model, self.learner, [examples[index] for index in piece], self.team
                )
            for index, row in zip(piece.tolist(), output.log_probabilities.float().tolist(), strict=True):
                scores[index] = row
            bar.advance(len(piece))
        return scores


def kept_predictions(
    folder: Path,
    dataset: store.Dataset,
    split: str,
    *,
    device: str = "auto",
    threads: int | None = None,
    seed: int = 0,
    kept: Path | None = None,
) -> Path:
    """The predictions of a finished run for a split, as a file in its folder; made if they are not there unchanged."""
    run = load_run(folder)
    of = digest(dataset, split, run.config.view, None)
    path = folder / PREDICTIONS / f"{split}-{of[:16]}.jsonl"
    noted = path.with_suffix(".sha256")
    if not (path.is_file() and noted.is_file() and noted.read_bytes() == sha256(path).encode()):
        found = predict(run, dataset, split=split, device=device, threads=threads, seed=seed, kept=kept)
        predictions.write(path, found)
        write_text(noted, sha256(path))
    return path


def restored(run: Run) -> tuple[Learner, nn.Module]:
    """The reader of a run folder and its model with the trained weights, on the CPU."""
    unchanged(run)
    draw_anew(run.config.seed)
    learner: Learner = readers.find(run.reader).restore(run.config, run.folder)
    model = learner.model()
    load_weights(model, read_tensors(run.weights), run.weights)
    return learner, model
