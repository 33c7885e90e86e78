"""What a reader answers, without gradients, and how much of it is right."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn

from anagnosis.readers.learning import Learner, Output
from anagnosis.training.loop.devices import Team
from anagnosis.training.loop.examples import Examples
from anagnosis.training.loop.memory import at_once
from anagnosis.training.loop.order import by_length, pieces


@dataclass(frozen=True, slots=True)
class Judged:
    """loss, accuracy: means over the instances that have an answer."""

    loss: float
    accuracy: float
    seconds: float


def judge(
    model: nn.Module,
    learner: Learner,
    examples: Examples,
    team: Team,
    tokens: int,
    done: Callable[[int], None] = lambda count: None,
) -> Judged:
    """Judge the model on every instance that has an answer. done: told how many instances were answered."""
    began = time.monotonic()
    found: list[tuple[int, float, bool]] = []
    all_pieces = list(pieces(by_length(examples.answered, examples.sizes), examples.sizes, tokens))
    model.eval()
    for piece in all_pieces[team.rank :: team.size]:
        with at_once("judging the dev part", examples.sizes[piece].tolist(), tokens):
            output, target = answered(model, learner, examples.take(piece), team)
        losses = total(output.losses)
        right = output.hits(target)
        found.extend(zip(piece.tolist(), losses.tolist(), right.tolist(), strict=True))
        done(len(piece))
    # In the instances' order, so that neither lengths nor the number of processes changes a digit of the sum.
    found = sorted(team.gathered(found))
    n = len(found)
    return Judged(
        math.fsum(loss for _, loss, _ in found) / n,
        sum(right for *_, right in found) / n,
        time.monotonic() - began,
    )


def answered(model: nn.Module, learner: Learner, examples: list[Any], team: Team) -> tuple[Output, Tensor]:
    """What the model says of some examples, as one batch, and their targets [batch]."""
    with torch.inference_mode(), team.autocast():
        batch = learner.collate(examples).to(team.device)
        return cast(Output, model(batch)), batch.target


def total(losses: dict[str, Tensor]) -> Tensor:
    """The sum of an output's losses: float32 [batch]."""
    return cast(Tensor, sum(loss.float() for loss in losses.values()))
