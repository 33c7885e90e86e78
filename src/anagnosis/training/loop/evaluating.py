"""What a reader answers, without gradients, and how much of it is right."""

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
from anagnosis.training.loop.order import by_length, pieces


@dataclass(frozen=True, slots=True)
class Judged:
    """loss, accuracy: means over the instances that have an answer. value: of the measure, None without one."""

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
) -> Judged:
    """Judge the model on every instance that has an answer, and by a measure on all.

    done: called with the number of instances after each piece.
    """
    began = time.monotonic()
    found: list[tuple[int, float, bool, list[float]]] = []
    rows = examples.answered if measure is None else np.arange(len(examples))
    all_pieces = list(pieces(by_length(rows, examples.sizes), examples.sizes, tokens))
    model.eval()
    for piece in all_pieces[team.rank :: team.size]:
        with at_once("judging the dev part", examples.sizes[piece].tolist(), tokens):
            output, target = answered(model, learner, examples.take(piece), team)
        losses = total(output.losses)
        right = output.hits(target)
        scores = [[]] * len(piece) if measure is None else output.log_probabilities.float().tolist()
        found.extend(zip(piece.tolist(), losses.tolist(), right.tolist(), scores, strict=True))
        done(len(piece))
    # In the instances' order, so that neither lengths nor the number of processes changes a digit of the sum.
    found = sorted(team.gathered(found))
    value = None if measure is None else measure.value([scores for *_, scores in found])
    counted = [(loss, right) for row, loss, right, _ in found if examples.targets[row] >= 0]
    return Judged(
        math.fsum(loss for loss, _ in counted) / len(counted),
        sum(right for _, right in counted) / len(counted),
        time.monotonic() - began,
        value,
    )


def answered(model: nn.Module, learner: Learner, examples: list[Any], team: Team) -> tuple[Output, Tensor]:
    """What the model says of some examples, as one batch, and their targets [batch]."""
    with torch.inference_mode(), team.autocast():
        batch = learner.collate(examples).to(team.device)
        return cast(Output, model(batch)), batch.target


def total(losses: dict[str, Tensor]) -> Tensor:
    """The sum of an output's losses: float32 [batch]."""
    return cast(Tensor, sum(loss.float() for loss in losses.values()))
