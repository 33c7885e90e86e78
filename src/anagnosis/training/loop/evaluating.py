"""Evaluation of a reader during training: its answers, computed without gradients, and their loss and accuracy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.array_types import Ints, Longs
from anagnosis.progress import Progress
from anagnosis.readers.learning import Learner, Output
from anagnosis.readers.predict import Result
from anagnosis.training.loop.dev_measure import DevMeasure
from anagnosis.training.loop.devices import TRAIN, Hardware, within_memory
from anagnosis.training.loop.examples import Examples
from anagnosis.training.loop.steps import micro_batches

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LoadedReader:
    """A reader with its weights, and what computes it. tokens: in memory at once; option: how a user lowers that.

    Each method computes its examples as one batch; the model must be in evaluation mode.
    """

    learner: Learner
    model: nn.Module
    hardware: Hardware
    tokens: int
    option: str = TRAIN

    def output(self, examples: list[Any]) -> tuple[Output, Tensor]:
        """The model's output, and the targets [batch]."""
        with torch.inference_mode(), self.hardware.autocast():
            batch = self.learner.collate(examples).to(self.hardware.device)
            return cast(Output, self.model(batch)), batch.target

    def log_probabilities(self, examples: list[Any]) -> list[list[float]]:
        """Of the candidates of each example in order, then perhaps padding."""
        return self.output(examples)[0].log_probabilities.float().tolist()

    def results(self, examples: list[Any]) -> list[Result]:
        """Of each example exact answers, or what was retrieved for it, or its log-probabilities."""
        if self.learner.exact:
            with torch.inference_mode(), self.hardware.autocast():
                return [*map(tuple, self.learner.answers(self.model, examples))]
        output, _ = self.output(examples)
        rows: list[Result] = output.log_probabilities.float().tolist()
        retrieved = self.learner.retrieved(output, examples)
        return [row if items is None else items for row, items in zip(rows, retrieved, strict=True)]

    def losses(self, examples: list[Any]) -> list[tuple[float, bool]]:
        """The loss of each example, and whether its best candidate is right."""
        output, target = self.output(examples)
        return [*zip(total(output.losses).tolist(), output.hits(target).tolist(), strict=True)]

    def each(
        self,
        compute: Callable[[list[Any]], list[T]],
        rows: Longs,
        sizes: Ints,
        take: Callable[[Longs], Iterable[Any]],
        bar: Progress,
    ) -> list[T]:
        """What `compute` gives of each row's example, in order. sizes: of all rows. take: the examples of some."""
        found: dict[int, T] = {}
        for batch in micro_batches(rows, sizes, self.tokens):
            with within_memory(sizes[batch].tolist(), self.tokens, self.option):
                found |= zip(batch.tolist(), compute(list(take(batch))), strict=True)
            bar.advance(len(batch))
        return [found[row] for row in rows.tolist()]


def judge(
    reader: LoadedReader, examples: Examples, measure: DevMeasure | None
) -> tuple[float | None, float | None, float | None]:
    """The mean loss and accuracy of the instances with an answer; or the measure's value on all, behind two None."""
    reader.model.eval()
    rows = examples.answered if measure is None else np.arange(len(examples))
    with Progress("dev", len(rows), "instances") as bar:
        if measure is not None:
            found = reader.each(reader.results, rows, examples.sizes, examples.take, bar)
            return None, None, measure.value(found)
        losses = reader.each(reader.losses, rows, examples.sizes, examples.take, bar)
    loss, accuracy = (math.fsum(own) / len(losses) for own in zip(*losses, strict=True))
    return loss, None if reader.learner.exact else accuracy, None


def total(losses: dict[str, Tensor]) -> Tensor:
    """The sum of an output's losses: float32 [batch]."""
    return cast(Tensor, sum(loss.float() for loss in losses.values()))
