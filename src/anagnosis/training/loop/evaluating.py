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
    """loss, accuracy: means over the instances with an answer. value: of the measure, None without a measure."""

    loss: float
    accuracy: float
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
    """Loss and accuracy of the model on the instances with an answer, and the measure's value on all instances.

    A measure of exact answers takes a second pass.
    """
    began = time.monotonic()

    def losses(batch: list[Any]) -> list[tuple[float, bool, Result | None]]:
        output, target = answered(model, learner, batch, hardware)
        given: list[Any] = output.log_probabilities.float().tolist()
        if measure is not None and measure.measure.retrieved:
            given = learner.retrieved(output, batch)
        return [*zip(total(output.losses).tolist(), output.hits(target).tolist(), given, strict=True)]

    with_answer, every = examples.answered, np.arange(len(examples))
    two = measure is not None and learner.exact
    first = with_answer if measure is None or two else every
    model.eval()
    value = None
    with Progress("dev", len(first) + two * len(every), "instances") as bar:
        judged = of_each(losses, first, examples.sizes, examples.take, tokens, bar)
        if measure is not None:
            given: dict[int, Any] = {row: result for row, (_, _, result) in judged.items()}
            if two:
                own = lambda batch: results(model, learner, batch, hardware)  # noqa: E731
                given = of_each(own, every, examples.sizes, examples.take, tokens, bar)
            value = measure.value([given[row] for row in every.tolist()])
    counted = [judged[row] for row in with_answer.tolist()]
    return DevScores(
        math.fsum(loss for loss, *_ in counted) / len(counted),
        sum(right for _, right, _ in counted) / len(counted),
        time.monotonic() - began,
        value,
    )


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
