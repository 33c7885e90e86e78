"""Evaluation of a reader during training: its answers, computed without gradients, and their loss and accuracy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.predictions import Answer
from anagnosis.readers.learning import AnswerLearner, Learner, Output, RetrievingLearner
from anagnosis.training.loop.dev_measure import DevMeasure
from anagnosis.training.loop.devices import Team
from anagnosis.training.loop.examples import Examples
from anagnosis.training.loop.memory import at_once
from anagnosis.training.loop.order import by_length, micro_batches

_JUDGING = "judging the dev part"


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

    done: called after each micro-batch with its number of instances. A measure of exact answers takes a second pass.
    """
    began = time.monotonic()
    results: list[tuple[int, float, bool, Any]] = []
    of_scores = measure is not None and not measure.exact_answers
    rows = np.arange(len(examples)) if of_scores else examples.answered
    all_batches = list(micro_batches(by_length(rows, examples.sizes), examples.sizes, tokens))
    model.eval()
    for micro_batch in all_batches[team.rank :: team.size]:
        with at_once(_JUDGING, examples.sizes[micro_batch].tolist(), tokens):
            taken = examples.take(micro_batch)
            output, target = answered(model, learner, taken, team)
        losses = total(output.losses)
        right = output.hits(target)
        given: Sequence[Any] = [[]] * len(micro_batch)
        if measure is not None and measure.measure.retrieved:
            given = cast(RetrievingLearner, learner).retrieved(output, taken)
        elif of_scores:
            given = output.log_probabilities.float().tolist()
        results.extend(zip(micro_batch.tolist(), losses.tolist(), right.tolist(), given, strict=True))
        done(len(micro_batch))
    # Sorted by instance, so that neither lengths nor the number of processes changes a digit of the sum.
    results = sorted(team.gathered(results), key=itemgetter(0))
    value = None
    if measure is not None and measure.exact_answers:
        answers = _all_answers(model, cast(AnswerLearner, learner), examples, team, tokens, done)
        value = measure.value(answers)
    elif measure is not None:
        value = measure.value([given for *_, given in results])
    counted = [(loss, right) for row, loss, right, _ in results if examples.targets[row] >= 0]
    return DevScores(
        math.fsum(loss for loss, _ in counted) / len(counted),
        sum(right for _, right in counted) / len(counted),
        time.monotonic() - began,
        value,
    )


def judged_instances(examples: Examples, measure: DevMeasure | None) -> int:
    """How many instances `judge` reports as done, those of both passes."""
    if measure is None:
        return len(examples.answered)
    return len(examples) + (len(examples.answered) if measure.exact_answers else 0)


def _all_answers(
    model: nn.Module,
    learner: AnswerLearner,
    examples: Examples,
    team: Team,
    tokens: int,
    done: Callable[[int], None],
) -> list[list[Answer]]:
    """The exact answers to the questions of all instances, in their order."""
    results: list[tuple[int, list[Answer]]] = []
    ordered = by_length(np.arange(len(examples)), examples.sizes)
    for micro_batch in list(micro_batches(ordered, examples.sizes, tokens))[team.rank :: team.size]:
        with at_once(_JUDGING, examples.sizes[micro_batch].tolist(), tokens):
            answers = exact_answers(model, learner, examples.take(micro_batch), team)
        results.extend(zip(micro_batch.tolist(), answers, strict=True))
        done(len(micro_batch))
    return [answers for _, answers in sorted(team.gathered(results), key=itemgetter(0))]


def exact_answers(
    model: nn.Module, learner: AnswerLearner, examples: list[Any], team: Team
) -> list[list[Answer]]:
    """The exact answers to some questions, computed as one batch. The model must be in evaluation mode."""
    with torch.inference_mode(), team.autocast():
        return learner.answers(model, examples)


def answered(model: nn.Module, learner: Learner, examples: list[Any], team: Team) -> tuple[Output, Tensor]:
    """The model's output for some examples, computed as one batch, and their targets [batch]."""
    with torch.inference_mode(), team.autocast():
        batch = learner.collate(examples).to(team.device)
        return cast(Output, model(batch)), batch.target


def total(losses: dict[str, Tensor]) -> Tensor:
    """The sum of an output's losses: float32 [batch]."""
    return cast(Tensor, sum(loss.float() for loss in losses.values()))
