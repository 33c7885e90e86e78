from __future__ import annotations

import math

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

import torch

from anagnosis.readers.probabilities import FLOOR, masked_log_softmax


def test_the_softmax_is_over_what_the_mask_lets_through() -> None:
    scores = torch.tensor([[1.0, 9.0, 1.0], [1.0, 2.0, -math.inf]], requires_grad=True)
    mask = torch.tensor([[True, False, True], [True, True, False]])
    found = masked_log_softmax(scores, mask)
    torch.testing.assert_close(found[0, [0, 2]].exp(), torch.tensor([0.5, 0.5]))
    torch.testing.assert_close(found[1, :2].exp(), torch.tensor([1.0, 2.0]).softmax(0))
    assert (found[~mask] < FLOOR).all()
    found[mask].sum().backward()
    assert scores.grad.isfinite().all()
    assert (scores.grad[~mask] == 0).all()


def test_nothing_to_choose_from_gives_numbers_still() -> None:
    scores = torch.full((1, 3), -math.inf, requires_grad=True)
    masked_log_softmax(scores, torch.zeros(1, 3, dtype=torch.bool)).sum().backward()
    assert scores.grad.isfinite().all()


def test_the_floor_is_that_of_a_probability_that_is_none() -> None:
    assert math.exp(FLOOR) == pytest.approx(1e-30)
