"""Evaluation of a reader during training: its answers, computed without gradients, and their loss and accuracy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeVar, cast

import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.array_types import Longs
from anagnosis.readers.learning import AnswerLearner, Learner, Output, RetrievingLearner
from anagnosis.readers.predict import Result
from anagnosis.training.loop.dev_measure import DevMeasure
from anagnosis.training.loop.devices import Hardware
from anagnosis.training.loop.endings import at_once
from anagnosis.training.loop.examples import Examples
from anagnosis.training.loop.order import by_length, micro_batches

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DevScores:
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
    done: Callable[[int], None] = lambda count: None,
    measure: DevMeasure | None = None,
) -> DevScores:
    """Loss and accuracy of the model on the instances with an answer, and the measure's value on all instances.

    done: called after each micro-batch with its number of instances. A measure of exact answers takes a second pass.
    """
    began = time.monotonic()

    def losses(batch: list[Any]) -> list[tuple[float, bool, Result | None]]:
        output, target = answered(model, learner, batch, hardware)
        given: Sequence[Result | None] = [None] * len(batch)
        if measure is not None and not isinstance(learner, AnswerLearner):
            if measure.measure.retrieved and isinstance(learner, RetrievingLearner):
                given = learner.retrieved(output, batch)
            else:
                given = results_of(output, None, batch)
        return [*zip(total(output.losses).tolist(), output.hits(target).tolist(), given, strict=True)]

    every = np.arange(len(examples))
    answered_only = measure is None or isinstance(learner, AnswerLearner)
    rows = examples.answered if answered_only else every
    model.eval()
    judged = dict(zip(rows.tolist(), _of_each(losses, rows, examples, tokens, done), strict=True))
    value = None
    if measure is not None and isinstance(learner, AnswerLearner):
        answers = _of_each(
            lambda batch: exact_answers(model, learner, batch, hardware), every, examples, tokens, done
        )
        value = measure.value(answers)
    elif measure is not None:
        value = measure.value([given for *_, given in judged.values()])
    counted = [judged[row] for row in examples.answered.tolist()]
    return DevScores(
        math.fsum(loss for loss, *_ in counted) / len(counted),
        sum(right for _, right, _ in counted) / len(counted),
        time.monotonic() - began,
        value,
    )


def judged_instances(examples: Examples, learner: Learner, measure: DevMeasure | None) -> int:
    """How many instances `judge` reports as done, those of both passes."""
    if measure is None:
        return len(examples.answered)
    return len(examples) + (len(examples.answered) if isinstance(learner, AnswerLearner) else 0)


def _of_each(
    compute: Callable[[list[Any]], list[T]],
    rows: Longs,
    examples: Examples,
    tokens: int,
    done: Callable[[int], None],
) -> list[T]:
    """What `compute` gives for each row, in their order: their lengths change no digit of a sum."""
    results: list[tuple[int, T]] = []
    ordered = by_length(rows, examples.sizes)
    for micro_batch in micro_batches(ordered, examples.sizes, tokens):
        with at_once("judging the dev part", examples.sizes[micro_batch].tolist(), tokens):
            batch = compute(examples.take(micro_batch))
        results.extend(zip(micro_batch.tolist(), batch, strict=True))
        done(len(micro_batch))
    return [result for _, result in sorted(results, key=itemgetter(0))]


def results(model: nn.Module, learner: Learner, examples: list[Any], hardware: Hardware) -> list[Result]:
    """What a reader gives for some examples, computed as one batch. The model must be in evaluation mode."""
    if isinstance(learner, AnswerLearner):
        return exact_answers(model, learner, examples, hardware)
    return results_of(answered(model, learner, examples, hardware)[0], learner, examples)


def exact_answers(
    model: nn.Module, learner: AnswerLearner, examples: list[Any], hardware: Hardware
) -> list[Result]:
    """The exact answers to the questions of some examples."""
    with torch.inference_mode(), hardware.autocast():
        return [*map(tuple, learner.answers(model, examples))]


def results_of(output: Output, learner: Learner | None, examples: list[Any]) -> list[Result]:
    """Of each example what a retrieving learner retrieves, or else the log-probabilities of its candidates."""
    rows: list[Result] = output.log_probabilities.float().tolist()
    if not isinstance(learner, RetrievingLearner):
        return rows
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
