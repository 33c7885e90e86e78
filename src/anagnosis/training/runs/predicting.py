"""Predictions of a trained reader: one line an instance, in the dataset's order, streamed.

Scores are natural-log probabilities of the candidates; a reader of exact answers gives ranked texts instead. We read
instances in windows of some thousand and sort each window by length, so that there is little padding and memory does
not grow with the dataset.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
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
from anagnosis.readers.learning import AnswerSettings, Learner, Settings, ViewedSplit
from anagnosis.readers.predict import Result, prediction
from anagnosis.training.loop.checkpoint import load_weights, read_tensors
from anagnosis.training.loop.devices import PREDICT, Hardware, draw_anew
from anagnosis.training.loop.evaluating import answered, of_each, results
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
    **computing: Any,
) -> Iterator[Prediction]:
    """Predictions for a split. InputError, before the first prediction: no such split.

    seed: of the draw between tied candidates. limit: only the first so many instances. kept: a folder for results that
    several runs share (None: not kept). computing: device, threads, tokens and precision, as of `Scorer`.
    """
    dataset.parts(split)
    if isinstance(run.config, AnswerSettings):
        # Training takes cloze questions too, of which the predictions could not be scored.
        demand(dataset.kind, run.config.kind, str(dataset.folder))
    answering = Answering(run, **computing)
    fingerprint = store.fingerprint(dataset, split)

    def lines() -> Iterator[Prediction]:
        with ExitStack() as stack:
            place = kept or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="anagnosis-")))
            part = viewed_split(dataset, split, run.config.view, limit=limit, kept=place)
            given = answering.results(part, f"{run.reader} on {split}")
            keys = dataset.kind.keys
            for instance, result in zip(store.instances(dataset, split, limit), given, strict=True):
                yield prediction(instance.id, result, keys(instance), seed=seed, dataset=fingerprint)

    return lines()


class Scorer:
    """A loaded reader. make: its learner and model. tokens: in memory at once; precision (None: as in its settings)."""

    def __init__(
        self,
        config: Settings,
        make: Callable[[], tuple[Learner, nn.Module]],
        device: str = "auto",
        threads: int | None = None,
        tokens: int | None = None,
        precision: str | None = None,
    ) -> None:
        self.hardware = Hardware(device, precision or config.precision, threads)
        self.tokens = tokens or config.tokens
        with self.hardware.computing():
            self.learner, self.model = make()
            self.learner.device = self.hardware.device
            self.model.to(self.hardware.device).eval()

    def log_probabilities(self, part: ViewedSplit, title: str) -> Iterator[list[float]]:
        """For every instance, the log probabilities of its candidates in order, then perhaps padding.

        title: of the progress bar.
        """

        def scores(examples: list[Any]) -> list[list[float]]:
            output, _ = answered(self.model, self.learner, examples, self.hardware)
            return output.log_probabilities.float().tolist()

        return self._of_each(part, title, scores)

    def results(self, part: ViewedSplit, title: str) -> Iterator[Result]:
        """For every instance its exact answers, or what was retrieved for it; else `log_probabilities`."""
        return self._of_each(
            part, title, lambda examples: results(self.model, self.learner, examples, self.hardware)
        )

    def answers(self, instances: Sequence[Any], title: str) -> list[list[float]]:
        """`log_probabilities` of instances that belong to no dataset, such as a user's question."""
        return list(self.log_probabilities(of_no_dataset(instances), title))

    def _of_each(self, part: ViewedSplit, title: str, compute: Callable[[list[Any]], list[T]]) -> Iterator[T]:
        """What `compute` gives of each instance, in order. compute: of some examples of similar size."""
        with self.hardware.computing():
            encoded = self.learner.encode(part)  # before the bar: encoding has a bar of its own
        with Progress(title, part.rows, "instances") as bar:
            while True:
                with self.hardware.computing():
                    examples = list(_window_of(encoded))
                    sizes = np.array([example.size for example in examples], np.int32)
                    every = np.arange(len(examples))
                    found = of_each(
                        compute,
                        every,
                        sizes,
                        lambda rows, own=examples: [own[row] for row in rows],
                        self.tokens,
                        bar,
                        "predicting",
                        PREDICT,
                    )
                if not examples:
                    return
                yield from (found[index] for index in range(len(examples)))


class Answering(Scorer):
    """A loaded trained reader. computing: as of `Scorer`; tokens and precision (None: as in training)."""

    def __init__(self, run: Run, *computing: Any, **named: Any) -> None:
        super().__init__(run.config, partial(restored, run), *computing, **named)


def _window_of(encoded: Iterator[Any]) -> Iterator[Any]:
    """The next examples: at most WINDOW, and few of large ones."""
    tokens = 0
    for example in islice(encoded, WINDOW):
        yield example
        tokens += example.size
        if tokens >= WINDOW_TOKENS:
            return


def of_no_dataset(instances: Sequence[Any], kept: Path | None = None) -> ViewedSplit:
    """Their digest keeps the vectors of a frozen encoder apart from those of other questions."""
    digest = hashlib.sha256(msgspec.json.encode(instances)).hexdigest()
    return ViewedSplit("question", digest, len(instances), lambda: iter(instances), kept)


def kept_predictions(
    folder: Path, dataset: store.Dataset, split: str, *, kept: Path | None = None, **options: Any
) -> Path:
    """The file of a finished run's predictions for a split, in the run folder, made if it is missing.

    options: those of `predict`.
    """
    run = load_run(folder)
    path = folder / PREDICTIONS / f"{split}-{digest(dataset, split, run.config.view, None)[:16]}.jsonl"
    if not path.is_file():
        for written in filter(None, (folder, kept)):
            refuse_links(written)
        predictions.write(path, predict(run, dataset, split=split, kept=kept, **options))
    return path


def restored(run: Run) -> tuple[Learner, nn.Module]:
    """The reader of a run folder and its model with the trained weights, on the CPU."""
    unchanged(run)
    draw_anew(run.config.seed)
    learner: Learner = readers.find(run.reader).restore(run.config, run.folder)
    model = learner.model()
    load_weights(model, read_tensors(run.weights), run.weights)
    return learner, model
