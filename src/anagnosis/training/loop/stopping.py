"""When training ends, and which of its weights are kept: a function of the evaluations so far, so nothing to store."""

from __future__ import annotations

import math
from collections.abc import Sequence

from anagnosis.evaluation.measures.measure import named
from anagnosis.readers.learning import ACCURACY, EPOCHS, LOSS
from anagnosis.training.loop.history import Evaluation


def best(stop: str, evaluations: Sequence[Evaluation]) -> int | None:
    """The place of the best evaluation, the first of equals; None where the last weights are kept (EPOCHS).

    stop: ACCURACY (the highest on the development part), LOSS (the lowest), EPOCHS, or the name of a measure.
    """
    if stop == EPOCHS or not evaluations:
        return None
    worth = [_worth(stop, evaluation) for evaluation in evaluations]
    return worth.index(max(worth))


def run_out(stop: str, patience: int, evaluations: Sequence[Evaluation]) -> bool:
    """Whether the last `patience` evaluations of a phase were no better than the best one before."""
    place = best(stop, evaluations)
    return place is not None and len(evaluations) - 1 - place >= patience


def _worth(stop: str, evaluation: Evaluation) -> float:
    """The higher, the better."""
    if stop == ACCURACY:
        return worth(stop, evaluation.dev_accuracy)
    if stop == LOSS:
        return -(evaluation.dev_loss or 0.0)
    return worth(stop, evaluation.dev_value)


def worth(measure: str, value: float | None) -> float:
    """The higher, the better, of the value of a measure; None is worse than any."""
    if value is None:
        return -math.inf
    return value if measure == ACCURACY or named(measure).higher_is_better else -value
