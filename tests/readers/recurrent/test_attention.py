from __future__ import annotations

import math

import torch

from anagnosis.readers.recurrent.attention import (
    FLOOR,
    floored,
    log_floored,
    log_over_mentions,
    masked_log_softmax,
    masked_softmax,
    over_mentions,
    target_loss,
)

MEMBERS = torch.tensor([[[True, False, True], [False, True, False], [False, False, False]]])


def test_what_is_masked_gets_nothing_and_a_row_of_nothing_is_zero() -> None:
    scores = torch.tensor([[1.0, 50.0, 1.0], [1.0, 2.0, 3.0]], requires_grad=True)
    mask = torch.tensor([[True, False, True], [False, False, False]])
    attention = masked_softmax(scores, mask, 1)
    assert attention.tolist() == [[0.5, 0, 0.5], [0, 0, 0]]
    (attention * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    assert scores.grad is not None
    assert scores.grad.isfinite().all()
    assert (scores.grad[~mask] == 0).all()


def test_a_candidate_gets_the_sum_of_its_mentions() -> None:
    attention = torch.tensor([[0.25, 0.5, 0.125]])
    assert over_mentions(attention, MEMBERS).tolist() == [[0.375, 0.5, 0]]
    logs = log_over_mentions(attention.log(), MEMBERS)
    torch.testing.assert_close(logs[:, :2].exp(), over_mentions(attention, MEMBERS)[:, :2])
    assert logs[0, 2] == FLOOR


def test_attention_too_small_to_be_written_has_a_gradient_still() -> None:
    scores = torch.tensor([[0.0, 300.0, 0.0]], requires_grad=True)
    logs = log_over_mentions(masked_log_softmax(scores, torch.ones(1, 3, dtype=torch.bool)), MEMBERS)
    target_loss(logs, torch.tensor([0])).sum().backward()
    assert logs[0, 0] < -290
    torch.testing.assert_close(scores.grad, torch.tensor([[-0.5, 1.0, -0.5]]))


def test_floors() -> None:
    real = torch.tensor([[True, True, False]])
    expected = torch.tensor([[-1.0, FLOOR, -math.inf]])
    torch.testing.assert_close(floored(torch.tensor([[-1.0, -500.0, 0.0]]), real), expected)
    torch.testing.assert_close(log_floored(torch.tensor([1.0, 0.0])), torch.tensor([0.0, math.log(1e-30)]))


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
