"""What a model gives beside the same by hand, and its gradients beside finite differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn


def check_gradients(model: nn.Module, loss: Callable[[], float], *, places: int = 2) -> None:
    """Compare each parameter's gradient, in a few random places, with central differences of `loss`."""
    dice = np.random.default_rng(0)
    for name, weights in model.named_parameters():
        flat = weights.detach().view(-1)
        gradient = torch.zeros_like(flat) if weights.grad is None else weights.grad.view(-1)
        wanted = {int(gradient.abs().argmax()), *dice.integers(len(flat), size=places).tolist()}
        for place in wanted:
            before = flat[place].item()
            values = []
            for step in (1e-5, -1e-5):
                flat[place] = before + step
                values.append(loss())
            flat[place] = before
            expected = (values[0] - values[1]) / 2e-5
            assert abs(gradient[place].item() - expected) < 1e-7 + 1e-5 * abs(expected), f"{name}[{place}]"


def check_as_published(model: Any, batch: Any, by_hand: Callable[[], Any]) -> None:
    """Compare the authors' log probabilities, and the gradients of their loss, with those computed by hand."""
    expected = by_hand()
    np.testing.assert_allclose(model.as_published(batch).detach(), expected, rtol=1e-10)
    output = model(batch)
    real = batch.candidates
    np.testing.assert_allclose(output.log_probabilities[real].detach(), expected[real.numpy()], rtol=1e-10)
    output.losses["answer"].mean().backward()
    rows = np.arange(len(batch.target))
    check_gradients(model, lambda: float(-by_hand()[rows, batch.target].mean()))
