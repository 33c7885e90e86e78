"""`history.jsonl`: the evaluations of a training in order, one a line; and what follows from them.

When a training ends, and which weights it keeps, follow from the evaluations so far, so there is no state.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import msgspec

from anagnosis.io.files import write_bytes
from anagnosis.io.folders import HISTORY as FILE
from anagnosis.readers.learning import ACCURACY, EPOCHS, LOSS


class Evaluation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One evaluation of a training.

    phase: its name. epoch: from 1, in the phase. step: of the whole training. loss, accuracy: means over the training
    instances since the previous evaluation, with dropout; no accuracy of exact answers. dev_loss, dev_accuracy: on the
    development part, None without one or beside a measure. rate: of the last step. seconds: spent in training steps
    since the beginning. dev_seconds: spent in this evaluation. measure, dev_value: the measure that selects the weights
    and its value on the development part, None where it has none; left out where accuracy or loss selects.
    """

    phase: str
    epoch: int
    step: int
    loss: float
    accuracy: float | None
    dev_loss: float | None
    dev_accuracy: float | None
    rate: float
    seconds: float
    dev_seconds: float
    measure: str | None = None
    dev_value: float | None = None


def write(folder: Path, evaluations: Sequence[Evaluation]) -> None:
    """Write the whole history, atomically."""
    write_bytes(folder / FILE, b"".join(msgspec.json.encode(one) + b"\n" for one in evaluations))


def best(stop: str, evaluations: Sequence[Evaluation]) -> int | None:
    """The index of the best evaluation, the first of equals; None if the last weights are kept (EPOCHS).

    stop: ACCURACY (the highest on the development part), LOSS (the lowest), EPOCHS, or the name of a measure.
    """
    if stop == EPOCHS or not evaluations:
        return None
    if stop == LOSS:
        values = [-(one.dev_loss or 0.0) for one in evaluations]
    else:
        found = [one.dev_accuracy if stop == ACCURACY else one.dev_value for one in evaluations]
        values = [-math.inf if value is None else value for value in found]
    return values.index(max(values))


def run_out(stop: str, patience: int, evaluations: Sequence[Evaluation]) -> bool:
    """Whether none of the last `patience` evaluations of a phase was better than the best before them."""
    place = best(stop, evaluations)
    return place is not None and len(evaluations) - 1 - place >= patience


def epochs(evaluations: Sequence[Evaluation]) -> int:
    """The number of epochs begun, over all phases."""
    return sum({evaluation.phase: evaluation.epoch for evaluation in evaluations}.values())
