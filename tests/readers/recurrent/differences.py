"""Gradients by finite differences."""

from __future__ import annotations

from collections.abc import Callable

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
