"""Evaluation of a reader during training: its answers, computed without gradients, and their loss and accuracy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.readers.learning import Learner, Output
from anagnosis.training.loop.dev_measure import DevMeasure
from anagnosis.training.loop.devices import Team
from anagnosis.training.loop.examples import Examples
from anagnosis.training.loop.memory import at_once
from anagnosis.training.loop.order import by_length, micro_batches


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
    team: Team,
    tokens: int,
    done: Callable[[int], None] = lambda count: None,
    measure: DevMeasure | None = None,
) -> DevScores:
    """Loss and accuracy of the model on the instances with an answer, and the measure's value on all instances.

    done: called after each micro-batch with its number of instances.
    """
    began = time.monotonic()
    results: list[tuple[int, float, bool, list[float]]] = []
    rows = examples.answered if measure is None else np.arange(len(examples))
    all_batches = list(micro_batches(by_length(rows, examples.sizes), examples.sizes, tokens))
    model.eval()
    for micro_batch in all_batches[team.rank :: team.size]:
        with at_once("judging the dev part", examples.sizes[micro_batch].tolist(), tokens):
            output, target = answered(model, learner, examples.take(micro_batch), team)
        losses = total(output.losses)
        right = output.hits(target)
        scores = [[]] * len(micro_batch) if measure is None else output.log_probabilities.float().tolist()
        results.extend(zip(micro_batch.tolist(), losses.tolist(), right.tolist(), scores, strict=True))
        done(len(micro_batch))
    # Sorted by instance, so that neither lengths nor the number of processes changes a digit of the sum.
    results = sorted(team.gathered(results))
    value = None if measure is None else measure.value([scores for *_, scores in results])
    counted = [(loss, right) for row, loss, right, _ in results if examples.targets[row] >= 0]
    return DevScores(
        math.fsum(loss for loss, _ in counted) / len(counted),
        sum(right for _, right in counted) / len(counted),
        time.monotonic() - began,
        value,
    )


def answered(model: nn.Module, learner: Learner, examples: list[Any], team: Team) -> tuple[Output, Tensor]:
    """The model's output for some examples, computed as one batch, and their targets [batch]."""
    with torch.inference_mode(), team.autocast():
        batch = learner.collate(examples).to(team.device)
        return cast(Output, model(batch)), batch.target


def total(losses: dict[str, Tensor]) -> Tensor:
    """The sum of an output's losses: float32 [batch]."""
    return cast(Tensor, sum(loss.float() for loss in losses.values()))
