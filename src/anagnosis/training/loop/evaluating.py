"""Evaluation of a reader during training: its answers, computed without gradients, and their loss and accuracy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar, cast

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


class DevScores(NamedTuple):
    """loss, accuracy: means over the instances with an answer, None beside a measure. value: the measure's."""

    loss: float | None
    accuracy: float | None
    seconds: float
    value: float | None = None


def judge(
    model: nn.Module,
    learner: Learner,
    examples: Examples,
    hardware: Hardware,
    tokens: int,
    measure: DevMeasure | None = None,
) -> DevScores:
    """The measure's value on all instances; without one loss and accuracy on those with an answer."""
    began = time.monotonic()
    model.eval()
    rows = examples.answered if measure is None else np.arange(len(examples))

    def each(compute: Callable[[list[Any]], list[T]]) -> list[T]:
        with Progress("dev", len(rows), "instances") as bar:
            found = of_each(compute, rows, examples.sizes, examples.take, tokens, bar)
        return [found[row] for row in rows.tolist()]

    if measure is not None:

        def given(batch: list[Any]) -> list[Any]:
            if not measure.measure.retrieved:
                return results(model, learner, batch, hardware)
            return learner.retrieved(answered(model, learner, batch, hardware)[0], batch)

        value = measure.value(each(given))
        return DevScores(None, None, time.monotonic() - began, value)

    def losses(batch: list[Any]) -> list[tuple[float, bool]]:
        output, target = answered(model, learner, batch, hardware)
        return [*zip(total(output.losses).tolist(), output.hits(target).tolist(), strict=True)]

    judged = each(losses)
    loss, accuracy = (math.fsum(own) / len(judged) for own in zip(*judged, strict=True))
    return DevScores(loss, accuracy, time.monotonic() - began)


def of_each(
    compute: Callable[[list[Any]], list[T]],
    rows: Longs,
    sizes: Ints,
    take: Callable[[Longs], Iterable[Any]],
    tokens: int,
    bar: Progress,
    doing: str = "judging the dev part",
    option: str = TRAIN,
) -> dict[int, T]:
    """row → what `compute` gives for its example. sizes: of all rows. take: the examples of some rows.

    doing, option: for the error where memory runs out.
    """
    found: dict[int, T] = {}
    for micro_batch in micro_batches(rows, sizes, tokens):
        with within_memory(doing, sizes[micro_batch].tolist(), tokens, option):
            batch = compute(list(take(micro_batch)))
        found |= zip(micro_batch.tolist(), batch, strict=True)
        bar.advance(len(micro_batch))
    return found


def results(model: nn.Module, learner: Learner, examples: list[Any], hardware: Hardware) -> list[Result]:
    """What a reader gives for some examples, computed as one batch: exact answers, what it retrieves, or scores.

    The model must be in evaluation mode.
    """
    if learner.exact:
        with torch.inference_mode(), hardware.autocast():
            return [*map(tuple, learner.answers(model, examples))]
    output = answered(model, learner, examples, hardware)[0]
    rows: list[Result] = output.log_probabilities.float().tolist()
    retrieved = learner.retrieved(output, examples)
    return [row if items is None else items for row, items in zip(rows, retrieved, strict=True)]


def answered(
    model: nn.Module, learner: Learner, examples: list[Any], hardware: Hardware
) -> tuple[Output, Tensor]:
    """The model's output for some examples, computed as one batch, and their targets [batch]."""
    with torch.inference_mode(), hardware.autocast():
        batch = learner.collate(examples).to(hardware.device)
        return cast(Output, model(batch)), batch.target


def total(losses: dict[str, Tensor]) -> Tensor:
    """The sum of an output's losses: float32 [batch]."""
    return cast(Tensor, sum(loss.float() for loss in losses.values()))
