"""When training ends, and which weights it keeps. Both follow from the evaluations so far, so there is no state."""

from __future__ import annotations

import math
from collections.abc import Sequence

from anagnosis.evaluation.measures.measure import named
from anagnosis.readers.learning import ACCURACY, EPOCHS, LOSS
from anagnosis.training.loop.history import Evaluation


def best(stop: str, evaluations: Sequence[Evaluation]) -> int | None:
    """The index of the best evaluation, the first of equals; None if the last weights are kept (EPOCHS).

    stop: ACCURACY (the highest on the development part), LOSS (the lowest), EPOCHS, or the name of a measure.
    """
    if stop == EPOCHS or not evaluations:
        return None
    worth = [_worth(stop, evaluation) for evaluation in evaluations]
    return worth.index(max(worth))


def run_out(stop: str, patience: int, evaluations: Sequence[Evaluation]) -> bool:
    """Whether none of the last `patience` evaluations of a phase was better than the best before them."""
    place = best(stop, evaluations)
    return place is not None and len(evaluations) - 1 - place >= patience


def _worth(stop: str, evaluation: Evaluation) -> float:
    """A number of the evaluation by which higher is better."""
    if stop == ACCURACY:
        return worth(stop, evaluation.dev_accuracy)
    if stop == LOSS:
        return -(evaluation.dev_loss or 0.0)
    return worth(stop, evaluation.dev_value)


def worth(measure: str, value: float | None) -> float:
    """The value of a measure with the sign by which higher is better; None is worse than any value."""
    if value is None:
        return -math.inf
    return value if measure == ACCURACY or named(measure).higher_is_better else -value
