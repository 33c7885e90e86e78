"""Learning rates step by step, and which weights decay."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from anagnosis.readers.learning import ClozeSettings
from anagnosis.training.loop.learning_rate import optimizer, schedule


@pytest.mark.parametrize(
    ("settings", "rates"),
    [
        (ClozeSettings(rate=8), [8] * 10),
        (ClozeSettings(rate=8, warmup=0.4), [2, 4, 6, 8, 8, 8, 8, 8, 8, 8]),
        (ClozeSettings(rate=10, schedule="linear"), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
        (ClozeSettings(rate=8, schedule="linear", warmup=0.2), [4, 8, 8, 7, 6, 5, 4, 3, 2, 1]),
        (ClozeSettings(rate=8, schedule="halving"), [8, 8, 8, 8, 8, 8, 4, 4, 2, 2]),
    ],
)
def test_the_rate_of_each_step(settings: ClozeSettings, rates: list[float]) -> None:
    """Five epochs of two steps."""
    made = schedule(settings, settings.rate, 2, 5)
    assert [made.at(step) for step in range(10)] == pytest.approx(rates)


def test_adam_starts_anew_where_the_rate_is_halved() -> None:
    """Gated-Attention: from the third epoch on, after each epoch."""
    made = schedule(ClozeSettings(schedule="halving"), 1.0, 2, 5)
    assert [made.starts_anew(epoch) for epoch in range(5)] == [False, False, False, True, True]
    assert not any(schedule(ClozeSettings(), 1.0, 2, 5).starts_anew(epoch) for epoch in range(5))


@pytest.mark.parametrize("name", ["adam", "adamw", "sgd"])
def test_matrices_decay_and_vectors_do_not(name: str) -> None:
    matrix, vector = nn.Parameter(torch.ones(2, 2)), nn.Parameter(torch.ones(2))
    made = optimizer(ClozeSettings(optimizer=name, decay=0.5, rate=0.1), [matrix, vector])
    matrix.grad, vector.grad = torch.zeros(2, 2), torch.zeros(2)
    made.step()
    assert float(matrix.detach().max()) < 1
    assert vector.tolist() == [1, 1]
