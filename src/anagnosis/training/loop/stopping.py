"""When training ends, and which of its weights are kept: a function of the evaluations so far, so nothing to store."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.training.loop.history import Evaluation


def best(stop: str, evaluations: Sequence[Evaluation]) -> int | None:
    """The place of the best evaluation, the first of equals; None where the last weights are kept ("epochs").

    stop: "accuracy" (the highest on the development part), "loss" (the lowest), "epochs".
    """
    worth = [_worth(stop, evaluation) for evaluation in evaluations]
    if stop == "epochs" or not worth:
        return None
    return worth.index(max(worth))


def run_out(stop: str, patience: int, evaluations: Sequence[Evaluation]) -> bool:
    """Whether the last `patience` evaluations of a phase were no better than the best one before."""
    place = best(stop, evaluations)
    return place is not None and len(evaluations) - 1 - place >= patience


def _worth(stop: str, evaluation: Evaluation) -> float:
    """The higher, the better."""
    if stop == "loss" and evaluation.dev_loss is not None:
        return -evaluation.dev_loss
    if stop == "accuracy" and evaluation.dev_accuracy is not None:
        return evaluation.dev_accuracy
    return 0.0
