"""Predictions of a trained reader: one line an instance, in the dataset's order, streamed.

Scores are natural-log probabilities of the candidates; a reader of exact answers gives ranked texts instead. We read
instances in windows of some thousand and sort each window by length, so that there is little padding and memory does
not grow with the dataset.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from torch import nn

from anagnosis import predictions, readers
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import demand
from anagnosis.io.folders import refuse_links
from anagnosis.predictions import Prediction
from anagnosis.progress import Progress
from anagnosis.readers.learning import AnswerSettings, Learner, ViewedSplit
from anagnosis.readers.predict import Result, prediction
from anagnosis.training.loop.checkpoint import load_weights, read_tensors
from anagnosis.training.loop.devices import PREDICT, Hardware, draw_anew
from anagnosis.training.loop.evaluating import LoadedReader
from anagnosis.training.run_files import PREDICTIONS
from anagnosis.training.runs.run import Run, load_run, unchanged
from anagnosis.training.training_splits import digest, viewed_split

T = TypeVar("T")

WINDOW = 4096  # instances
WINDOW_TOKENS = 1 << 23  # of instances with the sentences of a hundred documents


def predict(
    run: Run,
    dataset: store.Dataset,
    *,
    split: str = "test",
    seed: int = 0,
    limit: int | None = None,
    kept: Path | None = None,
    device: str = "auto",
    threads: int | None = None,
    tokens: int | None = None,
    precision: str | None = None,
) -> Iterator[Prediction]:
    """Predictions for a split. InputError, before the first prediction: no such split.

    seed: of the draw between tied candidates. limit: only the first so many instances. kept: a folder for results that
    several runs share (None: not kept). device, threads, tokens, precision: as of `Answering`.
    """
    dataset.parts(split)
    if isinstance(run.config, AnswerSettings):
        # Training takes cloze questions too, of which the predictions could not be scored.
        demand(dataset.kind, run.config.kind, str(dataset.folder))
    answering = Answering(run, device, threads, tokens, precision)
    fingerprint, keys = store.fingerprint(dataset, split), dataset.kind.keys
    part = viewed_split(dataset, split, run.config.view, limit=limit, kept=kept)

    def lines() -> Iterator[Prediction]:
        found = answering.results(part, f"{run.reader} on {split}")
        for instance, result in zip(store.instances(dataset, split, limit), found, strict=True):
            yield prediction(instance.id, result, keys(instance), seed=seed, dataset=fingerprint)

    return lines()


class Answering:
    """A loaded trained reader.

    device, threads: as of `Hardware`. tokens, precision: as in training by default.
    """

    def __init__(
        self,
        run: Run,
        device: str = "auto",
        threads: int | None = None,
        tokens: int | None = None,
        precision: str | None = None,
    ) -> None:
        hardware = Hardware(device, precision or run.config.precision, threads)
        with hardware.computing():
            learner, model = restored(run)
            learner.device = hardware.device
            model.to(hardware.device).eval()
        self._reader = LoadedReader(learner, model, hardware, tokens or run.config.tokens, PREDICT)

    def log_probabilities(self, part: ViewedSplit, title: str) -> Iterator[list[float]]:
        """For every instance, the log probabilities of its candidates in order, then perhaps padding.

        title: of the progress bar.
        """
        return self._each(self._reader.log_probabilities, part, title)

    def results(self, part: ViewedSplit, title: str) -> Iterator[Result]:
        """For every instance its exact answers, or what was retrieved for it; else `log_probabilities`."""
        return self._each(self._reader.results, part, title)

    def answers(self, instances: Sequence[Any], title: str) -> list[list[float]]:
        """`log_probabilities` of instances that belong to no dataset, such as a user's question."""
        # The digest keeps the vectors of a frozen encoder apart from those of other questions.
        of = hashlib.sha256(msgspec.json.encode(instances)).hexdigest()
        part = ViewedSplit("question", of, len(instances), lambda: iter(instances))
        return list(self.log_probabilities(part, title))

    def _each(self, compute: Callable[[list[Any]], list[T]], part: ViewedSplit, title: str) -> Iterator[T]:
        """What `compute` gives of each instance, in order. compute: of some examples of similar size."""
        reader = self._reader
        with reader.hardware.computing():
            encoded = reader.learner.encode(part)  # before the bar: encoding has a bar of its own
        with Progress(title, part.rows, "instances") as bar:
            while True:
                with reader.hardware.computing():
                    examples = list(_window_of(encoded))
                    sizes = np.array([example.size for example in examples], np.int32)

                    def take(rows: Any, own: list[Any] = examples) -> list[Any]:
                        return [own[row] for row in rows]

                    found = reader.each(compute, np.arange(len(examples)), sizes, take, bar)
                if not examples:
                    return
                yield from found


def _window_of(encoded: Iterator[Any]) -> Iterator[Any]:
    """The next examples: at most WINDOW, and few of large ones."""
    tokens = 0
    for example in islice(encoded, WINDOW):
        yield example
        tokens += example.size
        if tokens >= WINDOW_TOKENS:
            return


def kept_predictions(folder: Path, dataset: store.Dataset, split: str, *, kept: Path | None = None) -> Path:
    """The file of a finished run's predictions for a split, in the run folder, made if it is missing.

    kept: as of `predict`.
    """
    run = load_run(folder)
    path = folder / PREDICTIONS / f"{split}-{digest(dataset, split, run.config.view, None)[:16]}.jsonl"
    if not path.is_file():
        for written in filter(None, (folder, kept)):
            refuse_links(written)
        predictions.write(path, predict(run, dataset, split=split, kept=kept))
    return path


def restored(run: Run) -> tuple[Learner, nn.Module]:
    """The reader of a run folder and its model with the trained weights, on the CPU."""
    unchanged(run)
    draw_anew(run.config.seed)
    learner: Learner = readers.find(run.reader).restore(run.config, run.folder)
    model = learner.model()
    load_weights(model, read_tensors(run.weights), run.weights)
    return learner, model
