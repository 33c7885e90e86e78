"""Stopping rules as a table: what was measured on dev, which is best, and whether patience has run out."""

from __future__ import annotations

import pytest
from msgspec import structs

from anagnosis.training.loop import history
from anagnosis.training.loop.history import Evaluation


def evaluations(*pairs: tuple[float, float]) -> list[Evaluation]:
    """(accuracy, loss) on dev of each."""
    return [
        Evaluation("all", place + 1, 10 * place, 1.0, 0.5, loss, accuracy, 0.001, 1.0, 0.1)
        for place, (accuracy, loss) in enumerate(pairs)
    ]


RISING = ((0.5, 0.9), (0.6, 0.8), (0.7, 0.7))
PLATEAU = ((0.5, 0.9), (0.7, 0.8), (0.7, 0.7), (0.7, 0.9))
BELOW_ZERO = (-0.5, -0.25, None, -0.75)
FALLING = ((0.7, 0.9), (0.6, 1.0), (0.5, 1.1))


@pytest.mark.parametrize(
    ("stop", "patience", "seen", "best", "over"),
    [
        ("accuracy", 3, (), None, False),
        ("accuracy", 1, RISING, 2, False),
        ("accuracy", 2, PLATEAU, 1, True),
        ("accuracy", 3, PLATEAU, 1, False),
        ("accuracy", 2, FALLING, 0, True),
        ("accuracy", 3, FALLING, 0, False),
        ("loss", 1, PLATEAU, 2, True),
        ("loss", 2, PLATEAU, 2, False),
        ("loss", 1, FALLING, 0, True),
        ("epochs", 1, FALLING, None, False),
    ],
)
def test_rules(
    stop: str, patience: int, seen: tuple[tuple[float, float], ...], best: int | None, over: bool
) -> None:
    found = evaluations(*seen)
    assert history.best(stop, found) == best
    assert history.run_out(stop, patience, found) == over


@pytest.mark.parametrize(
    ("stop", "patience", "best", "over"),
    [("signs", 2, 1, True), ("signs", 3, 1, False), ("epochs", 1, None, False)],
)
def test_any_measure_decides_below_zero_too(stop: str, patience: int, best: int | None, over: bool) -> None:
    found = [
        structs.replace(one, measure=stop, dev_value=value)
        for one, value in zip(evaluations(*PLATEAU), BELOW_ZERO, strict=True)
    ]
    assert history.best(stop, found) == best
    assert history.run_out(stop, patience, found) == over
